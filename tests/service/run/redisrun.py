"""A Redis of our own, while a test needs it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from service.run.redis_server import RedisServer
from tests.service.run.uprun import until


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
