"""Finds out whether the service can work, by trying now and then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from threading import Lock
from time import monotonic

import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

from events import stores
from events.keyring import KeysUnusable
from events.store import Statement, Store, StoreError, StoreUnusable
from service import folder
from service.config import Config

EVERY = 2.0
"""The seconds for which a result is kept, so that frequent requests don't load the disk."""

ROOM = 1 << 16
"""The bytes that must be free in the data folder, for packs, keys and the write-ahead log."""

PATIENCE = 1.0
"""The seconds within which Redis must answer."""

WITHIN = 1.6
"""The seconds after which an attempt counts as failed."""

STORE, REPLACED, REDIS, KEYS, STOPPING = "store", "store-replaced", "redis", "keys", "stopping"
"""The names of faults."""

logger = structlog.get_logger(__name__)


class Health:
    """Makes attempts, and keeps their result for a while. Any thread may use it.

    The attempts run side by side, each on its own thread. One that hangs is not started a second time.
    """

    def __init__(
        self,
        attempts: Mapping[str, Callable[[], object]],
        is_stopping: Callable[[], bool] = lambda: False,
        close: Callable[[], object] = lambda: None,
    ) -> None:
        """`attempts`: the functions to try, by the name of the fault if they fail."""
        self._close = close
        self._attempts = attempts
        self._threads = {name: ThreadPoolExecutor(1, f"health-{name}") for name in attempts}
        self._under_way: dict[str, Future[Exception | None]] = {}
        self._is_stopping = is_stopping
        self._lock = Lock()
        self._tried = float("-inf")
        self._wrong: tuple[str, ...] = ()

    def wrong(self) -> tuple[str, ...]:
        """Return the names of all faults; only STOPPING if the process is stopping, which is known at once."""
        if self._is_stopping():
            return (STOPPING,)
        with self._lock:
            if monotonic() - self._tried >= EVERY:
                self._wrong = self._look()
                self._tried = monotonic()
            return self._wrong

    def close(self) -> None:
        """Stop the threads, and close what the attempts use."""
        for thread in self._threads.values():
            thread.shutdown(wait=False)
        self._close()

    def _look(self) -> tuple[str, ...]:
        """Start the attempts that are not running. Returns the names of those that have failed."""
        for name, attempt in self._attempts.items():
            if name not in self._under_way:
                self._under_way[name] = self._threads[name].submit(_failure, attempt)
        done, _ = wait(self._under_way.values(), WITHIN)
        ended = {name: future.result() for name, future in self._under_way.items() if future in done}
        wrong = {name: ended.get(name, "it takes too long") for name in self._attempts}
        for name, error in wrong.items():
            self._note(name, error)
        for name in ended:
            del self._under_way[name]
        return tuple([name for name, error in wrong.items() if error is not None])

    def _note(self, name: str, error: object) -> None:
        """Log a fault that has begun or ended since the last look."""
        if error is not None and name not in self._wrong:
            logger.error("not ready", wrong=name, error=str(error))
        if error is None and name in self._wrong:
            logger.info("ready again", wrong=name)


def _failure(attempt: Callable[[], object]) -> Exception | None:
    try:
        attempt()
    except (OSError, StoreError, redis.RedisError) as error:
        return error
    return None


def health_of(
    config: Config, recorder: Store, is_stopping: Callable[[], bool], check_keys: Callable[[], object]
) -> Health:
    """Return the health of a service, with the attempts for its settings."""
    attempts: dict[str, Callable[[], object]] = {STORE: partial(attempt, config, recorder)}
    attempts[KEYS] = partial(attempt_keys, check_keys)
    if path := stores.file_of(config.store_url):
        attempts = {REPLACED: partial(check_file, path, _mark(path)), **attempts}
    if not config.redis:
        return Health(attempts, is_stopping)
    once = Retry(NoBackoff(), 0)
    client = redis.Redis.from_url(config.redis, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=once)
    # it may be full or loading although it answers
    attempts[REDIS] = partial(client.set, "foldtable:ready", 1, px=1000)
    return Health(attempts, is_stopping, close=client.close)


def attempt(config: Config, recorder: Store) -> None:
    """Read from and write to the store as moves do. Raises OSError, StoreError."""
    folder.check_room(config.data, ROOM)
    recorder.probe()
    recorder.find(Statement("SELECT 1"))


def attempt_keys(check_keys: Callable[[], object]) -> None:
    """Check the keys. Raises KeysUnusable; not StoreError: a store that can't be asked is a fault of its own."""
    try:
        check_keys()
    except StoreError as error:
        if isinstance(error, KeysUnusable):
            raise


def check_file(path: Path, mark: tuple[int, int]) -> None:
    """Check that the store's file is still the one that was opened; writes to a removed file would be lost.

    Raises:  StoreUnusable; OSError if the file is missing.
    """
    if _mark(path) != mark:
        raise StoreUnusable(f"{path} was replaced after it was opened: start the service again")


def _mark(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
