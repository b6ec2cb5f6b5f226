"""Serves the app until it is stopped. Any number of processes may serve on one socket."""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing
from threading import Event, Thread
from time import monotonic

import structlog

from domain.game import PackError
from events.store import StoreError
from service import folder, wiring
from service.config import Config
from service.heartbeat import beat, endings
from service.sockets import listen
from service.web import create_app
from service.web.door import Loop
from service.web.pages.games import SOON, warm
from service.wiring import Service

ROOM = 1 << 20
"""The bytes that must be free in the data folder at the start."""

CONNECTIONS = 10_000
"""The most connections at once."""

FILES = 256
"""The most other open files."""

SPARE = 500
"""Connections on which no request waits, so that others find one."""

NEWS = 10.0
"""The seconds between two log lines while the store is examined at the start."""

GRACE = 5
"""The seconds that requests in progress have when the server stops."""

YOUNG = 20_000
"""The number of new objects before a garbage collection. A request's objects are freed without it; a collection of all
objects, match states and modules among them, would delay everybody by the time of fifty requests.
"""

BEAT = 1.0
"""The seconds between two signs of life. The event loop gives them itself: when they stop, it hangs."""

logger = structlog.get_logger(__name__)


def examined() -> Callable[[], None]:
    """Return a function to call for each match that is examined at the start: now and then it logs how many were."""
    matches, logged = 0, monotonic()

    def count() -> None:
        nonlocal matches, logged
        matches += 1
        if monotonic() - logged >= NEWS:
            logged = monotonic()
            logger.info("taking stock", matches=matches)

    return count


def run(service: Service, listener: socket.socket) -> None:
    """Serve until a signal stops the process. Raises OSError."""
    config, most = service.config, connections()
    service.bells.most = min(service.bells.most, most - SPARE)
    stop = Event()
    for number in endings():
        signal.signal(number, lambda *_: stop.set())
    loop = Loop(listener, create_app(service), service.limits.addresses, connections=most, patience=config.patience)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 100)
    loop.start()
    host, port = listener.getsockname()[:2]
    logger.info("serving", host=host, port=port, data=str(config.data), pid=os.getpid())
    warming = Thread(target=warm, args=(service.catalogue, stop), kwargs={"soon": SOON})
    warming.start()
    while not stop.wait(BEAT):
        beat()
    warming.join()
    service.bells.close()
    loop.end(GRACE)


def connections() -> int:
    """Return the most connections at once, as far as the system's limit of open files allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(2 * SPARE, soft - FILES)
    return CONNECTIONS


def serve(config: Config, fd: int | None = None) -> None:
    """Serve until stopped, on the inherited socket `fd` or a new one. Exits with one line if it can't."""
    try:
        listener = listen(config) if fd is None else socket.socket(fileno=fd)
    except OSError as error:
        what = f"{config.host}, port {config.port}" if fd is None else f"file {fd}"
        sys.exit(f"error: {what}: {error.strerror}")
    with listener:
        try:
            # connections that come meanwhile wait
            with closing(wiring.build(config, progress=examined())) as service:
                folder.check_room(config.data, ROOM)
                run(service, listener)
        except (StoreError, PackError, OSError) as error:
            sys.exit(f"error: {error}")
