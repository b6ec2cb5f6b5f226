"""What went where between two scenes: alike things, each only once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.browser import Browser
from tests.replays.table.moments import DRAWN, Json, match_of, scene_of
from tests.replays.table.served import called

pytestmark = pytest.mark.browser

Opened = Callable[..., Browser]
MATCHED = "(a, b) => foldtable.matched(a, b)"


def scene(*zones: tuple[str, str], seat: int | None = None) -> Json:
    """Zones of cards, a letter each; `?` lies face down, a figure is a stack of so many that do."""
    return {
        "line": "",
        "turn": [],
        "zones": [
            {"id": id, "kind": "row", "title": id, "pieces": [piece(f"{id}/{at}", one) for at, one in enumerate(cards)]}
            for id, cards in zones
        ],
    }


def piece(id: str, one: str) -> Json:
    if one == "?" or one.isdecimal():
        count = int(one) if one.isdecimal() else 1
        return {"id": id, "kind": "card", "label": "", "title": "a back", "face": "down", "count": count}
    kind = "token" if one.islower() else "card"
    return {"id": id, "kind": kind, "label": one, "title": f"a {one}"}


def ways(told: Json) -> list[tuple[str, str, bool, bool]]:
    return [(one["from"], one["to"], one["turned"], one["stacked"]) for one in told["flights"]]


def test_a_card_that_is_played_travels_and_those_behind_it_close_up(opened: Opened) -> None:
    told = opened().value(called(MATCHED, scene(("hand", "ABC"), ("row", "")), scene(("hand", "AC"), ("row", "B"))))
    assert ways(told) == [("hand/2", "hand/1", False, False), ("hand/1", "row/0", False, False)]
    assert (told["turns"], told["fresh"], told["gone"], told["counted"]) == ([], [], [], [])


def test_a_face_that_is_told_turns_over_on_the_way(opened: Opened) -> None:
    told = opened().value(called(MATCHED, scene(("hand", "???"), ("row", "A")), scene(("hand", "??"), ("row", "AB"))))
    assert ways(told) == [("hand/2", "row/1", True, False)]


def test_what_lies_where_it_lay_turns_over_there(opened: Opened) -> None:
    told = opened().value(called(MATCHED, scene(("row", "A?")), scene(("row", "AB"))))
    assert (ways(told), told["turns"]) == ([], ["row/1"])


def test_a_stack_gives_as_many_as_it_lost(opened: Opened) -> None:
    before, after = (
        scene(("deck", "5"), ("hand", "?"), ("own", "A")),
        scene(("deck", "3"), ("hand", "??"), ("own", "AB")),
    )
    told = opened().value(called(MATCHED, before, after))
    assert sorted(ways(told)) == [("deck/0", "hand/1", False, False), ("deck/0", "own/1", True, False)]
    assert told["counted"] == ["deck/0"]
    told = opened().value(called(MATCHED, scene(("deck", "5"), ("own", "A")), scene(("deck", "4"), ("own", "ABC"))))
    assert ways(told) == [("deck/0", "own/1", True, False)]
    assert told["fresh"] == ["own/2"]


def test_what_joins_a_stack_is_one_of_it(opened: Opened) -> None:
    told = opened().value(called(MATCHED, scene(("hand", "??"), ("pile", "4")), scene(("hand", ""), ("pile", "6"))))
    assert sorted(ways(told)) == [("hand/0", "pile/0", False, True), ("hand/1", "pile/0", False, True)]


def test_no_two_become_one_and_other_kinds_are_other_things(opened: Opened) -> None:
    told = opened().value(called(MATCHED, scene(("a", "BB"), ("b", "")), scene(("a", ""), ("b", "B"))))
    assert ways(told) == [("a/0", "b/0", False, False)]
    assert told["gone"] == ["a/1"]
    told = opened().value(called(MATCHED, scene(("a", "x"), ("b", "")), scene(("a", ""), ("b", "Y"))))
    assert (ways(told), told["gone"], told["fresh"]) == ([], ["a/0"], ["b/0"])


def test_a_token_that_says_another_number_is_the_same_token(opened: Opened) -> None:
    told = opened().value(called(MATCHED, scene(("a", "x"), ("b", "y")), scene(("a", "y"), ("b", "x"))))
    assert (ways(told), told["changed"]) == ([], ["a/0", "b/0"])


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
