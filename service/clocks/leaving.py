"""Seats that their players give up, leave to a bot, or take back."""

from __future__ import annotations

from functools import partial

import msgspec

from domain import clocks, matches
from domain.game import Refusal
from domain.play import Told
from service import clock
from service.accounts import PLAY, Asker
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
from service.store import Once, Requests, Timetable


class Leaving:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors.

    While answers are under seal nobody comes or goes, lest it tell who was asked. Each answers the version of the last
    event that came of it.
    """

    def __init__(self, changes: Changes, found: Lobby, asked: Requests, times: Timetable, now: clock.Now) -> None:
        self._changes = changes
        self._lobby = found
        self._requests = asked
        self._times = times
        self._now = now

    def resign(self, match_id: str, asker: Asker, once: Once | None) -> int:
        """Give one's seat up for good: a bot plays on for it, or the rules by their default, as it was opened."""
        return self._do(match_id, asker, once, partial(self._resign, asker, once))

    def leave(self, match_id: str, asker: Asker, bot: str | None, once: Once | None) -> int:
        """Have a bot play for one's seat until it is taken back; None: the one that the match was opened with."""
        return self._do(match_id, asker, once, partial(self._leave, asker, bot, once))

    def come_back(self, match_id: str, asker: Asker) -> int:
        """Play for oneself again."""
        asker.need(PLAY)
        self._lobby.entry(match_id, asker)
        return self._changes.change(match_id, partial(self._come_back, asker)).position.truth.version

    def _do(self, match_id: str, asker: Asker, once: Once | None, decide: partial[Outcome]) -> int:
        asker.need(PLAY)
        self._lobby.entry(match_id, asker)

        def deed() -> str:
            return str(self._changes.change(match_id, decide).position.truth.version)

        return int(self._requests.do(once, deed))

    def _resign(self, asker: Asker, once: Once | None, position: Position) -> Outcome:
        log, truth, seat = position.log, position.truth, own_seat(position, asker)
        wanted = terms.of(self._times, log.id)
        told = clocks.resign(log.game, truth, seat)
        bot = matches.bot_of(truth, seat) or None
        if bot is None and wanted.resignation == terms.BOT:
            bot = wanted.bot
            after = matches.fold(log.game, truth, [one.event for one in told])
            told += clocks.hand_over(log.game, after, seat, bot, "resignation")
        return self._seated(position, told, seat, bot, once, is_resigned=True)

    def _leave(self, asker: Asker, bot: str | None, once: Once | None, position: Position) -> Outcome:
        log, seat = position.log, own_seat(position, asker)
        if seat in position.truth.clocks.resigned:
            raise Refusal("", "resigned", seat=seat)
        wanted = bot or terms.of(self._times, log.id).bot
        told = clocks.hand_over(log.game, position.truth, seat, wanted, "wish")
        return self._seated(position, told, seat, wanted, once)

    def _come_back(self, asker: Asker, position: Position) -> Outcome:
        seat = own_seat(position, asker)
        told = clocks.hand_back(position.log.game, position.truth, seat)
        told += grace(position, told, seat, self._now(), "return")
        return self._seated(position, told, seat, None, None)

    def _seated(
        self,
        position: Position,
        told: tuple[Told, ...],
        seat: int,
        bot: str | None,
        once: Once | None,
        *,
        is_resigned: bool = False,
    ) -> Outcome:
        """The outcome; what remembers the request names the version to which it leads."""
        outcome = handed(position, told, seat, bot, is_resigned=is_resigned)
        assert outcome.after is not None
        return msgspec.structs.replace(
            outcome, beside=(*outcome.beside, *self._requests.remember(once, str(outcome.after.version)))
        )


def own_seat(position: Position, asker: Asker) -> int:
    """Where the asker sits, in a match that its own rules play on. Raises Forbidden, OtherRules, Refusal."""
    if position.truth.is_over:
        raise Refusal("", f"match-{position.truth.status}")
    seat = seat_of(position.entry, asker)
    if seat is None:
        raise Forbidden("not-seated")
    position.log.need_own_rules()
    return seat
