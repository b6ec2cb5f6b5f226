"""A Redis of our own, while a test needs it; and that of `up`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from service.run.redis_server import RedisServer, socket_url
from tests.service.run.uprun import processes, until

LISTENING = "unixsocket:"
"""Before the socket's path, in the name that a Redis gives itself once it has bound it."""


@contextmanager
def running(server: RedisServer, *more: str, is_there: Callable[[], Any] | None = None) -> Iterator[RedisServer]:
    """Run it until the block ends. `is_there`: what tells that it has started, where `answers` can't."""
    process = subprocess.Popen([*server.command, *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(is_there or server.answers, "redis answers")
        yield server
    finally:
        process.terminate()
        process.wait()


def redis_url(data: Path) -> str:
    """Where the embedded Redis listens, once it does: in the data folder, or where there was room for its path."""

    def listening() -> list[str]:
        return [command for command in processes(data).values() if "valkey-server" in command and LISTENING in command]

    (command,) = until(listening, "redis listens")
    return socket_url(command.partition(LISTENING)[2].strip())
