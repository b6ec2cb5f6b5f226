"""Vacations: days in which a player's deadlines don't run, so many a year.

Whatever is asked openly of a player who is away is due later by what is left of the vacation, which the match's log
tells; what is open when it begins, by all of it. Answers under seal are due as ever: how long a window stays open must
not tell that somebody who is away was asked.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import msgspec
import structlog

from domain import clocks, deadlines, matches
from events.store import BrokenConstraint, Store
from replays.log import OtherRules
from service import clock
from service.clocks.ladder import missing
from service.deeds import PLAY, READ, Asker, Deed
from service.limits import SETTINGS
from service.matches import Changes, Outcome, Position
from service.problems import Conflict, Problem
from service.shapes import Moment
from service.store import Once, Timetable, Vacation
from service.store import clocks as kept

logger = structlog.get_logger(__name__)


class Away(msgspec.Struct, frozen=True):
    """Until when you are on vacation, if you are; and the days of this year."""

    until: Moment | None
    """Until when; null: you are not on vacation."""
    days_left: int
    """How many days of this year are left."""
    days_a_year: int
    """How many days a year has."""


class Vacations:
    """The use cases. They raise Problems and the store's errors."""

    def __init__(self, store: Store, changes: Changes, days: int) -> None:
        """`days`: how many a year."""
        self._store = store
        self.front = changes.front
        self._changes = changes
        self._times = Timetable(store)
        self._now = changes.front.now
        self._days = days

    def look(self, asker: Asker) -> Away:
        """Whether the asker is away."""
        asker.need(READ, PLAY)
        now = clock.stamp(self._now())
        taken = self._times.vacations(asker.player)
        until = next((one.until for one in taken if one.since <= now < one.until), None)
        return Away(until, max(0, self._days - _spent(taken, now)), self._days)

    @Deed("goOnVacation", (PLAY,), limits=(SETTINGS,))
    def leave(self, asker: Asker, days: int, *, once: Once | None = None) -> Away:
        """Be away for so many days from now on. Those are spent, also if the asker comes back before."""
        self.front.do(once, partial(self._leave, asker, days, once))
        for decision in self._store.decisions(f"player:{asker.player}"):
            if decision.due and decision.who == f"player:{asker.player}":
                self._extend(decision.match, decision.seat, asker.player)
        return self.look(asker)

    @Deed("comeBack", (PLAY,), limits=(SETTINGS,))
    def come_back(self, asker: Asker, *, once: Once | None = None) -> Away:
        """Be back: what is asked from now on has no more time than ever. What was given stays given."""
        back = kept.come_back(asker.player, clock.stamp(self._now()))
        self.front.done(once, lambda: self.front.write(once, [back]))
        return self.look(asker)

    def _leave(self, asker: Asker, days: int, once: Once | None) -> str:
        now = self._now()
        since = clock.stamp(now)
        taken = self._times.vacations(asker.player)
        if taken and taken[-1].until > since:
            raise Conflict("on-vacation", until=taken[-1].until)
        left = self._days - _spent(taken, since)
        if days > left:
            raise Conflict("vacation-spent", left=max(0, left), most=self._days)
        # of two that are taken at once both have the same number
        vacation = Vacation(f"{asker.player}/{len(taken)}", since, clock.stamp(now + timedelta(days=days)), days)
        try:
            self.front.write(once, [kept.leave(vacation, asker.player)], vacation.id)
        except BrokenConstraint:
            raise Conflict("on-vacation", until=vacation.until) from None
        return vacation.id

    def _extend(self, match_id: str, seat: int, player: str) -> None:
        """Have what is open there be due later. If that fails it is done when it is due."""
        try:
            self._changes.change(match_id, partial(self._more, seat, player))
        except (Problem, OtherRules) as error:
            logger.warning("a vacation is reckoned with later", match=match_id, error=str(error))

    def _more(self, seat: int, player: str, position: Position) -> Outcome | None:
        log, truth = position.log, position.truth
        chair = position.entry.chairs[seat]
        if truth.clocks.is_paused or chair.player != player or matches.is_sealed(log.game, truth):
            return None
        decision = matches.decision_of(log.game, truth, seat)
        deadline = deadlines.open_deadline(truth.clocks, seat, decision) if decision else None
        due = matches.due_of(log.game, truth, seat)
        if deadline is None or due is None:
            return None
        more = missing(self._times, deadline, due, player)
        if not more:
            return None
        told = clocks.extend_deadline(log.game, truth, seat, decision, more, "vacation")
        return Outcome(told=told, after=matches.fold(log.game, truth, [one.event for one in told]))


def _spent(taken: tuple[Vacation, ...], now: str) -> int:
    """How many days of this year, by UTC, that begin in it."""
    return sum(one.days for one in taken if one.since[:4] == now[:4])
