"""Giving a seat up, handing it to a bot, and taking it back."""

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

    While answers are given under seal they are refused, since they would show who was asked. Each use case returns the
    version after the change.
    """

    def __init__(self, changes: Changes, lobby: Lobby, times: Timetable) -> None:
        self.front = changes.front
        self._changes = changes
        self._lobby = lobby
        self._times = times
        self._now = changes.front.now

    @Deed("resign", (PLAY,), limits=(DEEDS,))
    def resign(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int:
        """Give the asker's seat up for good: as the match's clock says, a bot plays on, or the rules' default moves."""
        return self._do(asker, match_id, once, self._resign)

    @Deed("leaveToBot", (PLAY,), limits=(DEEDS,))
    def leave(self, asker: Asker, match_id: str, bot: str | None = None, *, once: Once | None = None) -> int:
        """Have a bot play for the asker until they come back; None for the bot with which the match was opened."""
        return self._do(asker, match_id, once, partial(self._leave, bot))

    @Deed("takeSeatBack", (PLAY,), limits=(DEEDS,))
    def come_back(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int:
        """Take the asker's seat back from its bot."""
        return self._do(asker, match_id, once, self._come_back)

    def _do(self, asker: Asker, match_id: str, once: Once | None, decide: Callable[[Asker, Position], Outcome]) -> int:
        self._lobby.entry(match_id, asker)
        return self._changes.change_once(match_id, partial(decide, asker), once)

    def _resign(self, asker: Asker, position: Position) -> Outcome:
        log, truth, seat = position.log, position.truth, own_seat(position, asker)
        wanted = terms.of(self._times, log.id)
        entries = clocks.resign(log.game, truth, seat)
        bot = matches.bot_of(truth, seat) or None
        if bot is None and wanted.resignation == terms.BOT:
            bot = wanted.bot
            entries += clocks.hand_over(log.game, position.after(entries), seat, bot, "resignation")
        return handed(position, entries, seat, bot, is_resigned=True)

    def _leave(self, bot: str | None, asker: Asker, position: Position) -> Outcome:
        log, seat = position.log, own_seat(position, asker)
        if seat in position.truth.clocks.resigned:
            raise Refusal("", "resigned", seat=seat)
        wanted = bot or terms.of(self._times, log.id).bot
        return handed(position, clocks.hand_over(log.game, position.truth, seat, wanted, "wish"), seat, wanted)

    def _come_back(self, asker: Asker, position: Position) -> Outcome:
        seat = own_seat(position, asker)
        entries = clocks.hand_back(position.log.game, position.truth, seat)
        entries += grace(position, entries, seat, self._now(), "return")
        return handed(position, entries, seat, None)


def own_seat(position: Position, asker: Asker) -> int:
    """Return the asker's seat. Raises Forbidden; OtherRules if the rules are missing; Refusal if the match is over."""
    position.check_running()
    seat = seat_of(position.entry, asker)
    if seat is None:
        raise Forbidden("not-seated")
    position.log.need_own_rules()
    return seat
