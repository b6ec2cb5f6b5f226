"""Vacations: a number of days a year in which a player's deadlines don't run.

A decision that is asked during a vacation is due later by the rest of the vacation, one that is open when it begins by
all of it; the match's log says so. Answers under seal are not due later: the time for which they stay open must not
show that somebody on vacation was asked.
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
    """Your vacation, if you are on one, and the days that you have this year."""

    until: Moment | None
    """The end of your vacation; null if you are not on one."""
    days_left: int
    """The days of vacation that you have left this year."""
    days_a_year: int
    """The days of vacation that everybody has in a year."""


class Vacations:
    """The use cases. They raise Problems and the store's errors."""

    def __init__(self, store: Store, changes: Changes, days: int) -> None:
        """`days`: the days of vacation in a year."""
        self._store = store
        self.front = changes.front
        self._changes = changes
        self._times = Timetable(store)
        self._now = changes.front.now
        self._days = days

    def look(self, asker: Asker) -> Away:
        """Return the asker's vacation and days."""
        asker.need(READ, PLAY)
        now = clock.stamp(self._now())
        taken = self._times.vacations(asker.player)
        until = next((vacation.until for vacation in taken if vacation.since <= now < vacation.until), None)
        return Away(until, max(0, self._days - _spent(taken, now)), self._days)

    @Deed("goOnVacation", (PLAY,), limits=(SETTINGS,))
    def leave(self, asker: Asker, days: int, *, once: Once | None = None) -> Away:
        """Begin a vacation of so many days now. All of them are spent, even if the asker comes back earlier.

        Raises:  Conflict if the asker is on vacation, or has not so many days left.
        """
        self.front.do(once, partial(self._leave, asker, days, once))
        for decision in self._store.decisions(f"player:{asker.player}"):
            if decision.due and decision.who == f"player:{asker.player}":
                self._extend(decision.match, decision.seat, asker.player)
        return self.look(asker)

    @Deed("comeBack", (PLAY,), limits=(SETTINGS,))
    def come_back(self, asker: Asker, *, once: Once | None = None) -> Away:
        """End the asker's vacation. Deadlines that it made later stay as they are."""
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
        # two vacations that are begun at the same time get the same id, so only one is stored
        vacation = Vacation(f"{asker.player}/{len(taken)}", since, clock.stamp(now + timedelta(days=days)), days)
        try:
            self.front.write(once, [kept.leave(vacation, asker.player)], vacation.id)
        except BrokenConstraint:
            raise Conflict("on-vacation", until=vacation.until) from None
        return vacation.id

    def _extend(self, match_id: str, seat: int, player: str) -> None:
        """Make the seat's open decision due later. If that fails, the clock does it when the decision is due."""
        try:
            self._changes.change(match_id, partial(self._more, seat, player))
        except (Problem, OtherRules) as error:
            logger.warning("a deadline is extended by a vacation only when it is due", match=match_id, error=str(error))

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
        entries = clocks.extend_deadline(log.game, truth, seat, decision, more, "vacation")
        return Outcome(told=entries, after=position.after(entries))


def _spent(taken: tuple[Vacation, ...], now: str) -> int:
    """Return the days of the vacations that began in this year, by UTC."""
    return sum(vacation.days for vacation in taken if vacation.since[:4] == now[:4])
