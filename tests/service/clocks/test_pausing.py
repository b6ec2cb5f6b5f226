"""Time is stopped by agreement or by the operator, and runs again; or the match ends."""

from __future__ import annotations

import pytest
from flask import Flask

from service.store import Statement
from tests.service.clocks.test_ladder import HOURLY, late, opened
from tests.service.clocks.timing import at, audit, kinds
from tests.service.house import Answer, House, Visitor
from tests.service.matches.test_other_rules import released


def pause(visitor: Visitor, match: str, key: str | None = None) -> Answer:
    return visitor.post(f"/matches/{match}/pause", key=key)


def resume(visitor: Visitor, match: str) -> Answer:
    return visitor.post(f"/matches/{match}/resume")


def test_a_match_is_paused_once_all_have_agreed_and_nothing_is_due_until_it_is_resumed(house: House) -> None:
    match, players = opened(house, HOURLY, game="three-magic", seats=3)
    tag = house.stranger.get(f"/matches/{match}").headers["ETag"]
    with at("04T12:30:00"):
        for agreed, player in enumerate(players, 1):
            answer = pause(player, match)
            assert answer.status_code == 200, answer.json
            is_last = agreed == len(players)
            assert answer.json["pause"] == {"paused": is_last, "agreed": [] if is_last else list(range(agreed))}
            assert house.stranger.get(f"/matches/{match}").headers["ETag"] != tag
        assert kinds(house, match)[-1] == "Paused"
        assert answer.json["deadlines"] == []
        assert {one.due for one in house.service.recorder.decisions(match=match)} == {""}
        assert pause(players[0], match).json["code"] == "paused"
    version = house.stranger.look(match)["version"]
    late(house, "05T12:30:00", match)
    assert house.stranger.look(match)["version"] == version
    with at("05T12:30:00"):
        for player in players:
            answer = resume(player, match)
        assert answer.json["pause"] == {"paused": False, "agreed": []}
        (due,) = {one["due"] for one in answer.json["deadlines"]}
        assert due == "2126-03-05T13:00:00.000Z"
        assert resume(players[0], match).json["code"] == "not-paused"
    (told,) = [event for event in house.stranger.events(match) if event["type"] == "match/Resumed"]
    assert told["public"]["length"] == 24 * 3_600_000
    late(house, "05T12:59:59", match)
    assert kinds(house, match)[-1] == "Resumed"
    audit(house, match)


def test_who_is_asked_within_a_pause_has_all_its_time_afterwards(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY, pack="flat")
    with at("04T12:10:00"):
        pause(ann, match)
        pause(bob, match)
    with at("04T15:00:00"):
        for player in (ann, bob):
            assert player.move(match, {"type": "SetAside", "card": 1}).status_code == 200
        assert house.stranger.look(match)["sealed"]
        assert ann.events(match, private=True) == []
    with at("04T16:00:00"):
        resume(ann, match)
        resume(bob, match)
        for player in (ann, bob):
            assert player.look(match)["deadlines"][0]["due"] == "2126-03-04T16:10:00.000Z"
    audit(house, match)


def test_an_endless_pause_ends_the_match_and_opens_it(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    with at("04T12:10:00"):
        pause(ann, match)
        pause(bob, match)
    house.service.recorder.write([Statement("UPDATE pauses SET due = '2126-03-09T12:00:00.000Z'")])
    late(house, "09T11:59:59", match)
    assert house.stranger.look(match)["status"] == "playing"
    late(house, "09T12:00:00", match)
    look = house.stranger.look(match)
    assert (look["status"], look["pause"]["agreed"]) == ("aborted", [])
    assert house.stranger.events(match)[-1]["public"]["reason"] == "pause"
    assert all(None not in place["hand"] for place in look["view"]["places"])
    assert house.service.recorder.find_everywhere("SELECT 1 FROM pauses WHERE partition = :partition") == []
    audit(house, match)


def test_a_pause_of_which_the_tables_know_nothing_can_be_ended_and_gives_no_time(house: House) -> None:
    match, players = opened(house, HOURLY)
    with at("04T12:10:00"):
        for player in players:
            pause(player, match)
    house.service.recorder.write([Statement("DELETE FROM pauses")])
    with at("04T12:20:00"):
        for player in players:
            assert resume(player, match).status_code == 200
    assert house.stranger.events(match)[-1]["public"] == {"length": 0}
    audit(house, match)


def test_who_agrees_no_longer_or_has_given_the_seat_up_is_not_asked_and_an_operator_pauses_alone(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    with at("04T12:10:00"):
        pause(ann, match)
        assert ann.delete(f"/matches/{match}/pause").json["pause"]["agreed"] == []
        assert pause(bob, match).json["pause"] == {"paused": False, "agreed": [1]}
        assert "Paused" not in kinds(house, match)
        assert pause(house.operator, match).json["pause"]["paused"]
        for player in (ann, bob):
            assert resume(player, match).json["code"] == "paused-by-operator"
        assert not resume(house.operator, match).json["pause"]["paused"]
        ann.post(f"/matches/{match}/resign")
        refused = pause(ann, match).json
        assert (refused["code"], refused["fields"]) == ("resigned", {"seat": 0})
        assert pause(bob, match).json["pause"]["paused"], "nobody else is asked"
    audit(house, match)


def test_a_match_without_a_clock_has_nothing_to_pause_and_strangers_pause_none(house: House) -> None:
    match, (ann, _) = house.table()
    assert pause(ann, match).json["code"] == "no-clock"
    timed, _ = opened(house, HOURLY)
    assert pause(ann, timed).json["code"] == "not-seated"
    private = house.player().open(visibility="private", clock=HOURLY)
    for answer in (pause(ann, private), resume(ann, private), ann.delete(f"/matches/{private}/pause")):
        assert answer.json["code"] == "unknown-match"


@pytest.mark.parametrize("is_paused", [True, False])
def test_a_match_whose_rules_are_not_at_hand_is_left_alone_whatever_is_due(
    house: House, elsewhere: Flask, *, is_paused: bool
) -> None:
    match, players = opened(house, HOURLY)
    with at("04T12:10:00"):
        for player in players if is_paused else ():
            player.post(f"/matches/{match}/pause")
    before = house.stranger.look(match)["version"]
    with released(house, elsewhere) as later, at("04T23:00:00"):
        answer = later.worker.post("/clocks", {"matches": [match]})
        assert answer.json == {"matches": [{"match": match, "problem": "other-rules"}]}
        assert later.again(players[0]).post(f"/matches/{match}/resign").json["code"] == "other-rules"
        assert later.stranger.look(match)["version"] == before
