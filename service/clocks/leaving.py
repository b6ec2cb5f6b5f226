"""Seats that their players give up, leave to a bot, or take back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from domain import clocks, matches
from domain.game import Refusal
from service.deeds import PLAY, Asker, Deed
from service.limits import DEEDS
from service.matches import (
    Changes,
    Lobby,
    Outcome,
    Position,
    grace,
    handed,
    seat_of,
    terms,
)
from service.problems import Forbidden
from service.store import Once, Timetable


class Leaving:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors.

    While answers are under seal nobody comes or goes, lest it tell who was asked. Each answers the version of the last
    event that came of it.
    """

    def __init__(self, changes: Changes, found: Lobby, times: Timetable) -> None:
        self.front = changes.front
        self._changes = changes
        self._lobby = found
        self._times = times
        self._now = changes.front.now

    @Deed("resign", (PLAY,), limits=(DEEDS,))
    def resign(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int:
        """Give one's seat up for good: a bot plays on for it, or the rules by their default, as it was opened."""
        return self._do(asker, match_id, once, self._resign)

    @Deed("leaveToBot", (PLAY,), limits=(DEEDS,))
    def leave(self, asker: Asker, match_id: str, bot: str | None = None, *, once: Once | None = None) -> int:
        """Have a bot play for one's seat until it is taken back; None: the one that the match was opened with."""
        return self._do(asker, match_id, once, partial(self._leave, bot))

    @Deed("takeSeatBack", (PLAY,), limits=(DEEDS,))
    def come_back(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int:
        """Play for oneself again."""
        return self._do(asker, match_id, once, self._come_back)

    def _do(self, asker: Asker, match_id: str, once: Once | None, decide: Callable[[Asker, Position], Outcome]) -> int:
        self._lobby.entry(match_id, asker)
        return self._changes.change_once(match_id, partial(decide, asker), once)

    def _resign(self, asker: Asker, position: Position) -> Outcome:
        log, truth, seat = position.log, position.truth, own_seat(position, asker)
        wanted = terms.of(self._times, log.id)
        told = clocks.resign(log.game, truth, seat)
        bot = matches.bot_of(truth, seat) or None
        if bot is None and wanted.resignation == terms.BOT:
            bot = wanted.bot
            after = matches.fold(log.game, truth, [one.event for one in told])
            told += clocks.hand_over(log.game, after, seat, bot, "resignation")
        return handed(position, told, seat, bot, is_resigned=True)

    def _leave(self, bot: str | None, asker: Asker, position: Position) -> Outcome:
        log, seat = position.log, own_seat(position, asker)
        if seat in position.truth.clocks.resigned:
            raise Refusal("", "resigned", seat=seat)
        wanted = bot or terms.of(self._times, log.id).bot
        told = clocks.hand_over(log.game, position.truth, seat, wanted, "wish")
        return handed(position, told, seat, wanted)

    def _come_back(self, asker: Asker, position: Position) -> Outcome:
        seat = own_seat(position, asker)
        told = clocks.hand_back(position.log.game, position.truth, seat)
        told += grace(position, told, seat, self._now(), "return")
        return handed(position, told, seat, None)


def own_seat(position: Position, asker: Asker) -> int:
    """Where the asker sits, in a match that its own rules play on. Raises Forbidden, OtherRules, Refusal."""
    if position.truth.is_over:
        raise Refusal("", f"match-{position.truth.status}")
    seat = seat_of(position.entry, asker)
    if seat is None:
        raise Forbidden("not-seated")
    position.log.need_own_rules()
    return seat
