"""Fits the numbers that turn evaluations into shares of the first place, to matches of greedy bots."""

from __future__ import annotations

import random
from collections.abc import Iterable
from concurrent.futures import Executor
from functools import partial
from math import log
from operator import mul
from typing import Any

import msgspec

from bots import BOTS
from bots.search.odds import softmax, weighed, won_by
from bots.simulate import play_out
from domain.catalogue import Catalogue
from domain.chance import Simulation
from domain.game import Terms, total
from domain.tuning import Tuning

SAMPLED = 12
"""The positions that are taken of a match."""
STEPS = tuple(0.5 * 1.2**step for step in range(45))
"""The scales that are tried, in the game's own unit."""
DESCENTS = 100
"""The steps to the weights of terms; three hundred more made results of Troll Master surprise less by 0.002 nats."""
BINS = 10
LEAST = 1e-6


class Position(msgspec.Struct, frozen=True):
    """A position of a match, and how the match ended."""

    progress: float
    terms: list[Terms]
    """The parts of each seat's evaluation by itself."""
    shares: list[float]
    """Each seat's share of the first place at the end."""


class Fit(msgspec.Struct, frozen=True):
    """A fit, and how well it predicts matches to which it was not fitted."""

    tuning: Tuning
    """Has either a `scale` or `weights`, for this number of seats."""
    seats: int
    matches: int
    loss: float
    """The mean surprise at who is first, in nats."""
    fair: float
    """The same if all seats are taken to be equal."""
    error: float
    """The expected calibration error: by how much the expected share is off, on average over ten bins."""


def positions(slug: str, seats: int, seed: str, number: int) -> list[Position]:
    """Play a match of greedy bots, and return some of its positions."""
    room = Catalogue().rooms[slug]
    game, pack = room.game, next(iter(room.packs.values())).pack
    states: list[Any] = []

    def watch(before: Any, seat: int | None, move: Any, events: tuple[Any, ...]) -> None:
        if seat is not None:
            states.append(before)

    bots = [BOTS["greedy"]] * seats
    ranking = play_out(game, pack, game.Options(), seats, bots, Simulation(f"{seed}:{number}"), watch=watch).ranking
    shares = won_by(ranking)
    chosen = random.Random(number).sample(states, min(SAMPLED, len(states)))
    return [
        Position(game.progress(state), [game.terms(state, seat) for seat in range(seats)], shares) for state in chosen
    ]


def fit(slug: str, seats: int, seed: str, matches: int, pool: Executor) -> tuple[Fit, ...]:
    """Fit a scale for all terms, and weights for each, to one half of the matches, and judge them by the other half."""
    found = list(pool.map(partial(positions, slug, seats, seed), range(matches)))
    known = [position for one in found[::2] for position in one]
    unknown = [position for one in found[1::2] for position in one]
    curves = (Tuning(scale=((seats, start, end),)) for start in STEPS for end in STEPS if end <= start)
    by_scale, by_weights = min(curves, key=partial(loss, known)), Tuning(weights=weights(known))
    return tuple(
        Fit(tuning, seats, matches, loss(unknown, tuning), log(seats), _error(unknown, tuning))
        for tuning in (by_scale, by_weights)
    )


def weights(found: list[Position]) -> tuple[tuple[int, str, float, float], ...]:
    """Return the weights of terms by which the results surprise least. There is one such point: it goes downhill."""
    names = sorted(found[0].terms[0])
    table = [(_parts(one, names), one.shares) for one in found]
    spread = [total(row[at] ** 2 for rows, _ in table for row in rows) or 1.0 for at in range(2 * len(names))]
    weights = [0.0] * len(spread)
    for _ in range(DESCENTS):
        slope = [0.0] * len(spread)
        for rows, shares in table:
            expected = softmax([total(map(mul, row, weights)) for row in rows], 1.0)
            for row, share, likely in zip(rows, shares, expected, strict=True):
                slope = [steep + (share - likely) * part for steep, part in zip(slope, row, strict=True)]
        weights = [weight + steep / wide for weight, steep, wide in zip(weights, slope, spread, strict=True)]
    ends = zip(names, weights, weights[len(names) :], strict=False)
    return tuple((len(found[0].shares), name, start, end) for name, start, end in ends)


def _parts(one: Position, names: list[str]) -> list[list[float]]:
    """Return of each seat how much more it has of each term than all on average, as of the start and as of the end."""
    means = {name: total(terms[name] for terms in one.terms) / len(one.terms) for name in names}
    halves = (1 - one.progress, one.progress)
    return [[(terms[name] - means[name]) * half for half in halves for name in names] for terms in one.terms]


def _expected(one: Position, tuning: Tuning) -> list[float]:
    if weights := tuning.weights_of(len(one.terms), one.progress):
        return softmax([weighed(terms, weights) for terms in one.terms], 1.0)
    return softmax([total(terms.values()) for terms in one.terms], tuning.scale_of(len(one.terms), one.progress))


def loss(found: list[Position], tuning: Tuning) -> float:
    """Return the mean surprise at who was first, in nats."""
    return total(
        -share * log(max(LEAST, likely))
        for one in found
        for likely, share in zip(_expected(one, tuning), one.shares, strict=True)
    ) / len(found)


def _error(found: list[Position], tuning: Tuning) -> float:
    return calibration_error(pair for one in found for pair in zip(_expected(one, tuning), one.shares, strict=True))


def calibration_error(pairs: Iterable[tuple[float, float]]) -> float:
    """Return how much expected shares differ from the actual ones, on average over ten bins of equal width."""
    bins: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for expected, came in pairs:
        bins[min(BINS - 1, int(expected * BINS))].append((expected, came))
    count = sum(map(len, bins))
    return total(abs(total(expected - came for expected, came in one)) for one in bins) / count
