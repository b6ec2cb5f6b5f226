"""What a move would bring about, tried on what its seat sees: for as long as it tells the seat nothing new.

Somebody who thinks with their hands puts a card down and takes it up again. They may, as long as nothing was drawn,
rolled or turned up by it, and nobody else is asked. All of it comes of what the seat has been told: a trial tells no
more than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any, TypeVar

import msgspec

from domain.chance import Chance, Simulation
from domain.game import Game, Seat
from domain.secrecy import marks, redact, secrets
from domain.step import advance

S = TypeVar("S")
M = TypeVar("M")

TRIALS = 2
"""In how many ways the cards are laid that the seat does not know."""

UNKNOWN = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What rules raise that read a card which the seat does not know."""


class _Drawn(Exception):
    """Something would be left to chance."""


class _NoChance(Chance):
    """What is left to it can't be tried."""

    def below(self, k: int) -> int:
        """Raises _Drawn."""
        raise _Drawn


def tried(game: Game[S, Any, Any], seen: S, seat: Seat, moves: Iterable[M]) -> Iterator[tuple[M, S | None]]:
    """Each of these legal moves, with the state after it, as the seat sees it, if it can be taken back until then: the
    seat is to go on, and has learned nothing. None where the move is for good.

    It must come out the same wherever the cards lie that the seat does not know: rules that read one of these would
    take an unknown one for none at all.
    """
    if game.secret(seen):
        yield from ((move, None) for move in moves)
        return
    others = [game.imagine(seen, seat, Simulation(f"trial {number}")) for number in range(TRIALS)]
    for move in moves:
        found = _outcome(game, seen, seat, move)
        if found is None or any(_tells(event, seat) for event in found[1]):
            yield move, None
            continue
        same = [_outcome(game, other, seat, move) for other in others]
        told = [None if one is None else tuple(redact(event, seat) for event in one[1]) for one in (found, *same)]
        yield move, found[0] if all(one == told[0] for one in told) else None


def _outcome(game: Game[S, Any, Any], state: S, seat: Seat, move: Any) -> tuple[S, tuple[Any, ...]] | None:
    """The state after the move and what it tells; None where something is left to chance, or another seat is asked."""
    try:
        events = game.decide(state, seat, move, _NoChance())
        after, asked, forced = advance(game, state, events, repeat(_NoChance()))
    except (_Drawn, *UNKNOWN):
        return None
    if asked != (seat,) or game.secret(after):
        return None
    return after, (*events, *(event for _, _, _, more in forced for event in more))


def _tells(event: Any, seat: Seat) -> bool:
    """Whether the seat would read in it what it does not know yet."""
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
