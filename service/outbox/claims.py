"""The deliveries that a process works on. It claims each of them for a time, by a change of the row that only one
process can make, and repeats the claim while it works on it. If the process dies, the delivery is soon free.
"""

from __future__ import annotations

from datetime import timedelta
from threading import Condition, Thread

import structlog
from msgspec.structs import replace

from events.store import Store, StoreError
from service import clock
from service.store import Delivery, deliveries

RENEWED = 20.0
"""Seconds until a claim is repeated."""

logger = structlog.get_logger(__name__)


class DeliveryClaims:
    """The deliveries that one process works on. Any thread may use it."""

    def __init__(self, store: Store, claim: timedelta, now: clock.Now, renewed: float = RENEWED) -> None:
        self._store = store
        self._claim = claim
        self._now = now
        self._renewed = renewed
        self._under_way: dict[str, str] = {}
        """By the id of a delivery that is under way, its player."""
        self._claimed: dict[str, Delivery] = {}
        self._changed = Condition()
        self._thread: Thread | None = None

    def begin(self, one: Delivery, most: int) -> bool:
        """Note that the delivery is under way. Returns False if it was already, or if `most` of its player's are."""
        with self._changed:
            if one.id in self._under_way or [*self._under_way.values()].count(one.player) >= most:
                return False
            self._under_way[one.id] = one.player
            return True

    def take(self, one: Delivery) -> bool:
        """Claim the delivery. Returns False if another process has it. Raises StoreError."""
        claimed = replace(one, due=self._until(), tries=one.tries + 1, tried=clock.stamp(self._now()))
        if self._store.write([deliveries.change(one, claimed)]) != (1,):
            return False
        with self._changed:
            self._claimed[one.id] = claimed
            if self._thread is None:
                self._thread = Thread(target=self._run, name="delivery-claims", daemon=True)
                self._thread.start()
        return True

    def end(self, one: Delivery) -> Delivery:
        """Return the delivery as it was claimed last. It is no longer under way, and its claim is not repeated."""
        with self._changed:
            self._under_way.pop(one.id, None)
            self._changed.notify_all()
            return self._claimed.pop(one.id, one)

    def _run(self) -> None:
        with self._changed:
            # woken when the last claim ends, so that no thread stays behind
            while not self._changed.wait_for(lambda: not self._claimed, self._renewed):
                self._renew()
            self._thread = None

    def _renew(self) -> None:
        for claimed in tuple(self._claimed.values()):
            renewed = replace(claimed, due=self._until())
            try:
                if self._store.write([deliveries.change(claimed, renewed)]) == (1,):
                    self._claimed[claimed.id] = renewed
            except StoreError as error:
                logger.warning("the claim of a delivery can't be renewed", error=str(error))

    def _until(self) -> str:
        return clock.stamp(self._now() + self._claim)
