"""Players who are away: seats given up, handed to bots and taken back, and vacations."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import msgspec
import structlog

from domain import clocks, matches
from events.store import BrokenConstraint, Store
from service import clock
from service.clocks.firing import extended
from service.deeds import PLAY, Asker, Deed
from service.limits import DEEDS, SETTINGS
from service.matches import Changes, Decide, Outcome, Position, grace, handed, terms
from service.problems import Conflict, problem_in
from service.shapes import Moment
from service.store import Once, Timetable, Vacation
from service.store import clocks as kept

logger = structlog.get_logger(__name__)


class Leaving:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors.

    While answers are given under seal they are refused, since they would show who was asked. Each use case returns the
    version after the change.
    """

    def __init__(self, changes: Changes, times: Timetable, left: Callable[[str], object]) -> None:
        """`left` is told the match in which somebody no longer plays."""
        self.front = changes.front
        self._left = left
        self._changes = changes
        self._times = times

    @Deed("resign", (PLAY,), limits=(DEEDS,))
    def resign(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int:
        """Give the asker's seat up for good: as was agreed, the match ends, or a bot or the rules play on."""
        return self._leaves(asker, match_id, partial(self._resign, asker), once)

    @Deed("leaveToBot", (PLAY,), limits=(DEEDS,))
    def leave(self, asker: Asker, match_id: str, bot: str | None = None, *, once: Once | None = None) -> int:
        """Have a bot play for the asker until they come back; None for the bot with which the match was opened."""
        return self._leaves(asker, match_id, partial(self._leave, asker, bot), once)

    @Deed("takeSeatBack", (PLAY,), limits=(DEEDS,))
    def come_back(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int:
        """Take the asker's seat back from its bot."""
        return self._changes.change_once(asker, match_id, partial(self._come_back, asker), once)

    def _leaves(self, asker: Asker, match_id: str, decide: Decide, once: Once | None) -> int:
        """Change the match once for the request, and then do what all who are left have agreed to, if anything."""
        version = self._changes.change_once(asker, match_id, decide, once)
        # also for a repeat: the first request may have been cut off before this
        self._left(match_id)
        return version

    def _resign(self, asker: Asker, position: Position) -> Outcome:
        log, truth, seat = position.log, position.truth, position.played_seat(asker)
        wanted = terms.of(self._times, log.id)
        bot = matches.bot_of(truth, seat) or None
        if wanted.resignation == terms.END:
            return handed(position, clocks.concede(log.game, truth, seat), seat, bot, is_resigned=True)
        entries = clocks.resign(log.game, truth, seat)
        if bot is None and wanted.resignation == terms.BOT:
            bot = wanted.bot
            entries += clocks.hand_over(log.game, position.after(entries), seat, bot, "resignation")
        return handed(position, entries, seat, bot, is_resigned=True)

    def _leave(self, asker: Asker, bot: str | None, position: Position) -> Outcome:
        log, seat = position.log, position.played_seat(asker)
        wanted = bot or terms.of(self._times, log.id).bot
        return handed(position, clocks.hand_over(log.game, position.truth, seat, wanted, "wish"), seat, wanted)

    def _come_back(self, asker: Asker, position: Position) -> Outcome:
        seat = position.played_seat(asker)
        entries = clocks.hand_back(position.log.game, position.truth, seat)
        entries += grace(position, entries, seat, self.front.now(), "return")
        return handed(position, entries, seat, None)


class Away(msgspec.Struct, frozen=True):
    """Your vacation, if you are on one, and the days that you have this year."""

    until: Moment | None
    """The end of your vacation; null if you are not on one."""
    days_left: int
    """The days of vacation that you have left this year."""
    days_a_year: int
    """The days of vacation that everybody has in a year."""


class Vacations:
    """The use cases of vacations: days in a year in which a player's deadlines don't run.

    A decision that is asked during a vacation is due later by the rest of the vacation, one that is open when it begins
    by all of it; the match's log says so. Answers under seal are not due later: the time for which they stay open must
    not show that somebody on vacation was asked. They raise Problems and the store's errors.
    """

    def __init__(self, store: Store, changes: Changes, days: int) -> None:
        """`days`: the days of vacation in a year."""
        self._store = store
        self.front = changes.front
        self._changes = changes
        self._times = Timetable(store)
        self._days = days

    def look(self, asker: Asker) -> Away:
        """Return the asker's vacation and days."""
        now = self.front.at()
        taken = self._times.vacations(asker.player)
        until = next((vacation.until for vacation in taken if vacation.since <= now < vacation.until), None)
        return Away(until, max(0, self._days - _spent(taken, now)), self._days)

    @Deed("goOnVacation", (PLAY,), limits=(SETTINGS,))
    def leave(self, asker: Asker, days: int, *, once: Once | None = None) -> Away:
        """Begin a vacation of so many days, which are spent even if the asker comes back earlier. Raises Conflict."""
        self.front.do(once, partial(self._leave, asker, days, once))
        for decision in self._store.decisions(f"player:{asker.player}"):
            if decision.due and decision.who == f"player:{asker.player}":
                self._extend(decision.match, decision.seat, asker.player)
        return self.look(asker)

    @Deed("comeBack", (PLAY,), limits=(SETTINGS,))
    def come_back(self, asker: Asker, *, once: Once | None = None) -> Away:
        """End the asker's vacation. Deadlines that it made later stay as they are."""
        back = kept.come_back(asker.player, self.front.at())
        self.front.write_once(once, [back])
        return self.look(asker)

    def _leave(self, asker: Asker, days: int, once: Once | None) -> str:
        now = self.front.now()
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
            self.front.write_for([asker.player], once, [kept.leave(vacation, asker.player)], vacation.id)
        except BrokenConstraint:
            raise Conflict("on-vacation", until=vacation.until) from None
        return vacation.id

    def _extend(self, match_id: str, seat: int, player: str) -> None:
        """Make the seat's open decision due later. If that fails, the clock does it when the decision is due."""
        if code := problem_in(match_id, lambda id: self._changes.change(id, partial(self._more, seat, player))):
            logger.warning("a deadline is extended by a vacation only when it is due", match=match_id, code=code)

    def _more(self, seat: int, player: str, position: Position) -> Outcome | None:
        game, truth = position.log.game, position.truth
        chair = position.entry.chairs[seat]
        if truth.clocks.is_paused or chair.player != player or matches.is_sealed(game, truth):
            return None
        return extended(self._times, position, chair, matches.decision_of(game, truth, seat))


def _spent(taken: tuple[Vacation, ...], now: str) -> int:
    """Return the days of the vacations that began in this year, by UTC."""
    return sum(vacation.days for vacation in taken if vacation.since[:4] == now[:4])
