"""So many deliveries at most are under way, each on its own thread, so that a slow receiver delays nobody."""

from __future__ import annotations

from collections.abc import Callable
from threading import Semaphore, Thread
from time import monotonic

import structlog

SLOTS = 64
"""Deliveries under way at a time."""

PATIENCE = 2.0
"""Seconds for which a delivery waits for a slot; then it is left to a later look."""

logger = structlog.get_logger(__name__)


class Slots:
    """Slots, each for one delivery under way."""

    def __init__(self, size: int = SLOTS) -> None:
        self._size = size
        self._free = Semaphore(size)

    def begin(self, act: Callable[[], None]) -> bool:
        """See `loop.Begin`."""
        if not self._free.acquire(timeout=PATIENCE):
            return False
        # whoever is slow is left behind when the process ends
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
        """Wait for what is under way, for so many seconds at most."""
        end = monotonic() + seconds
        for _ in range(self._size):
            if not self._free.acquire(timeout=max(0.0, end - monotonic())):
                return
