"""The outcome of a seat that changes hands: who plays it then, and the time that they have."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from domain import clocks, matches
from domain.play import Told
from service import clock
from service.matches.outcome import Outcome
from service.matches.states import Position
from service.store import lobby


def handed(
    position: Position, entries: tuple[Told, ...], seat: int, bot: str | None, *, is_resigned: bool = False
) -> Outcome:
    """Return the outcome of these events, after which the bot plays for the seat's player, or (None) no bot does."""
    match_id, entry = position.log.id, position.entry
    chairs = tuple(
        msgspec.structs.replace(chair, stand_in=bot, resigned=is_resigned) if chair.seat == seat else chair
        for chair in entry.chairs
    )
    return Outcome(
        told=entries,
        after=position.after(entries),
        chairs=chairs,
        beside=(lobby.stand_in(match_id, seat, bot, resigned=is_resigned),),
    )


def grace(
    position: Position, entries: tuple[Told, ...], seat: int, now: datetime, why: Literal["return", "passed"]
) -> tuple[Told, ...]:
    """Return the events that give the seat's new player time for an open decision, if hardly any is left.

    They keep what is left or get a bounded grace, once for each decision; otherwise a seat that changes hands again and
    again would have time for ever.
    """
    game, state = position.log.game, position.after(entries)
    due = matches.due_of(game, state, seat)
    if due is None:
        return ()
    left = datetime.fromisoformat(clock.later(due.at, due.later)) - datetime.fromisoformat(clock.stamp(now))
    return clocks.give_grace(game, state, seat, left // timedelta(milliseconds=1), why)
