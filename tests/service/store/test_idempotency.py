"""A request sent twice counts once, and a repeat gets the first success again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory

from tests.service.house import House, refusal
from tests.service.stored import rows

BODY = {"game": "high-card", "seats": [None, None]}


def test_a_key_is_a_players_own_for_one_route_and_one_body(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match, other = (visitor.post("/matches", BODY, key="a").json["id"] for visitor in (ann, bob))
    assert match != other
    for path in (match, other):
        assert ann.post(f"/matches/{path}/seats", key="a").status_code == 200
    again = ann.post("/matches", BODY, key="a").json
    assert (again["id"], again["seat"], again["version"]) == (match, 0, 2), "answered afresh"
    for body in ({**BODY, "seats": [None] * 3}, {"nonsense": 1}):
        assert refusal(ann.post("/matches", body, key="a")) == (422, "idempotency-key-reused")


def test_a_move_sent_twice_counts_once(house: House) -> None:
    match, (ann, bob) = house.table()
    now = ann.moves(match)
    chosen = now["moves"][0]["id"]
    assert ann.move(match, "raise", now["decision"], key="k").status_code == 409, "it may be mended under the same key"
    first, again = (ann.move(match, chosen, now["decision"], key="k") for _ in range(2))
    assert (first.status_code, first.json) == (again.status_code, again.json)
    assert refusal(ann.move(match, "raise", now["decision"], key="k")) == (422, "idempotency-key-reused")
    closed = ann.move(match, chosen, now["decision"])
    assert refusal(closed) == (409, "decision-closed")
    assert closed.json["open"] == ann.moves(match)
    bob.choose(match)
    late = ann.move(match, chosen, now["decision"], key="k").json
    assert (late["version"], late["events"]) == (first.json["version"], first.json["events"])
    assert late["decision"] == ann.moves(match)["decision"], "what is open is told as it is now"


def test_moves_are_remembered_for_ever_and_the_rest_for_a_day(frozen: FrozenDateTimeFactory, house: House) -> None:
    match, (ann, _) = house.table()
    now = ann.moves(match)
    moved = ann.move(match, now["moves"][0]["id"], now["decision"], key="k").json
    opened = ann.post("/matches", BODY, key="k").json
    assert house.stranger.look(match)["created"] == "2026-03-01T12:00:00.000Z"
    assert house.stranger.events(match)[0]["at"] == "2026-03-01T12:00:00.000Z"
    frozen.tick(timedelta(hours=23, minutes=59))
    assert ann.post("/matches", BODY, key="k").json["id"] == opened["id"]
    frozen.tick(timedelta(minutes=2))
    assert ann.post("/matches", BODY, key="k").json["id"] != opened["id"]
    assert ann.move(match, now["moves"][0]["id"], now["decision"], key="k").json == moved


@pytest.mark.sqlite
def test_what_is_older_than_a_day_is_forgotten(frozen: FrozenDateTimeFactory, house: House) -> None:
    for hour in range(3):
        house.stranger.post("/players", {"name": "Ann"}, key=f"k{hour}")
        frozen.tick(timedelta(hours=23))
    assert rows(house.service, "SELECT count(*) FROM requests") == [(2,)]
