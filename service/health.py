"""Whether the service can work: found out by working, now and then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Protocol

import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

from events.store import Statement, Store, StoreError, StoreUnusable
from service import folder
from service.config import Config

EVERY = 2.0
"""Seconds for which an answer holds, so that whoever asks all the time costs no disk its rest."""

ROOM = 1 << 16
"""Bytes that must be free in the data folder: for packs and keys, and for the log of writes to grow."""

PATIENCE = 1.0
"""Seconds that Redis has to take a word."""

WITHIN = 1.6
"""Seconds after which an attempt that has not come to an end has failed: who asks waits no longer."""

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
    """Tries whether it can be done, and remembers the answer for a while. Any thread may ask.

    The attempts are made beside each other, each on a thread of its own. One that hangs is not made a second time.
    """

    def __init__(
        self,
        attempts: Mapping[str, Callable[[], object]],
        is_stopping: Callable[[], bool] = lambda: False,
        every: float = EVERY,
        close: Callable[[], object] = lambda: None,
    ) -> None:
        """`attempts`: by what is wrong when they fail."""
        self.every = every
        self._close = close
        self._attempts = attempts
        self._threads = {name: ThreadPoolExecutor(1, f"health-{name}") for name in attempts}
        self._under_way: dict[str, Future[Exception | None]] = {}
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
                self._wrong = self._look()
                self._tried = monotonic()
            return self._wrong

    def close(self) -> None:
        """Let go of what the attempts need."""
        for thread in self._threads.values():
            thread.shutdown(wait=False)
        self._close()

    def _look(self) -> tuple[str, ...]:
        """Make the attempts that are not under way yet: which of all have failed."""
        for name, attempt in self._attempts.items():
            if name not in self._under_way:
                self._under_way[name] = self._threads[name].submit(_failure, attempt)
        done, _ = wait(self._under_way.values(), WITHIN)
        ended = {name: one.result() for name, one in self._under_way.items() if one in done}
        wrong = {name: ended.get(name, "it takes too long") for name in self._attempts}
        for name, error in wrong.items():
            self._note(name, error)
        for name in ended:
            del self._under_way[name]
        return tuple([name for name, error in wrong.items() if error is not None])

    def _note(self, name: str, error: object) -> None:
        """Tell the log what has become of it since the last look."""
        if error is not None and name not in self._wrong:
            logger.error("not ready", wrong=name, error=str(error))
        if error is None and name in self._wrong:
            logger.info("ready again", wrong=name)


def _failure(attempt: Callable[[], object]) -> Exception | None:
    """Why the attempt fails; None: it does not."""
    try:
        attempt()
    except (OSError, StoreError, redis.RedisError) as error:
        return error
    return None


def health_of(config: Config, recorder: Store, closing: Closing, check_keys: Callable[[], object]) -> Health:
    """What is tried of a service."""
    attempts: dict[str, Callable[[], object]] = {STORE: partial(attempt, config, recorder), KEYS: check_keys}
    if config.store_url.startswith(FILE):
        path = Path(config.store_url.removeprefix(FILE))
        attempts = {REPLACED: partial(check_file, path, _mark(path)), **attempts}
    client = None
    if config.redis:
        once = Retry(NoBackoff(), 0)
        client = redis.Redis.from_url(
            config.redis, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=once
        )
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
