"""Time that does not count: pauses and outages, each given once; and what takes effect when the last to agree goes."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import msgspec
import pytest

from service.config import Config
from service.store import Statement
from service.store import clocks as kept
from tests.service.clocks.test_ladder import HOURLY, late, opened
from tests.service.clocks.test_leaving import resign
from tests.service.clocks.timing import at, audit, fire, kinds
from tests.service.house import Answer, House, Visitor, beside, build, each, set_aside, step
from tests.service.matches.test_offers import GREEDY, accept, agree, offer, sits, stand_in
from tests.service.matches.test_other_rules import released
from tests.service.together import at_once, meanwhile


def pause(visitor: Visitor, match: str) -> Answer:
    return visitor.post(f"/matches/{match}/pause")


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
        answer = each(players, match, "resume")
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
    match, players = opened(house, HOURLY, pack="flat")
    with at("04T12:10:00"):
        each(players, match, "pause")
    with at("04T15:00:00"):
        set_aside(match, players)
        assert house.stranger.look(match)["sealed"]
        assert players[0].events(match, private=True) == []
    with at("04T16:00:00"):
        each(players, match, "resume")
        for player in players:
            assert player.look(match)["deadlines"][0]["due"] == "2126-03-04T16:10:00.000Z"
    audit(house, match)


def test_an_endless_pause_ends_the_match_and_opens_it(house: House) -> None:
    match, players = opened(house, HOURLY)
    with at("04T12:10:00"):
        each(players, match, "pause")
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


def test_who_agrees_no_longer_or_has_given_the_seat_up_is_not_asked_and_an_operator_pauses_alone(house: House) -> None:
    match, (ann, bob) = opened(house, {**HOURLY, "resignation": "bot"})
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


def test_nobody_pauses_a_match_with_an_agreement_that_is_withdrawn_at_the_same_moment(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    there = House(beside(house.service)).again(ann)
    with at("04T12:10:00"):
        pause(ann, match)
        # between what Bob's pause reads and what it writes
        with meanwhile(lambda: there.delete(f"/matches/{match}/pause"), house.service.pausing, "_paused", after=True):
            assert pause(bob, match).json["pause"] == {"paused": False, "agreed": [1]}
    assert "Paused" not in kinds(house, match)


def test_a_match_without_a_clock_has_nothing_to_pause_and_strangers_pause_none(house: House) -> None:
    match, (ann, _) = house.table()
    assert pause(ann, match).json["code"] == "no-clock"
    timed, _ = opened(house, HOURLY)
    assert pause(ann, timed).json["code"] == "not-seated"


@pytest.mark.parametrize("is_paused", [True, False])
def test_a_match_whose_rules_are_not_at_hand_is_left_alone_whatever_is_due(house: House, *, is_paused: bool) -> None:
    match, players = opened(house, HOURLY)
    with at("04T12:10:00"):
        if is_paused:
            each(players, match, "pause")
    before = house.stranger.look(match)["version"]
    with released(house) as later, at("04T23:00:00"):
        answer = later.worker.post("/clocks", {"matches": [match]})
        assert answer.json == {"matches": [{"match": match, "problem": "other-rules"}]}
        assert later.again(players[0]).post(f"/matches/{match}/resign").json["code"] == "other-rules"
        assert later.stranger.look(match)["version"] == before


def due(house: House, match: str) -> set[str]:
    return {one["due"][11:19] for one in house.stranger.look(match)["deadlines"]}


def outages(house: House) -> list[tuple[object, ...]]:
    """Those since the tests' century began: the house was built in ours."""
    return house.service.recorder.find(Statement("SELECT began, ended FROM outages WHERE began > '2126' ORDER BY id"))


TIMELINES = msgspec.yaml.decode(Path(__file__).with_name("timelines.yaml").read_bytes())


@pytest.mark.parametrize("name", TIMELINES)
def test_what_an_outage_took_is_given_once(house: House, name: str) -> None:
    timeline, (match, players) = TIMELINES[name], opened(house, HOURLY)
    for moment, deed in map(str.split, timeline["happens"]):
        with at(f"04T{moment if moment.count(':') == 2 else f'{moment}:00'}"):
            if deed in {"sign", "fire"}:
                fire(house, *([match] if deed == "fire" else []))
            elif deed == "forget":
                house.service.recorder.write([Statement("DELETE FROM pauses")])
            elif deed == "move":
                players[0].choose(match)
            else:
                each(players, match, deed)
            shown = due(house, match)
    assert shown == ({timeline["due"]} if timeline["due"] else set())
    told = [event["public"].get("length") for event in house.stranger.events(match)]
    assert [length for length in told if length is not None] == timeline["later"]
    audit(house, match)


def test_who_was_asked_within_an_outage_is_given_what_was_left_of_it(house: House) -> None:
    with at("04T10:00:00"):
        fire(house)
    with at("04T12:00:00"):
        match, _ = house.table(clock=HOURLY)
        sealed, players = house.table(clock=HOURLY, pack="flat")
        set_aside(sealed, players)
        players[0].move(sealed, "raise")
    with at("04T12:20:00"):
        fire(house, match, sealed)
        assert due(house, match) == {"13:20:00"}
        assert kinds(house, sealed)[-1] == "OutageExtended", "also under seal, whoever was asked"
        assert due(house, sealed) == set()
        shown = [player.look(sealed)["deadlines"] for player in players]
        assert [[one["due"] for one in deadlines] for deadlines in shown] == [[], ["2126-03-04T12:30:00.000Z"]]
        assert [turn["due"] for turn in players[1].get("/me/turns").json["turns"]] == ["2126-03-04T12:30:00.000Z"]
    assert outages(house) == [("2126-03-04T10:00:00.000Z", "2126-03-04T12:20:00.000Z")]
    audit(house, match)


def test_the_sign_of_life_is_written_no_oftener_than_every_two_seconds_and_is_of_no_day_to_come(house: House) -> None:
    signs = []
    for moment in ("04T12:00:00", "04T12:00:02", "04T12:00:02.001", "04T12:00:03"):
        with at(moment):
            fire(house)
            signs += house.service.recorder.find(Statement("SELECT at FROM pulse"))
    assert [str(sign)[17:23] for (sign,) in signs] == ["00.000", "00.000", "02.001", "02.001"]
    for ahead, now in (("05T12:00:00.000Z", "05T12:00:00"), ("05T12:00:00.001Z", "04T12:00:00")):
        house.service.recorder.write([Statement(f"UPDATE pulse SET at = '2126-03-{ahead}'")])
        with at("04T12:00:00"):
            fire(house)
        ((sign,),) = house.service.recorder.find(Statement("SELECT at FROM pulse"))
        assert str(sign)[8:19] == now


@pytest.mark.parametrize("moment", ["04T13:00:00", "04T20:00:00"])
def test_of_many_processes_that_find_it_at_once_each_rung_is_fired_once(house: House, moment: str) -> None:
    matches = [opened(house, {**HOURLY, "bank": "PT5H", "defaults": 0})[0] for _ in range(3)]
    if moment == "04T13:00:00":
        house.service.recorder.write([Statement("UPDATE pulse SET at = '2126-03-04T12:59:59.000Z'")])
    workers = [House(beside(house.service)).worker for _ in range(4)]
    before = {match: house.stranger.look(match)["version"] for match in matches}
    with at(moment):
        answers = at_once(*(partial(worker.post, "/clocks", {"matches": matches}) for worker in workers))
    assert {answer.status_code for answer in answers} == {200}
    for match in matches:
        told = kinds(house, match, before[match])
        assert sorted(told) == (["BankUsed"] * 2 if moment == "04T13:00:00" else ["OutageExtended"]), told
        audit(house, match)
    assert len(outages(house)) == (moment != "04T13:00:00")


def test_a_pause_that_was_over_before_anybody_was_asked_is_no_part_of_an_outage(house: House) -> None:
    match, players = opened(house, HOURLY)
    for moment, what in (("04T12:00:01", "pause"), ("04T12:10:00", "resume")):
        with at(moment):
            each(players, match, what)
    with at("04T12:10:01"):
        fire(house, match)
        for player in players:
            player.choose(match)
        # under seal nobody sees until when the others have time
        while not (asked := due(house, match)):
            owing = [player for player in players if player.moves(match)["decision"] is not None]
            assert owing, "the match goes on"
            for player in owing:
                player.choose(match)
    with at("04T12:30:01"):
        fire(house, match)
        assert kinds(house, match)[-1] == "OutageExtended"
        assert house.stranger.events(match)[-1]["public"] == {"length": 20 * 60_000}
        assert due(house, match) != asked
    audit(house, match)


def test_what_is_asked_in_a_new_store_before_anybody_looks_after_its_clocks_is_not_lost(tmp_path: Path) -> None:
    config = Config(data=tmp_path / "new", bot_pause=0.0)
    with at("04T12:00:00"):
        house = House(build(config))
    with house:
        with at("04T12:00:00"):
            match, _ = house.table(clock={**HOURLY, "allowance": "PT20S"})
        with at("04T12:00:30"):
            # who comes beside it begins no new time
            build(config).close()
        with at("04T12:01:00"):
            fire(house, match)
            assert kinds(house, match)[-1] == "OutageExtended"
            assert due(house, match) == {"12:01:20"}


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
