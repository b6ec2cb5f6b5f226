"""When nobody looked after the clocks: noted once, and what was due meanwhile is due later by it.

The sign that somebody does is one for the whole store: the moment of the last request in which due decisions were
looked for. Whatever is missing on the way there (the web process, the queue, a worker, who sweeps) makes it grow old.
A wall clock that is set forward looks like an outage, and what is due is due later by as much, so that nothing fires;
one that is set back waits until it has caught up.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from domain import clocks, matches
from events.store import BrokenConstraint, Store
from service import clock
from service.matches import Outcome, Position, due_of
from service.store import Timetable
from service.store import clocks as kept

OFTEN = timedelta(seconds=2)
"""The sign is no older where all is well, and so needs no newer one."""

OUTAGE = timedelta(seconds=20)
"""From when on it was an outage."""

WRONG = timedelta(days=1)
"""A sign that comes from so far in the future is no sign."""


class Outages:
    """Notes them, and has matches extended by them."""

    def __init__(self, store: Store, now: clock.Now) -> None:
        self._store = store
        self._times = Timetable(store)
        self._now = now

    def beat(self) -> None:
        """Somebody looks after the clocks: note it, and an outage if nobody has for long."""
        now, before = self._now(), self._times.pulse()
        told = clock.stamp(now)
        if before is None:
            self._store.write([kept.first_pulse(told)])
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
        if truth.clocks.terms is None or not (since := self._asked_at(position)):
            return None
        terms = self._times.terms(log.id)
        outages = self._times.outages(terms.outage, since) if terms else ()
        length = sum(clock.between(max(one.began, since), one.ended) for one in outages)
        if length < 1:
            return None
        told = clocks.extend(truth, length)
        after = matches.fold(log.game, truth, [one.event for one in told])
        return Outcome(told=told, after=after, beside=(kept.reach_outage(log.id, outages[-1].id),))

    def _asked_at(self, position: Position) -> str:
        """Since when somebody is asked for whom time runs, as everybody may know; "" if nobody is."""
        log, truth = position.log, position.truth
        game, chairs = log.game, position.entry.chairs
        if matches.is_sealed(game, truth):
            version = max(truth.asked) or truth.version
        else:
            asked = [
                matches.decision_of(game, truth, seat)
                for seat in matches.to_act(game, truth)
                if due_of(game, truth, chairs[seat])
            ]
            version = min(asked, default=0)
        return log.store.read(log.id, version - 1, 1)[0].at if version else ""
