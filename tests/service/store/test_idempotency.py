"""A request sent twice counts once, and a repeat gets the first success again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory

from service.config import Config
from tests.service.house import House, Visitor, build
from tests.service.stored import rows


@pytest.fixture
def frozen() -> Iterator[FrozenDateTimeFactory]:
    with freeze_time("2026-03-01T12:00:00Z") as time:
        assert isinstance(time, FrozenDateTimeFactory)
        yield time


def test_a_repeat_is_answered_afresh(house: House) -> None:
    ann = house.player()
    body = {"game": "high-card", "seats": [None, None]}
    match = ann.post("/matches", body, key="a").json["id"]
    ann.sit(match)
    again = ann.post("/matches", body, key="a").json
    assert (again["id"], again["seat"], again["version"]) == (match, 0, 2)


def test_another_body_under_the_same_key_is_refused(house: House) -> None:
    ann = house.player()
    ann.post("/matches", {"game": "high-card", "seats": [None, None]}, key="a")
    for body in ({"game": "high-card", "seats": [None] * 3}, {"nonsense": 1}):
        answer = ann.post("/matches", body, key="a")
        assert (answer.status_code, answer.json["code"]) == (422, "idempotency-key-reused")


def test_keys_are_everybodys_own_and_each_routes(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    body = {"game": "high-card", "seats": [None, None]}
    match, other = (visitor.post("/matches", body, key="a").json["id"] for visitor in (ann, bob))
    assert match != other
    assert ann.post(f"/matches/{match}/seats", key="a").status_code == 200
    assert ann.post(f"/matches/{other}/seats", key="a").status_code == 200


def test_what_hands_out_a_token_answers_a_repeat_with_409(house: House) -> None:
    first, again = (house.stranger.post("/players", {"name": "Ann"}, key="k") for _ in range(2))
    assert first.status_code == 201
    assert (again.status_code, again.json["code"]) == (409, "token-already-issued")
    ann = Visitor(house.stranger.client, first.json["token"])
    first, again = (ann.post("/me/tokens", {"name": "second"}, key="k") for _ in range(2))
    assert (first.status_code, again.json["code"]) == (201, "token-already-issued")
    assert len(ann.get("/me/tokens").json["tokens"]) == 2


def test_a_move_sent_twice_counts_once(house: House) -> None:
    match, (ann, bob) = house.table()
    now = ann.moves(match)
    first, again = (ann.move(match, now["moves"][0]["id"], now["decision"], key="k") for _ in range(2))
    assert (first.status_code, first.json) == (again.status_code, again.json)
    bob.move(match, bob.moves(match)["moves"][0]["id"])
    late = ann.move(match, now["moves"][0]["id"], now["decision"], key="k").json
    assert (late["version"], late["events"]) == (first.json["version"], first.json["events"])
    assert late["decision"] == ann.moves(match)["decision"], "what is open is told as it is now"


def test_an_answer_under_seal_sent_twice_counts_once(house: House) -> None:
    match, players = house.table(pack="flat")
    for player in players:
        player.move(match, {"type": "SetAside", "card": 1})
    ann, bob = players
    decision = ann.moves(match)["decision"]
    first, again = (ann.move(match, "raise", decision, key="k") for _ in range(2))
    assert first.json == again.json
    bob.move(match, "raise")
    late = ann.move(match, "raise", decision, key="k").json
    assert (late["version"], late["events"], late["sealed"]) == (decision, [], first.json["sealed"])


def test_the_key_of_a_move_is_never_another_moves(house: House) -> None:
    match, (ann, _) = house.table()
    now = ann.moves(match)
    ann.move(match, now["moves"][0]["id"], now["decision"], key="k")
    answer = ann.move(match, "raise", now["decision"], key="k")
    assert (answer.status_code, answer.json["code"]) == (422, "idempotency-key-reused")


def test_a_repeat_without_a_key_finds_the_decision_closed(house: House) -> None:
    match, (ann, _) = house.table()
    now = ann.moves(match)
    ann.move(match, now["moves"][0]["id"], now["decision"])
    answer = ann.move(match, now["moves"][0]["id"], now["decision"])
    assert (answer.status_code, answer.json["code"]) == (409, "decision-closed")
    assert answer.json["open"] == ann.moves(match)


def test_a_refused_move_may_be_mended_under_the_same_key(house: House) -> None:
    match, (ann, _) = house.table()
    now = ann.moves(match)
    assert ann.move(match, "raise", now["decision"], key="k").status_code == 409
    assert ann.move(match, now["moves"][0]["id"], now["decision"], key="k").status_code == 200


def test_moves_are_remembered_for_ever_and_the_rest_for_a_day(frozen: FrozenDateTimeFactory, house: House) -> None:
    body = {"game": "high-card", "seats": [None, None]}
    match, (ann, _) = house.table()
    now = ann.moves(match)
    moved = ann.move(match, now["moves"][0]["id"], now["decision"], key="k").json
    opened = ann.post("/matches", body, key="k").json
    frozen.tick(timedelta(hours=23, minutes=59))
    assert ann.post("/matches", body, key="k").json["id"] == opened["id"]
    frozen.tick(timedelta(minutes=2))
    assert ann.post("/matches", body, key="k").json["id"] != opened["id"]
    assert house.stranger.post("/players", {"name": "Ann"}, key="k").status_code == 201
    assert ann.move(match, now["moves"][0]["id"], now["decision"], key="k").json == moved


@pytest.mark.sqlite
def test_what_is_older_than_a_day_is_forgotten(frozen: FrozenDateTimeFactory, house: House) -> None:
    for hour in range(3):
        house.stranger.post("/players", {"name": "Ann"}, key=f"k{hour}")
        frozen.tick(timedelta(hours=23))
    assert rows(house.service, "SELECT count(*) FROM requests") == [(2,)]


def test_times_are_told_in_utc_with_milliseconds(frozen: FrozenDateTimeFactory, house: House) -> None:
    match = house.player().open()
    assert house.stranger.look(match)["created"] == "2026-03-01T12:00:00.000Z"
    assert house.stranger.events(match)[0]["at"] == "2026-03-01T12:00:00.000Z"


def test_keys_survive_the_process(config: Config) -> None:
    first = build(config)
    match, (ann, _) = House(first).table()
    now = ann.moves(match)
    moved = ann.move(match, now["moves"][0]["id"], now["decision"], key="k").json
    first.close()
    second = build(config)
    again = House(second).again(ann).move(match, now["moves"][0]["id"], now["decision"], key="k")
    assert again.json == moved
    second.close()
