"""Reminders: when most of the time for a decision has passed, its player is reminded once.

Hooks say what a reminder does: each returns statements for a reminder. They are executed in the transaction that notes
that the player was reminded, so a mail is posted at most once.
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
    """A reminder to a player. Nobody else may know of it, since under seal it shows who was asked."""

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
        """Remind the players whose reminders in the match are due."""
        now = clock.stamp(self._now())
        for seat, decision in self._times.reminders(match_id, now):
            forget = kept.forget_reminder(match_id, seat, decision)
            reminder = self._reminder(match_id, seat, decision, now)
            if reminder is None or self._times.is_reminded(match_id, seat, decision):
                self._store.write([forget])
                continue
            reminded = kept.reminded(match_id, seat, decision, reminder.player, reminder.due, now)
            effects = [statement for hook in self._hooks for statement in hook(reminder)]
            # this fails if another process reminds the player at this moment
            with suppress(BrokenConstraint):
                self._store.write([reminded, forget, *effects])

    def _reminder(self, match_id: str, seat: int, decision: int, now: str) -> Reminder | None:
        """Return the reminder; None if it is not needed any more, because the decision is closed or a bot plays."""
        position = self._changes.look(match_id)
        log, chair = position.log, position.entry.chairs[seat]
        known = log.on_top(position.truth, TRUTH)
        is_open = matches.decision_of(log.game, known, seat) == decision
        due = due_of(log.game, known, chair) if is_open else ""
        if not due or chair.player is None or not chair.is_asked_itself:
            return None
        return Reminder(match_id, log.game.slug, seat, decision, chair.player, due, now)
