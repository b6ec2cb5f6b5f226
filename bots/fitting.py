"""Fits the curve that turns evaluations into shares of the first place, to matches of greedy bots."""

from __future__ import annotations

import random
from collections.abc import Iterable
from concurrent.futures import Executor
from functools import partial
from math import log
from typing import Any

import msgspec

from bots import BOTS
from bots.search.thought import softmax, won_by
from bots.simulate import play_out
from domain.catalogue import Catalogue
from domain.chance import Simulation
from domain.game import total
from domain.tuning import Tuning

SAMPLED = 12
"""The positions that are taken of a match."""
STEPS = tuple(0.5 * 1.2**step for step in range(45))
"""The scales that are tried, in the game's own unit."""
BINS = 10
LEAST = 1e-6


class Position(msgspec.Struct, frozen=True):
    """A position of a match, and how the match ended."""

    progress: float
    worth: list[float]
    """Each seat's evaluation by itself."""
    shares: list[float]
    """Each seat's share of the first place at the end."""


class Fit(msgspec.Struct, frozen=True):
    """A fitted curve, and how well it predicts matches to which it was not fitted."""

    seats: int
    matches: int
    start: float
    end: float
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
        Position(game.progress(state), [game.evaluate(state, seat) for seat in range(seats)], shares)
        for state in chosen
    ]


def fit(slug: str, seats: int, seed: str, matches: int, pool: Executor) -> Fit:
    """Fit the curve to one half of the matches, and judge it by the other half."""
    found = list(pool.map(partial(positions, slug, seats, seed), range(matches)))
    known = [position for one in found[::2] for position in one]
    unknown = [position for one in found[1::2] for position in one]
    start, end = min(((a, b) for a in STEPS for b in STEPS if b <= a), key=lambda ends: loss(known, *ends))
    return Fit(
        seats=seats,
        matches=matches,
        start=start,
        end=end,
        loss=loss(unknown, start, end),
        fair=log(seats),
        error=calibration_error(
            pair for one in unknown for pair in zip(_expected(one, start, end), one.shares, strict=True)
        ),
    )


def _expected(position: Position, start: float, end: float) -> list[float]:
    scale = Tuning(scale=((len(position.worth), start, end),)).scale_of(len(position.worth), position.progress)
    return softmax(position.worth, scale)


def loss(found: list[Position], start: float, end: float) -> float:
    """Return the mean surprise at who was first, in nats."""
    return total(
        -share * log(max(LEAST, likely))
        for one in found
        for likely, share in zip(_expected(one, start, end), one.shares, strict=True)
    ) / len(found)


def calibration_error(pairs: Iterable[tuple[float, float]]) -> float:
    """Return how much expected shares differ from the actual ones, on average over ten bins of equal width."""
    bins: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for expected, came in pairs:
        bins[min(BINS - 1, int(expected * BINS))].append((expected, came))
    count = sum(map(len, bins))
    return total(abs(total(expected - came for expected, came in one)) for one in bins) / count
