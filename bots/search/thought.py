"""What a searcher returns: a thought. Bots, hints and analysis read thoughts, and nothing else of a search.

Its numbers are shares of the first place, which evaluations become by a curve that is fitted to matches of bots.
"""

from __future__ import annotations

from math import exp, inf, sqrt
from typing import Any

import msgspec

from domain.game import Game, Terms, total
from domain.tuning import Tuning


class Budget(msgspec.Struct, frozen=True):
    """How long to think: until either limit is reached. The same seed and the same worlds give the same thought."""

    seconds: float = inf
    worlds: float = inf


class Candidate(msgspec.Struct, frozen=True):
    """What was found out about a move."""

    move: Any
    visits: int
    """The number of worlds in which it was played on."""
    share: float
    """The mean share of the first place that followed, from 0 to 1."""
    behind: float
    """By how much its share was less than the best candidate's, in the worlds of both; 0 for the best one itself."""
    error: float
    """The standard error of `behind`."""
    points: float
    """The seat's mean points some moves later."""
    others: float
    """The mean points then of the best of the others."""
    terms: Terms
    """The mean of each part of the seat's evaluation then."""


class Thought(msgspec.Struct, frozen=True):
    """What a searcher thinks of a decision."""

    move: Any
    """The move to make. It is the greedy one, unless another one is clearly better."""
    candidates: tuple[Candidate, ...]
    """The moves that were looked at, the best one first."""
    worlds: int
    leaves: int
    """The positions at which a playing-on ended, or a look at one move."""


def mean(values: list[float]) -> float:
    """Return the mean; 0 if there are none."""
    return total(values) / len(values) if values else 0.0


def standard_error(values: list[float]) -> float:
    """Return the standard error of the mean; infinite for fewer than two values."""
    if len(values) < 2:
        return inf
    middle = mean(values)
    return sqrt(total((value - middle) ** 2 for value in values) / (len(values) - 1) / len(values))


UNTUNED = Tuning()
"""For games without numbers of their own."""


def shares(game: Game[Any, Any, Any], state: Any) -> list[float]:
    """Return for each seat the share of the first place that it may hope for; after the end, the one that it has."""
    standing = game.standing(state)
    if standing.over:
        return won_by(standing.ranking)
    seats = len(standing.points)
    tuning: Tuning = game.tuning or UNTUNED
    return softmax([game.evaluate(state, seat) for seat in range(seats)], tuning.scale_of(seats, game.progress(state)))


def won_by(ranking: tuple[int, ...]) -> list[float]:
    """Return each seat's share of the first place at the end: 1, 0, or a part for those who tie."""
    first = ranking.count(1)
    return [1 / first if place == 1 else 0.0 for place in ranking]


def softmax(worth: list[float], scale: float) -> list[float]:
    """Return numbers that add up to 1; one that is greater by `scale` gets e times as much."""
    most = max(worth)
    weights = [exp((value - most) / scale) for value in worth]
    whole = total(weights)
    return [weight / whole for weight in weights]
