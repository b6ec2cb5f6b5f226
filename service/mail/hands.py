"""Mails are taken by one process at a time. While it works on one, it says so again and again; when it dies, the mail
is free soon after.
"""

from __future__ import annotations

from datetime import timedelta
from threading import Event, Lock, Thread

import msgspec
import structlog

from events.store import Statement, Store, StoreError
from service import clock
from service.store import Tiding, Waiting, outbox, tidings

HELD = timedelta(seconds=90)
"""For which a mail is taken; then another process may take it."""

RENEWED = 20.0
"""Seconds until whoever still works on it takes it anew."""

Due = Waiting | Tiding
"""A letter of the outbox, or a tiding of which a mail is yet to be written."""

logger = structlog.get_logger(__name__)


class Hands:
    """One process's: they hold one mail at a time. A context, in which what is held stays held."""

    def __init__(self, store: Store, now: clock.Now, renewed: float = RENEWED) -> None:
        self._store = store
        self._now = now
        self._renewed = renewed
        self._held: Due | None = None
        self._lock = Lock()
        self._done = Event()
        self._thread = Thread(target=self._run, name="mail-hands", daemon=True)

    def __enter__(self) -> Hands:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def take(self, one: Due) -> Due | None:
        """The mail, as it is held; None if another process has it. Raises StoreError."""
        until = self._until()
        taken = outbox.take_letter(one, until) if isinstance(one, Waiting) else tidings.take_tiding(one, until)
        with self._lock:
            is_ours = self._store.write([taken]) == (1,)
            self._held = msgspec.structs.replace(one, due=until) if is_ours else None
            return self._held

    def let_go(self) -> Due:
        """The mail, as it is held no longer: what becomes of it is to be written now."""
        with self._lock:
            held, self._held = self._held, None
        assert held is not None, "it was taken"
        return held

    def _run(self) -> None:
        while not self._done.wait(self._renewed):
            with self._lock:
                try:
                    self._renew()
                except StoreError as error:
                    logger.warning("a mail in hand can't be held on to now", error=str(error))

    def _renew(self) -> None:
        if self._held is None:
            return
        until = self._until()
        if self._store.write([later(self._held, until)]) == (1,):
            self._held = msgspec.structs.replace(self._held, due=until)

    def _until(self) -> str:
        return clock.stamp(self._now() + HELD)


def later(one: Due, until: str) -> Statement:
    """The mail is looked at again at that moment."""
    return outbox.put_off_letter(one, until) if isinstance(one, Waiting) else tidings.settle_tiding(one, until)


def done(one: Due) -> Statement:
    """The mail was sent, or is not to be any more."""
    return outbox.drop_letter(one) if isinstance(one, Waiting) else tidings.settle_tiding(one)
