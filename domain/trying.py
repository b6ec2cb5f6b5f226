"""Tries moves on what their seat sees, as long as they show the seat nothing new.

A player may put a card down and take it up again, as long as nothing was drawn, rolled or turned up by it, and nobody
else is asked. A trial uses only what the seat has been told, so it shows no more than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any, TypeVar

import msgspec

from domain.chance import Chance, Simulation
from domain.game import Game, Seat
from domain.play import advance
from domain.secrecy import marks, redact, secrets

S = TypeVar("S")
M = TypeVar("M")

TRIALS = 2
"""The number of ways in which the cards that the seat does not know are dealt for the comparison."""

UNKNOWN = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What rules raise when they read a card that the seat does not know."""


class _Drawn(Exception):
    """The move needs chance."""


class _NoChance(Chance):
    """Chance for trials: any draw ends the trial."""

    def below(self, k: int) -> int:
        """Raise _Drawn."""
        raise _Drawn


def tried(game: Game[S, Any, Any], seen: S, seat: Seat, moves: Iterable[M]) -> Iterator[tuple[M, S | None]]:
    """Yield each of these legal moves with the state after it as the seat sees it; None if it can't be taken back.

    A move can be taken back if the seat is to act again and has learned nothing. It must come out the same wherever the
    unknown cards lie, since rules that read such a card would treat it as no card at all.
    """
    if game.secret(seen):
        yield from ((move, None) for move in moves)
        return
    others = [game.imagine(seen, seat, Simulation(f"trial {number}")) for number in range(TRIALS)]
    for move in moves:
        outcome = _outcome(game, seen, seat, move)
        if outcome is None or any(_tells(event, seat) for event in outcome[1]):
            yield move, None
            continue
        same = [_outcome(game, other, seat, move) for other in others]
        redacted = [
            None if each is None else tuple(redact(event, seat) for event in each[1]) for each in (outcome, *same)
        ]
        yield move, outcome[0] if all(events == redacted[0] for events in redacted) else None


def _outcome(game: Game[S, Any, Any], state: S, seat: Seat, move: Any) -> tuple[S, tuple[Any, ...]] | None:
    """Return the state after the move, and its events; None if chance decides something, or another seat is asked."""
    try:
        events = game.decide(state, seat, move, _NoChance())
        after, asked, forced = advance(game, state, events, repeat(_NoChance()))
    except (_Drawn, *UNKNOWN):
        return None
    if asked != (seat,) or game.secret(after):
        return None
    return after, (*events, *(event for _, _, _, more in forced for event in more))


def _tells(event: Any, seat: Seat) -> bool:
    """Return whether the seat would learn from the event something that it does not know yet."""
    hidden = {name for name, _ in marks(type(event))}
    open_ = (getattr(event, name) for name in event.__struct_fields__ if name not in hidden)
    own = (value for _, readers, value in secrets(event) if seat in readers)
    return any(_has_unknown(value) for value in (*open_, *own))


def _has_unknown(value: object) -> bool:
    if isinstance(value, tuple):
        return any(map(_has_unknown, value))
    if isinstance(value, msgspec.Struct):
        return any(_has_unknown(getattr(value, name)) for name in value.__struct_fields__)
    return value is None
