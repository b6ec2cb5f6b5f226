"""The socket on which web processes serve."""

from __future__ import annotations

import errno
import socket

from service.config import Config

BACKLOG = 1024
"""The most connections that wait while the web process starts or restarts."""


def listen(config: Config) -> socket.socket:
    """Return a socket that listens already. Raises OSError, also if another process has the port."""
    try:
        # checked first, since gevent's resolver would print a traceback
        config.host.encode("idna")
    except UnicodeError as error:
        # a label is empty or too long
        raise OSError(errno.EINVAL, "this is no name of a host") from error
    addresses = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = addresses[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # all connections inherit this: an answer does not wait until the last one is acknowledged
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener
