"""What went where between two scenes: alike things, each only once."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from tests.replays.table.moments import DRAWN, Json, match_of, scene_of
from tests.replays.table.served import Opened, called

pytestmark = pytest.mark.browser

MATCHED = "(a, b) => foldtable.matched(a, b)"


@pytest.mark.parametrize("slug", DRAWN)
def test_in_whole_matches_nothing_is_two_things_and_all_that_changed_is_told(opened: Opened, slug: str) -> None:
    page = opened(slug)
    played = match_of(slug)
    travelled = 0
    for viewer in (0, None):
        scenes = [scene_of(played, step, viewer) for step in played.positions[:50]]
        for before, after in pairwise(scenes):
            told = page.value(called(MATCHED, before, after))
            check(before, after, told)
            travelled += len(told["flights"])
    assert travelled >= 4


def counts(scene: Json) -> Counter[str]:
    """How many lie at each id."""

    def within(pieces: list[Json]) -> list[Json]:
        return [one for piece in pieces for one in (piece, *within(piece.get("on", [])))]

    return Counter({one["id"]: one.get("count", 1) for zone in scene["zones"] for one in within(zone["pieces"])})


def check(before: Json, after: Json, told: Json) -> None:
    """From no place more than lay there, to none more than lie there, and nowhere twice over."""
    left, come = Counter[str](), Counter[str]()
    for flight in told["flights"]:
        assert flight["from"] != flight["to"]
        assert flight["count"] > 0
        left[flight["from"]] += flight["count"]
        come[flight["to"]] += flight["count"]
    assert not left - counts(before)
    assert not come - counts(after)
    assert (
        not {*told["fresh"], *told["turns"]} & come.keys() & {one for one, count in counts(after).items() if count == 1}
    )
    assert {*told["gone"]} <= counts(before).keys() - counts(after).keys()
    for id in counts(after).keys() - counts(before).keys():
        assert id in come or id in told["fresh"] or is_still(after, id)


def is_still(scene: Json, id: str) -> bool:
    """Whether it is a place or a sheet, which don't travel."""
    return any(
        piece["id"] == id and piece["kind"] in {"space", "sheet"} for zone in scene["zones"] for piece in zone["pieces"]
    )


def test_a_card_set_aside_travels_before_every_eye(opened: Opened) -> None:
    page = opened()
    played = match_of("high-card")
    steps = played.positions
    for step, after in pairwise(steps):
        if type(step.move).__name__ != "SetAside":
            continue
        for viewer in (step.seat, None, 1 - (step.seat or 0)):
            told = page.value(called(MATCHED, scene_of(played, step, viewer), scene_of(played, after, viewer)))
            arrivals = [one for one in told["flights"] if one["to"] == f"seat.{step.seat}/aside/0"]
            assert [one["from"].startswith(f"seat.{step.seat}/hand/") for one in arrivals] == [True]
            assert arrivals[0]["turned"] is False
