"""What comes of it when a seat changes hands: who plays it then, and the time that they have."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from domain import clocks, matches
from domain.play import Told
from service import clock
from service.matches.outcome import Outcome
from service.matches.states import Position
from service.store import lobby


def handed(
    position: Position, told: tuple[Told, ...], seat: int, bot: str | None, *, is_resigned: bool = False
) -> Outcome:
    """The outcome of these events after which the bot plays for whoever sits there, or nobody does."""
    match_id, entry = position.log.id, position.entry
    chairs = tuple(
        msgspec.structs.replace(chair, stand_in=bot, resigned=is_resigned) if chair.seat == seat else chair
        for chair in entry.chairs
    )
    return Outcome(
        told=told,
        after=matches.fold(position.log.game, position.truth, [one.event for one in told]),
        chairs=chairs,
        beside=(lobby.stand_in(match_id, seat, bot, resigned=is_resigned),),
    )


def time_again(
    position: Position, told: tuple[Told, ...], seat: int, now: datetime, why: Literal["return", "passed"]
) -> tuple[Told, ...]:
    """After what is told, all of the seat's time for what is open, which it may have been asked long ago, as if it
    were asked now.
    """
    game = position.log.game
    state = matches.fold(game, position.truth, [one.event for one in told])
    due = matches.due_of(game, state, seat)
    if due is None or state.clocks.is_paused or state.clocks.terms is None:
        return ()
    late = clock.between(clock.later(due.at, due.later), clock.stamp(now))
    left = clock.between(clock.stamp(now), clock.later(due.at, due.later))
    length = late + state.clocks.terms.allowance - left
    if length < 1:
        return ()
    return clocks.extend_deadline(game, state, seat, matches.decision_of(game, state, seat), length, why)
