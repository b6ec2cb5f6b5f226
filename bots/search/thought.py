"""What a searcher returns: a thought. Bots, hints and analysis read thoughts, and nothing else of a search."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

import msgspec

from domain.game import Terms, total


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
