"""How tables are drawn: told when asked for, as the asker may see it, with the players' names."""

from __future__ import annotations

from typing import Any

from tests.service.house import House, Visitor
from tests.service.streams.reading import NDJSON, reading


def scene_of(visitor: Visitor, match: str) -> Any:
    """The match's scene now."""
    return visitor.get(f"/matches/{match}", scene="true").get_json()["scene"]


def test_a_scene_is_told_to_who_asks_for_it_and_shows_their_own_cards_alone(house: House) -> None:
    match, (ann, bob) = house.table()
    assert "scene" not in ann.look(match)
    for seat, (mine, theirs) in enumerate(((ann, bob), (bob, ann))):
        hands = {zone["id"]: zone for zone in scene_of(mine, match)["zones"] if zone["kind"] == "hand"}
        own = hands[f"seat.{seat}/hand"]["pieces"]
        assert [card["label"] for card in own] == [
            str(card) for card in mine.look(match)["view"]["places"][seat]["hand"]
        ]
        others = next(zone for zone in scene_of(theirs, match)["zones"] if zone["id"] == f"seat.{seat}/hand")
        assert {card["face"] for card in others["pieces"]} == {"down"}
        assert {card["label"] for card in others["pieces"]} == {""}


def test_each_event_tells_the_scene_after_it_where_the_table_has_changed(house: House) -> None:
    match, (ann, bob) = house.table()
    ann.move(match, ann.moves(match)["moves"][0]["id"])
    for asker in (ann, bob, house.stranger):
        events = asker.get(f"/matches/{match}/events", scenes="true", limit=1000).get_json()["events"]
        told = {one["version"]: one["scene"] for one in events}
        shown = None
        for version, scene in told.items():
            then = asker.get(f"/matches/{match}/at/{version}", scene="true").get_json()["scene"]
            shown = shown if scene is None else scene
            assert then == shown, version
        assert shown == scene_of(asker, match)
        assert sum(scene is not None for scene in told.values()) > 3
        after = len(events) - 2
        with reading(house.again(asker), f"/matches/{match}/events", NDJSON, after=after, scenes="true") as stream:
            assert [one["scene"] for one in stream.told(2)] == [told[after + 1], told[after + 2]]
