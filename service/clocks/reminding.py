"""Reminders, when most of the time for a decision has passed: each once, whoever finds that it is due.

What a reminder does is said by hooks, from the reminder to statements: they are executed in the transaction that notes
that the player was reminded, so that a mail is posted once or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime

import msgspec

from domain import matches
from events.store import BrokenConstraint, Store
from replays.log import TRUTH
from service import clock
from service.matches import Changes, due_of
from service.store import Notice, Statement, Timetable, notices
from service.store import clocks as kept


class Reminder(msgspec.Struct, frozen=True):
    """A player is to be reminded, and nobody else is to know: under seal it tells who was asked."""

    match: str
    game: str
    seat: int
    decision: int
    player: str
    due: str
    at: str


Hook = Callable[[Reminder], Sequence[Statement]]


def noted(one: Reminder) -> list[Statement]:
    """Return what a reminder does: whoever wants to be told of it is, by whatever channel."""
    told = Notice(notices.REMINDER, one.match, one.game, one.player, one.seat, one.at, one.decision)
    return notices.note(told, datetime.fromisoformat(one.at))


class Reminding:
    """Reminds."""

    def __init__(self, store: Store, changes: Changes, now: clock.Now, hooks: tuple[Hook, ...]) -> None:
        self._store = store
        self._changes = changes
        self._times = Timetable(store)
        self._now = now
        self._hooks = hooks

    def remind(self, match_id: str) -> None:
        """Remind whoever is to be reminded in the match by now."""
        now = clock.stamp(self._now())
        for seat, decision in self._times.reminders(match_id, now):
            forget = kept.forget_reminder(match_id, seat, decision)
            found = self._reminder(match_id, seat, decision, now)
            if found is None or self._times.is_reminded(match_id, seat, decision):
                self._store.write([forget])
                continue
            noted = kept.reminded(match_id, seat, decision, found.player, found.due, now)
            # another process may remind them at this moment, and then all that is to be done is done
            with suppress(BrokenConstraint):
                self._store.write([noted, forget, *(told for hook in self._hooks for told in hook(found))])

    def _reminder(self, match_id: str, seat: int, decision: int, now: str) -> Reminder | None:
        """None where nobody need be reminded any more: it was answered, or a bot plays."""
        position = self._changes.look(match_id)
        log, chair = position.log, position.entry.chairs[seat]
        known = log.on_top(position.truth, TRUTH)
        is_open = matches.decision_of(log.game, known, seat) == decision
        due = due_of(log.game, known, chair) if is_open else ""
        if not due or chair.player is None or not chair.is_asked_itself:
            return None
        return Reminder(match_id, log.game.slug, seat, decision, chair.player, due, now)
