"""Sockets that the web process serves on."""

from __future__ import annotations

import errno
import socket

from service.config import Config

BACKLOG = 1024
"""Most connections that wait while the web process is started, or started again."""


def listen(config: Config) -> socket.socket:
    """The socket to serve on, already listening: of two that ask for one port the second is refused. Raises OSError."""
    try:
        # asked first: gevent's resolver would write down where it stumbled
        config.host.encode("idna")
    except UnicodeError as error:
        # a label that is empty, or too long
        raise OSError(errno.EINVAL, "this is no name of a host") from error
    found = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # each connection has it from here: an answer does not wait for the last one to be acknowledged
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener
