"""DeliveryTable that this process works on. It claims each by a change of its row that one alone can make, for a while,
and says again and again that it still works on it; if it dies, the delivery is free soon after.
"""

from __future__ import annotations

from datetime import timedelta
from threading import Condition, Thread

import msgspec
import structlog

from events.store import Store, StoreError
from service import clock
from service.store import Delivery, deliveries

RENEWED = 20.0
"""Seconds until whoever still works on it claims it anew."""

logger = structlog.get_logger(__name__)


class DeliveryClaims:
    """One process's. Any thread may use it."""

    def __init__(self, store: Store, claim: timedelta, now: clock.Now, renewed: float = RENEWED) -> None:
        self._store = store
        self._claim = claim
        self._now = now
        self._renewed = renewed
        self._held: dict[str, Delivery] = {}
        self._changed = Condition()
        self._thread: Thread | None = None

    def take(self, one: Delivery) -> bool:
        """Return whether the delivery is ours now; False: another process has it. Raises StoreError."""
        at, until = clock.stamp(self._now()), self._until()
        if self._store.write([deliveries.claim(one, at, until)]) != (1,):
            return False
        with self._changed:
            self._held[one.id] = msgspec.structs.replace(one, due=until, tries=one.tries + 1)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="delivery-claims", daemon=True)
                self._thread.start()
        return True

    def let_go(self, id: str) -> Delivery:
        """Return the delivery as it was held last: what becomes of it is to be written now."""
        with self._changed:
            held = self._held.pop(id)
            self._changed.notify_all()
            return held

    def _run(self) -> None:
        with self._changed:
            # woken when the last one is let go, so that no thread stays behind
            while not self._changed.wait_for(lambda: not self._held, self._renewed):
                self._renew()
            self._thread = None

    def _renew(self) -> None:
        until = self._until()
        for one in tuple(self._held.values()):
            try:
                if self._store.write([deliveries.put_off(one, until)]) == (1,):
                    self._held[one.id] = msgspec.structs.replace(one, due=until)
            except StoreError as error:
                logger.warning("a delivery can't be claimed anew", error=str(error))

    def _until(self) -> str:
        return clock.stamp(self._now() + self._claim)
