"""Serves the app by gunicorn: one process, since one process writes to the store, and many threads."""

from __future__ import annotations

import os
import resource
import socket
import sys
from collections.abc import Callable
from contextlib import closing
from time import monotonic
from typing import Any

import structlog
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from domain.catalogue import Catalogue
from domain.game import PackError
from events.store import StoreError
from service import folder, wiring
from service.config import Config
from service.matches import Lobby
from service.web import create_app
from service.web.reception import Reception
from service.web.sockets import listen
from service.wiring import Service

THREADS = 32
"""Each works on a request that is whole and can be answered; the others wait in `reception`."""

ROOM = 1 << 20
"""Bytes that must be free in the data folder at the start."""

CONNECTIONS = 2000
"""Most connections at once: who waits, who sends, and who may ask again."""

FILES = 256
"""Most other open files: some for each thread."""

NEWS = 10.0
"""Seconds between two lines that say that stock is being taken."""

GRACE = 5
"""Seconds that requests under way have when the server is told to stop."""

logger = structlog.get_logger(__name__)


class Worker(Reception):
    """The process that serves; who waits is answered as soon as it is to end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if isinstance(self.app, Application):
            self.patience = self.app.patience
            self.app.notify = self.notify

    def close_up(self) -> None:
        """See `Reception.close_up`."""
        super().close_up()
        if isinstance(self.app, Application) and self.app.service:
            self.app.service.bells.close()


class Stock:
    """Says now and then that stock is being taken: to who watches over the process, and in the log."""

    def __init__(self, notify: Callable[[], object]) -> None:
        self._notify = notify
        self._matches = 0
        self._notified = self._said = monotonic()

    def __call__(self) -> None:
        """One match more."""
        self._matches += 1
        now = monotonic()
        if now - self._notified >= 1:
            self._notified = now
            self._notify()
        if now - self._said >= NEWS:
            self._said = now
            logger.info("taking stock", matches=self._matches)


class Application(BaseApplication):
    """Gunicorn's view of the service, which is built in the process that serves: threads don't survive a fork."""

    def __init__(self, config: Config, listener: socket.socket) -> None:
        self._config = config
        self._address = listener.getsockname()[:2]
        # gunicorn closes it
        self._listener = listener.detach()
        self.service: Service | None = None
        self.patience = config.patience
        self.notify: Callable[[], object] = lambda: None
        super().__init__()

    def load_config(self) -> None:
        """Tell gunicorn how."""
        settings = {
            "bind": f"fd://{self._listener}",
            "worker_class": Worker,
            "workers": 1,
            "threads": THREADS,
            "worker_connections": connections(),
            "keepalive": 30,
            "timeout": 60,
            "graceful_timeout": GRACE,
            "loglevel": "warning",
            "proc_name": "foldtable",
            "control_socket_disable": True,
            "worker_exit": lambda arbiter, worker: self._close(),
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Build the service, and its app."""
        try:
            self.service = wiring.build(self._config, progress=Stock(self.notify))
        except (StoreError, PackError, OSError) as error:
            sys.stderr.write(f"error: {error}\n")
            sys.exit(Arbiter.APP_LOAD_ERROR)
        bells = self.service.bells
        bells.most = min(bells.most, self.cfg.worker_connections // 2)
        host, port = self._address
        logger.info("serving", host=host, port=port, data=str(self._config.data), pid=os.getpid())
        return create_app(self.service)

    def _close(self) -> None:
        if self.service:
            self.service.close()


def connections() -> int:
    """Most connections at once: as many as the system has files for, with room for those of the store."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(2 * THREADS, soft - FILES)
    return CONNECTIONS


def serve(config: Config, fd: int | None = None) -> None:
    """Serve until told to stop, on the socket of that number if one is handed to us. What stands in the way is told in
    one line, with exit code 1.
    """
    try:
        check_store(config)
        wiring.read_packs(config, Catalogue())
    except (StoreError, PackError) as error:
        sys.exit(f"error: {error}")
    Application(config, listener_of(config, fd)).run()


def listener_of(config: Config, fd: int | None) -> socket.socket:
    """The socket to serve on. Exits with one line when it can't be had."""
    try:
        return listen(config) if fd is None else socket.socket(fileno=fd)
    except OSError as error:
        what = f"{config.host}, port {config.port}" if fd is None else f"file {fd}"
        sys.exit(f"error: {what}: {error.strerror}")


def check_store(config: Config) -> None:
    """Make or migrate the store and make its keys before the process that serves is forked; look whether they can be
    used.

    Raises:  StoreError, by its kinds.
    """
    folder.prepare(config)
    with closing(wiring.open_store(config)) as recorder:
        wiring.open_keys(config, Lobby(recorder))
    folder.check_room(config.data, ROOM)
