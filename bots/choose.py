"""Ways to choose a move: by chance, by how the position looks after it, or by how rarely it is possible."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from itertools import repeat
from math import exp
from typing import Any, ClassVar

from domain.chance import Chance, Simulation
from domain.game import Game, Seat, total
from domain.play import advance

SEEDS = 1 << 32

SURENESS = 2.0
"""How surely a novice prefers a move that looks better by as much as the best one does to the mean."""

AnyGame = Game[Any, Any, Any]


class Bot(ABC):
    """A way to choose a move. It keeps nothing between choices, so one serves all seats of all matches."""

    looks: ClassVar[bool] = True
    """Whether it reads the state. If not, it may be given any state in which the same moves are legal."""

    def choose(self, game: AnyGame, seen: Any, seat: Seat, chance: Chance) -> Any:
        """Return one of the seat's legal moves.

        Shape:   `seen` is the fold of the game's events as the seat was told them; the seat is to act.
        """
        legal = game.legal(seen, seat)
        return legal[0] if len(legal) == 1 else self.pick(game, seen, seat, legal, chance)

    @abstractmethod
    def pick(self, game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        """Return one of the given moves, which are all legal ones or some of them."""


class Random(Bot):
    """Chooses by chance, each legal move with the same probability."""

    looks = False

    def pick(self, game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        return chance.choose(legal)


class Greedy(Bot):
    """Chooses the move after which the position looks best; among equal ones, by chance."""

    def pick(self, game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        if len(legal) == 1:
            return legal[0]
        worth = imagined(game, seen, seat, legal, chance)
        best = max(worth)
        return chance.choose(tuple(move for move, value in zip(legal, worth, strict=True) if value == best))


def imagined(game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> list[float]:
    """Return how the position looks to the seat after each move, in a state that it imagines."""
    # the same imagined state and luck for all moves, so that they can be compared; with two states it won no more
    return judged(game, game.imagine(seen, seat, chance), seat, legal, chance.below(SEEDS))


def judged(game: AnyGame, state: Any, seat: Seat, legal: tuple[Any, ...], luck: int | str) -> list[float]:
    """Return how the position looks to the seat after each move, in a complete state, with the same luck for all."""
    answers = answers_of(game, state, seat)
    return [game.evaluate(after(game, state, seat, move, answers, Simulation(luck)), seat) for move in legal]


def answers_of(game: AnyGame, state: Any, seat: Seat) -> list[Any] | None:
    """Return the answers under seal to assume of the others, one or None for each seat; None if nothing is sealed."""
    if not game.secret(state):
        return None
    asked = game.to_act(state)
    seats = len(game.standing(state).points)
    return [game.default(state, other) if other in asked and other != seat else None for other in range(seats)]


def after(game: AnyGame, state: Any, seat: Seat, move: Any, answers: list[Any] | None, chance: Chance) -> Any:
    """Return the imagined state after the move and the forced moves that follow from it."""
    if answers is None:
        events = game.decide(state, seat, move, chance)
    else:
        events = game.close(state, (*answers[:seat], move, *answers[seat + 1 :]), chance)
    return advance(game, state, events, repeat(chance))[0]


class Novice(Bot):
    """Chooses as `Greedy` does, with honest mistakes: the better a move looks among the others, the likelier it is."""

    def pick(self, game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        worth = imagined(game, seen, seat, legal, chance)
        # by the spread of the values and not by the game's unit, so that mistakes are as frequent in every game
        spread = (max(worth) - total(worth) / len(worth)) or 1.0
        weights = [exp(SURENESS * (value - max(worth)) / spread) for value in worth]
        drawn = chance.below(SEEDS) / SEEDS * total(weights)
        for move, weight in zip(legal, weights, strict=True):
            drawn -= weight
            if drawn < 0:
                return move
        return legal[-1]


class Eager(Bot):
    """Chooses the rarest kind of move, and among these as `Greedy` does: so it tries what other bots seldom do.

    The rarest kind is the one with the fewest moves in the list. The kind of the clock's default comes last.
    """

    def pick(self, game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        kinds = [kind_of(move) for move in legal]
        count = Counter(kinds)
        if len(count) == 1:
            return _greedy.pick(game, seen, seat, legal, chance)
        dull = kind_of(game.default(seen, seat))
        rarest = min((kind == dull, many) for kind, many in count.items())
        rare = tuple(move for move, kind in zip(legal, kinds, strict=True) if (kind == dull, count[kind]) == rarest)
        return _greedy.pick(game, seen, seat, rare, chance)


_greedy = Greedy()


def kind_of(move: Any) -> tuple[str, ...]:
    """Return the move's class name and the names of its True fields: a discard with reach is a kind of its own."""
    return (type(move).__name__, *(name for name in move.__struct_fields__ if getattr(move, name) is True))
