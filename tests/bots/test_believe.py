"""What searchers believe of hands that they don't see."""

from __future__ import annotations

from statistics import mean

import pytest

from domain import matches
from domain.chance import Simulation
from tests.laws.rooms import room_of
from tests.laws.table import play_match


@pytest.mark.parametrize("slug", ["three-magic", "magicative"])
def test_hands_are_believed_to_be_about_as_good_as_they_are(slug: str) -> None:
    """Over a match of bots that look ahead, a hand is better than one that is imagined, and than few believed ones."""
    game = room_of(slug).game
    believe = game.believe
    assert believe is not None
    imagined: list[float] = []
    believed: list[float] = []
    for step in [step for seed in range(1, 5) for step in play_match(slug, seed, "greedy").positions[::29]]:
        for seat in matches.to_act(game, step.truth)[:1]:
            seen, other = step.seen[seat].table, 1 - min(seat, 1)
            true = game.evaluate(step.truth.table, other)
            for way, found in ((game.imagine, imagined), (believe, believed)):
                worths = [game.evaluate(way(seen, seat, Simulation(luck)), other) for luck in range(8)]
                found.append(mean([(worth < true) + (worth == true) / 2 for worth in worths]))
    assert mean(imagined) > 0.6, "players keep what fits"
    assert abs(mean(believed) - 0.5) < mean(imagined) - 0.5
    assert mean(believed) < mean(imagined) - 0.05
