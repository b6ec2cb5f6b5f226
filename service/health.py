"""Whether the service can work: found out by working, now and then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Protocol

import redis
import structlog

from events.store import Statement, Store, StoreError, StoreUnusable
from service import folder
from service.config import Config

EVERY = 2.0
"""Seconds for which an answer holds, so that whoever asks all the time costs no disk its rest."""

ROOM = 1 << 16
"""Bytes that must be free in the data folder: for packs and keys, and for the log of writes to grow."""

PATIENCE = 1.0
"""Seconds that Redis has to take a word."""

FILE = "sqlite:"
"""What the URL of a store begins with that is a file."""

STORE, REPLACED, REDIS, KEYS, STOPPING = "store", "store-replaced", "redis", "keys", "stopping"
"""What may be wrong."""

logger = structlog.get_logger(__name__)


class Closing(Protocol):
    """Something that knows whether the process is about to end."""

    @property
    def is_closed(self) -> bool:
        """Whether it is."""
        ...


class Health:
    """Tries whether it can be done, and remembers the answer for a while. Any thread may ask."""

    def __init__(
        self,
        attempts: Mapping[str, Callable[[], object]],
        is_stopping: Callable[[], bool] = lambda: False,
        every: float = EVERY,
        close: Callable[[], object] = lambda: None,
    ) -> None:
        """`attempts`: by what is wrong when they fail."""
        self.every = every
        self.close = close
        self._attempts = attempts
        self._is_stopping = is_stopping
        self._lock = Lock()
        self._tried: float | None = None
        self._wrong: tuple[str, ...] = ()

    def wrong(self) -> tuple[str, ...]:
        """What keeps it from working; nothing when nothing does. That it is stopping is known at once."""
        if self._is_stopping():
            return (STOPPING,)
        with self._lock:
            if self._tried is None or monotonic() - self._tried >= self.every:
                self._wrong = tuple([name for name, attempt in self._attempts.items() if not self._try(name, attempt)])
                self._tried = monotonic()
            return self._wrong

    def _try(self, name: str, attempt: Callable[[], object]) -> bool:
        try:
            attempt()
        except (OSError, StoreError, redis.RedisError) as error:
            if name not in self._wrong:
                logger.error("not ready", wrong=name, error=str(error))
            return False
        if name in self._wrong:
            logger.info("ready again", wrong=name)
        return True


def health_of(config: Config, recorder: Store, closing: Closing, check_keys: Callable[[], object]) -> Health:
    """What is tried of a service."""
    attempts: dict[str, Callable[[], object]] = {STORE: partial(attempt, config, recorder), KEYS: check_keys}
    if config.store_url.startswith(FILE):
        path = Path(config.store_url.removeprefix(FILE))
        attempts = {REPLACED: partial(check_file, path, _mark(path)), **attempts}
    client = None
    if config.redis:
        client = redis.Redis.from_url(config.redis, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
        attempts[REDIS] = partial(take_a_word, client)
    return Health(attempts, lambda: closing.is_closed, close=client.close if client else lambda: None)


def attempt(config: Config, recorder: Store) -> None:
    """Read and write as moves do. Raises OSError, StoreError."""
    folder.check_room(config.data, ROOM)
    recorder.probe()
    recorder.find(Statement("SELECT 1"))


def check_file(path: Path, mark: tuple[int, int]) -> None:
    """The store's file is the one that was opened: into one that was put away all can be written, and is lost.

    Raises:  StoreUnusable; OSError when it is not there.
    """
    if _mark(path) != mark:
        raise StoreUnusable(f"{path} is another file than the one that was opened: start the service again")


def take_a_word(client: redis.Redis) -> None:
    """Have Redis write: one that is full, or still loading, answers and takes nothing. Raises RedisError, OSError."""
    client.set("foldtable:ready", 1, px=1000)


def _mark(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino
