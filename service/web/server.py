"""Serves the app until it is told to end. Any number of processes may serve on one socket."""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import sys
from contextlib import closing
from threading import Event, Thread
from time import monotonic

import structlog

from domain.game import PackError
from events.store import StoreError
from service import folder, wiring
from service.config import Config
from service.heartbeat import beat
from service.web import create_app
from service.web.loop import Loop
from service.web.pages.warming import warm
from service.web.sockets import listen
from service.wiring import Service

ROOM = 1 << 20
"""Bytes that must be free in the data folder at the start."""

CONNECTIONS = 10_000
"""Most connections at once: who waits, who sends, and who may ask again."""

FILES = 256
"""Most other open files."""

SPARE = 500
"""Connections that nobody waits on: whoever does something finds one."""

NEWS = 10.0
"""Seconds between two lines that say that stock is being taken."""

GRACE = 5
"""Seconds that requests under way have when the server is told to stop."""

YOUNG = 20_000
"""Objects that are made until it is looked which of them are garbage. What a request makes goes with it, without that;
a look at all that is kept, match states and modules, would hold up everybody for as long as fifty requests take.
"""

BEAT = 1.0
"""Seconds between two signs of life, which the loop gives itself: it hangs when they stop."""

logger = structlog.get_logger(__name__)


class Stock:
    """Says in the log now and then that stock is being taken."""

    def __init__(self) -> None:
        self._matches = 0
        self._said = monotonic()

    def __call__(self) -> None:
        """One match more."""
        self._matches += 1
        now = monotonic()
        if now - self._said >= NEWS:
            self._said = now
            logger.info("taking stock", matches=self._matches)


def run(service: Service, listener: socket.socket) -> None:
    """Serve until told to stop. Raises OSError."""
    config, most = service.config, connections()
    service.bells.most = min(service.bells.most, most - SPARE)
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    loop = Loop(listener, create_app(service), service.limits.addresses, connections=most, patience=config.patience)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 100)
    loop.start()
    host, port = listener.getsockname()[:2]
    logger.info("serving", host=host, port=port, data=str(config.data), pid=os.getpid())
    warming = Thread(target=warm, args=(service.catalogue, stop))
    warming.start()
    while not stop.wait(BEAT):
        beat()
    warming.join()
    service.bells.close()
    loop.end(GRACE)


def connections() -> int:
    """Most connections at once: as many as the system has files for, with room for those of the store."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(2 * SPARE, soft - FILES)
    return CONNECTIONS


def serve(config: Config, fd: int | None = None) -> None:
    """Serve until told to stop, on the socket of that number if one is handed to us. What stands in the way is told in
    one line, with exit code 1.
    """
    with listener_of(config, fd) as listener:
        try:
            # whoever calls meanwhile waits
            with closing(wiring.build(config, progress=Stock())) as service:
                folder.check_room(config.data, ROOM)
                run(service, listener)
        except (StoreError, PackError, OSError) as error:
            sys.exit(f"error: {error}")


def listener_of(config: Config, fd: int | None) -> socket.socket:
    """The socket to serve on. Exits with one line when it can't be had."""
    try:
        return listen(config) if fd is None else socket.socket(fileno=fd)
    except OSError as error:
        what = f"{config.host}, port {config.port}" if fd is None else f"file {fd}"
        sys.exit(f"error: {what}: {error.strerror}")
