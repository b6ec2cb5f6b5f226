"""From evaluations to shares of the first place, by a curve that is fitted to matches of bots."""

from __future__ import annotations

from math import exp
from typing import Any

from domain.game import Game, total
from domain.tuning import Tuning

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
