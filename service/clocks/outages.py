"""Outages, when no process looked after the clocks: each is noted once, and makes all deadlines later.

One sign serves the whole store: the moment of the last request in which due decisions were looked for. If anything is
missing on the way there (the web process, the queue, a worker, the sweeper), the sign grows old. A wall clock that is
set forward looks like an outage, and deadlines move by as much, so that nothing is due too early. After one that is set
back the sign waits until the clock has caught up.
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
"""A sign that is younger than this is not renewed."""

OUTAGE = timedelta(seconds=20)
"""A gap longer than this is an outage."""

RESUMED = "match/Resumed"
"""The stored type of the end of a pause."""

FOREVER = "9"
"""Greater than every moment."""

WRONG = timedelta(days=1)
"""A sign that is more than this in the future is invalid."""


class Outages:
    """Notes outages, and extends matches by them."""

    def __init__(self, store: Store, now: clock.Now) -> None:
        self._store = store
        self._times = Timetable(store)
        self._now = now

    def begin(self) -> None:
        """Write the first sign into a store that has none, so that a missing sweeper is an outage from now on."""
        if self._times.pulse() is None:
            self._store.write([kept.first_pulse(clock.stamp(self._now()))])

    def beat(self) -> None:
        """Renew the sign, and note an outage if it was old."""
        now, before = self._now(), self._times.pulse()
        moment = clock.stamp(now)
        if before is None:
            self.begin()
            return
        gap = now - datetime.fromisoformat(before)
        if gap > OUTAGE:
            try:
                self._store.write([kept.note_outage(before, moment), kept.beat(before, moment)])
            except BrokenConstraint:
                return  # another process has noted it at this moment
        elif gap > OFTEN or gap < -WRONG:
            self._store.write([kept.beat(before, moment)])

    def next(self, position: Position) -> Outcome | None:
        """Return the outcome that extends the match by outages that are not accounted for yet; None if there are none.

        Under seal it is the same whoever was asked.
        """
        log, truth = position.log, position.truth
        length, last = self._lacking(position, truth)
        if length < 1:
            return None
        entries = clocks.extend(truth, length)
        return Outcome(told=entries, after=position.after(entries), beside=(kept.reach_outage(log.id, last),))

    def before(self, position: Position, pause: Pause) -> int:
        """Return the milliseconds of outages before the present pause by which the match was not extended yet.

        An outage that ended during the pause was not known when the pause began. Its part within the pause is part of
        the pause's length.
        """
        running = msgspec.structs.replace(position.truth.clocks, is_paused=False)
        return self._lacking(position, msgspec.structs.replace(position.truth, clocks=running), pause.since)[0]

    def _lacking(self, position: Position, truth: Match[Any], until: str = FOREVER) -> tuple[int, int]:
        """Return the milliseconds of outages up to then that the match was not extended by, and the last outage.

        A pause during an outage has its own length, so that the time is not given twice.
        """
        log, asked = position.log, self._asked_at(position, truth)
        if not asked:
            return 0, 0
        since, terms = log.store.read(log.id, asked - 1, 1)[0].at, self._times.terms(log.id)
        if terms is None or not (outages := self._times.outages(terms.outage, since)):
            return 0, 0
        spans = [(max(outage.began, since), min(outage.ended, until)) for outage in outages]
        pauses = self._pauses(position, asked)
        given = [(max(begun, start), min(ended, end)) for begun, ended in spans for start, end in pauses]
        length = sum(clock.between(*span) for span in spans) - sum(clock.between(*span) for span in given)
        return length, outages[-1].id

    def _pauses(self, position: Position, version: int) -> list[tuple[str, str]]:
        """Return beginning and end of each pause of the match that ended after that version of its log."""
        moved = [event for event in position.truth.clocks.moved if event[0] > version]
        ends = [(position.log.store.read(position.log.id, end - 1, 1)[0], length) for end, length in moved]
        return [(clock.later(event.at, -length), event.at) for event, length in ends if event.type == RESUMED]

    @staticmethod
    def _asked_at(position: Position, truth: Match[Any]) -> int:
        """Return the version at which a seat with a running clock was asked, as everybody may know it; 0 if none."""
        game, chairs = position.log.game, position.entry.chairs
        if matches.is_sealed(game, truth):
            return max(truth.asked) or truth.version
        asked = [
            matches.decision_of(game, truth, seat)
            for seat in matches.to_act(game, truth)
            if due_of(game, truth, chairs[seat])
        ]
        return min(asked, default=0)
