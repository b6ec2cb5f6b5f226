"""Whether the service can work: found out by writing, now and then."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic

import structlog

from events.store import Statement, Store, StoreError
from service import folder
from service.config import Config

EVERY = 2.0
"""Seconds for which an answer holds, so that whoever asks all the time costs no disk its rest."""

ROOM = 1 << 16
"""Bytes that must be free in the data folder: for packs and keys, and for the log of writes to grow."""

logger = structlog.get_logger(__name__)


class Health:
    """Tries whether it can be done, and remembers the answer for a while. Any thread may ask."""

    def __init__(self, attempt: Callable[[], None], every: float = EVERY) -> None:
        self.every = every
        self._attempt = attempt
        self._lock = Lock()
        self._tried: float | None = None
        self._trouble: str | None = None

    def trouble(self) -> str | None:
        """The kind of error that keeps it from working; None when nothing does."""
        with self._lock:
            if self._tried is None or monotonic() - self._tried >= self.every:
                self._trouble = self._try()
                self._tried = monotonic()
            return self._trouble

    def _try(self) -> str | None:
        try:
            self._attempt()
        except (OSError, StoreError) as error:
            if self._trouble is None:
                logger.error("not ready", error=str(error))
            return type(error).__name__
        if self._trouble is not None:
            logger.info("ready again")
        return None


def attempt(config: Config, recorder: Store) -> None:
    """Read and write as moves do. Raises OSError, StoreError."""
    folder.check_room(config.data, ROOM)
    recorder.probe()
    recorder.find(Statement("SELECT 1"))
