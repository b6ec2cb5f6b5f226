"""The laws for long: `make soak` plays 1 000 matches of random bots, 200 of greedy ones, 100 of eager ones and
100 of any a game, all laws on each."""

from __future__ import annotations

import pytest

from tests.laws.rooms import SLUGS
from tests.laws.table import play_match
from tests.laws.test_every_game import LAWS

RUNS = {"random": 1000, "greedy": 200, "eager": 100, "": 100}
BATCH = 100
"""Matches a test, so that several workers share them."""

batches = [(kind, start) for kind, runs in RUNS.items() for start in range(0, runs, BATCH)]


@pytest.mark.soak
@pytest.mark.parametrize(("kind", "start"), batches)
@pytest.mark.parametrize("slug", SLUGS)
def test_every_law_holds_in_match_after_match(slug: str, kind: str, start: int) -> None:
    for seed in range(start, start + BATCH):
        played = play_match(slug, seed, kind)
        assert played.truth.is_over
        for law in LAWS:
            law(played)
