"""What all others have agreed to takes effect when the last player who had not agreed no longer plays."""

from __future__ import annotations

import random

import pytest

from service.store import clocks as kept
from tests.service.clocks.test_ladder import HOURLY, late, opened
from tests.service.clocks.test_leaving import resign
from tests.service.clocks.timing import at, audit, kinds
from tests.service.house import House, each, step
from tests.service.matches.test_offers import GREEDY, accept, agree, offer, sits, stand_in


@pytest.mark.parametrize("goes", ["resign", "stand-in"])
def test_when_the_last_who_had_not_agreed_goes_the_match_is_broken_off(house: House, goes: str) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    each((ann, cid), match, "abort")
    assert ann.look(match)["status"] == "playing"
    answer = bob.post(f"/matches/{match}/{goes}", {} if goes == "stand-in" else None)
    assert (answer.status_code, answer.json["status"], answer.json["abort"]) == (200, "aborted", {"agreed": []})
    assert house.stranger.events(match)[-1]["public"]["reason"] == "agreement"
    audit(house, match)


def test_who_goes_while_others_have_not_agreed_or_nobody_is_left_ends_nothing(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    ann.post(f"/matches/{match}/abort")
    bob.post(f"/matches/{match}/stand-in", {})
    assert ann.look(match)["abort"] == {"agreed": [0]}
    ann.post(f"/matches/{match}/stand-in", {})
    cid.post(f"/matches/{match}/stand-in", {})
    assert house.stranger.look(match)["status"] == "playing", "nobody who plays themselves has agreed"


def test_when_the_last_who_had_not_agreed_goes_the_match_is_paused_or_resumed(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3, clock={"preset": "day"})
    each((ann, cid), match, "pause")
    assert resign(bob, match).json["pause"] == {"paused": True, "agreed": []}
    assert kinds(house, match)[-1] == "Paused"
    ann.post(f"/matches/{match}/resume")
    assert cid.post(f"/matches/{match}/stand-in", {}).json["pause"] == {"paused": False, "agreed": []}
    assert kinds(house, match)[-1] == "Resumed"
    audit(house, match)


def test_a_pause_of_the_operators_does_not_end_when_somebody_goes(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3, clock={"preset": "day"})
    each((ann, cid), match, "pause")
    house.operator.post(f"/matches/{match}/pause")
    house.service.recorder.write([kept.wish(match, seat, wish=True) for seat in (0, 2)])
    assert resign(bob, match).json["pause"]["paused"]


@pytest.mark.parametrize("to_bot", [False, True])
def test_when_the_last_who_had_not_agreed_goes_an_offered_seat_is_passed_on(house: House, to_bot: bool) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    eve = house.player("Eve")
    to = GREEDY if to_bot else eve
    offer(ann, match, to)
    agree(cid, match, 0, to)
    if not to_bot:
        accept(eve, match, 0)
    assert (sits(house, match, 0), stand_in(house, match, 0)) == (ann.id, None)
    assert resign(bob, match).status_code == 200
    assert (sits(house, match, 0), stand_in(house, match, 0)) == ((ann.id, "greedy") if to_bot else (eve.id, None))
    assert cid.get(f"/matches/{match}/offers").json == {"offers": []}
    audit(house, match)


def test_an_offer_that_can_not_be_followed_any_more_stands_in_no_other_one_s_way(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    eve = house.player("Eve")
    offer(ann, match, GREEDY)
    agree(cid, match, 0, GREEDY)
    assert ann.post(f"/matches/{match}/stand-in", {}).status_code == 200
    offer(cid, match, eve)
    accept(eve, match, 2)
    assert sits(house, match, 2) == cid.id
    assert resign(bob, match).status_code == 200
    assert sits(house, match, 2) == eve.id


def test_when_a_bot_gets_the_seat_of_the_last_who_had_not_agreed_the_match_is_broken_off(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    each((bob, cid), match, "abort")
    offer(ann, match, GREEDY)
    for player in (bob, cid):
        agree(player, match, 0, GREEDY)
    assert house.stranger.look(match)["status"] == "aborted"
    assert kinds(house, match)[-2:] == ["SeatHandedOver", "Aborted"]


def test_the_repeat_of_a_request_that_was_cut_off_settles_it_too(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    each((ann, cid), match, "abort")
    with monkeypatch.context() as patch:
        patch.setattr(house.service.leaving, "_left", lambda match: None)
        assert bob.post(f"/matches/{match}/resign", key="once").json["status"] == "playing"
    assert bob.post(f"/matches/{match}/resign", key="once").json["status"] == "aborted"


def test_when_the_clock_has_a_bot_play_for_the_last_who_had_not_agreed_the_match_is_broken_off(house: House) -> None:
    match, (ann, bob, cid) = opened(house, {**HOURLY, "defaults": 1}, seats=3)
    with at("04T12:10:00"):
        each((ann, cid), match, "abort")
    for hour in range(12, 20):
        with at(f"04T{hour}:30:00"):
            while step(match, [ann, cid], random.Random(1)):
                pass
            assert bob.look(match)["status"] == "playing"
        late(house, f"04T{hour + 1}:00:00", match)
        if "SeatHandedOver" in kinds(house, match):
            break
    assert house.stranger.look(match)["seats"][1]["stand_in"] == "greedy"
    assert kinds(house, match)[-1] == "Aborted"
    audit(house, match)
