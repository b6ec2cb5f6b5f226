"""A step of the game: a move, the forced moves that follow from it, and who is asked then.

Matches (`domain/play.py`), matches without a store, and bots that look ahead all use it, so that they agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from domain.chance import Chance
from domain.game import Game, Seat

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")

Chances = Iterator[Chance]
"""The chance of each forced move in turn; `itertools.repeat(chance)` if one serves all."""

Forced = tuple[S, Seat, M, tuple[E, ...]]
"""A move that the engine played: the state before it, its seat, the move, and its events."""

Step = tuple[S, tuple[Seat, ...], tuple[Forced[S, M, E], ...]]
"""The end of a step: the state, who is asked (nobody if the game is over), and the forced moves on the way."""


class Stuck(RuntimeError):
    """The game has more moves than its bound, or is not over although nobody can act."""


def advance(game: Game[S, M, E], state: S, events: tuple[E, ...], chances: Chances) -> Step[S, M, E]:
    """Fold the events of a move, a closing or the dealer, and play the forced moves that follow.

    Raises:  Stuck when there are more forced moves in a row than the game's bound.
    """
    evolve, forced, to_act = game.evolve.by_class, game.forced, game.to_act
    for event in events:
        state = evolve[type(event)](state, event)
    if (only := forced(state)) is None:
        return state, to_act(state), ()
    made: list[Forced[S, M, E]] = []
    while only is not None:
        if len(made) == game.bound:
            raise Stuck(f"{game.slug}: more than {game.bound} forced moves follow one another")
        seat, move = only
        before, events = state, game.decide(state, seat, move, next(chances))
        for event in events:
            state = evolve[type(event)](state, event)
        made.append((before, seat, move, events))
        only = forced(state)
    return state, to_act(state), tuple(made)
