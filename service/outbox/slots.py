"""So many deliveries may be under way at a time, each on a thread of its own, so that a slow receiver delays nobody."""

from __future__ import annotations

from collections.abc import Callable
from threading import Semaphore, Thread
from time import monotonic

import structlog

SLOTS = 64
"""DeliveryTable under way at a time."""

PATIENCE = 2.0
"""Seconds that a delivery waits for a slot, and is then left to a later look."""

logger = structlog.get_logger(__name__)


class Slots:
    """They are taken and left again."""

    def __init__(self, size: int = SLOTS) -> None:
        self._size = size
        self._free = Semaphore(size)

    def begin(self, deed: Callable[[], None]) -> bool:
        """See `channel.Begin`."""
        if not self._free.acquire(timeout=PATIENCE):
            return False
        # whoever is slow is left behind when the process ends
        Thread(target=self._do, args=(deed,), name="delivery", daemon=True).start()
        return True

    def _do(self, deed: Callable[[], None]) -> None:
        try:
            deed()
        except Exception as error:
            # its words may tell of a URL, which is its owner's business
            logger.error("unforeseen", kind=type(error).__name__)
        finally:
            self._free.release()

    def close(self, seconds: float) -> None:
        """Wait for what is under way, for so long."""
        end = monotonic() + seconds
        for _ in range(self._size):
            if not self._free.acquire(timeout=max(0.0, end - monotonic())):
                return
