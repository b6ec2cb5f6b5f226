"""Runs deliveries, at most SLOTS at a time and each on its own thread, so that a slow receiver delays nobody."""

from __future__ import annotations

from collections.abc import Callable
from threading import Semaphore, Thread
from time import monotonic

import structlog

SLOTS = 64
"""The most deliveries under way at a time."""

PATIENCE = 2.0
"""Seconds for which a delivery waits for a slot; then a later look tries it again."""

logger = structlog.get_logger(__name__)


class Slots:
    """The slots of a process, each for one delivery under way."""

    def __init__(self, size: int = SLOTS) -> None:
        self._size = size
        self._free = Semaphore(size)

    def begin(self, act: Callable[[], None]) -> bool:
        """See `loop.Begin`."""
        if not self._free.acquire(timeout=PATIENCE):
            return False
        # a daemon: the process does not wait for a slow receiver when it ends
        Thread(target=self._do, args=(act,), name="delivery", daemon=True).start()
        return True

    def _do(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            # the error's text may contain a URL, which only its owner may know
            logger.error("unforeseen", kind=type(error).__name__)
        finally:
            self._free.release()

    def close(self, seconds: float) -> None:
        """Wait at most so many seconds for the deliveries that are under way."""
        end = monotonic() + seconds
        for _ in range(self._size):
            if not self._free.acquire(timeout=max(0.0, end - monotonic())):
                return
