"""When nobody looked after the clocks: noted once, and what was due meanwhile is due later by it.

The sign that somebody does is one for the whole store: the moment of the last request in which due decisions were
looked for. Whatever is missing on the way there (the web process, the queue, a worker, who sweeps) makes it grow old.
A wall clock that is set forward looks like an outage, and what is due is due later by as much, so that nothing fires;
one that is set back waits until it has caught up.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec

from domain import clocks, matches
from domain.matches import Match
from events.store import BrokenConstraint, Store
from service import clock
from service.matches import Outcome, Position, due_of
from service.store import Pause, Timetable
from service.store import clocks as kept

OFTEN = timedelta(seconds=2)
"""The sign is no older where all is well, and so needs no newer one."""

OUTAGE = timedelta(seconds=20)
"""From when on it was an outage."""

RESUMED = "match/Resumed"
"""The stored type of a pause's end."""

FOREVER = "9"
"""Comes after each moment."""

WRONG = timedelta(days=1)
"""A sign that comes from so far in the future is no sign."""


class Outages:
    """Notes them, and has matches extended by them."""

    def __init__(self, store: Store, now: clock.Now) -> None:
        self._store = store
        self._times = Timetable(store)
        self._now = now

    def begin(self) -> None:
        """Have the sign from now on, in a store that has none: that nobody looks yet is an outage like any other."""
        if self._times.pulse() is None:
            self._store.write([kept.first_pulse(clock.stamp(self._now()))])

    def beat(self) -> None:
        """Somebody looks after the clocks: note it, and an outage if nobody has for long."""
        now, before = self._now(), self._times.pulse()
        told = clock.stamp(now)
        if before is None:
            self.begin()
            return
        gap = now - datetime.fromisoformat(before)
        if gap > OUTAGE:
            try:
                self._store.write([kept.note_outage(before, told), kept.beat(before, told)])
            except BrokenConstraint:
                return  # another process has noted it at this moment
        elif gap > OFTEN or gap < -WRONG:
            self._store.write([kept.beat(before, told)])

    def next(self, position: Position) -> Outcome | None:
        """The outcome that extends the match by what it was not extended by yet; None where that is nothing.

        Under seal it is the same whoever was asked.
        """
        log, truth = position.log, position.truth
        length, last = self._lacking(position, truth)
        if length < 1:
            return None
        told = clocks.extend(truth, length)
        after = matches.fold(log.game, truth, [one.event for one in told])
        return Outcome(told=told, after=after, beside=(kept.reach_outage(log.id, last),))

    def before(self, position: Position, pause: Pause) -> int:
        """The milliseconds by which the match was not extended yet for outages before the pause that it is in.

        An outage that ended during the pause was not known when it began. What lies within the pause is part of its
        length.
        """
        running = msgspec.structs.replace(position.truth.clocks, is_paused=False)
        return self._lacking(position, msgspec.structs.replace(position.truth, clocks=running), pause.since)[0]

    def _lacking(self, position: Position, truth: Match[Any], until: str = FOREVER) -> tuple[int, int]:
        """For how many milliseconds of outages up to that moment the match was not extended yet, and the last outage.

        A pause that was in an outage has its own length, so that the time is not given twice.
        """
        log, asked = position.log, self._asked_at(position, truth)
        if not asked:
            return 0, 0
        since, terms = log.store.read(log.id, asked - 1, 1)[0].at, self._times.terms(log.id)
        if terms is None or not (outages := self._times.outages(terms.outage, since)):
            return 0, 0
        spans = [(max(one.began, since), min(one.ended, until)) for one in outages]
        pauses = self._pauses(position, asked)
        given = [(max(begun, start), min(ended, end)) for begun, ended in spans for start, end in pauses]
        length = sum(clock.between(*span) for span in spans) - sum(clock.between(*span) for span in given)
        return length, outages[-1].id

    def _pauses(self, position: Position, version: int) -> list[tuple[str, str]]:
        """From when to when the match was paused, for each pause that ended after that version of its log."""
        moved = [one for one in position.truth.clocks.moved if one[0] > version]
        ends = [(position.log.store.read(position.log.id, end - 1, 1)[0], length) for end, length in moved]
        return [(clock.later(one.at, -length), one.at) for one, length in ends if one.type == RESUMED]

    @staticmethod
    def _asked_at(position: Position, truth: Match[Any]) -> int:
        """The version at which somebody was asked for whom time runs, as everybody may know; 0 if nobody is."""
        game, chairs = position.log.game, position.entry.chairs
        if matches.is_sealed(game, truth):
            return max(truth.asked) or truth.version
        asked = [
            matches.decision_of(game, truth, seat)
            for seat in matches.to_act(game, truth)
            if due_of(game, truth, chairs[seat])
        ]
        return min(asked, default=0)
