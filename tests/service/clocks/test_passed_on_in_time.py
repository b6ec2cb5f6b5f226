"""The time that somebody has who takes over a seat that was asked before."""

from __future__ import annotations

from tests.service.clocks.test_ladder import HOURLY, opened
from tests.service.clocks.timing import at, audit, bots_play, fire, kinds
from tests.service.house import House, Visitor


def passed(match: str, ann: Visitor, bob: Visitor, to: Visitor) -> None:
    """The first seat is passed on."""
    offered = ann.post(f"/matches/{match}/offers", {"player": to.id})
    assert offered.status_code == 200, offered.json
    assert bob.post(f"/matches/{match}/offers/0/agreement", {"player": to.id}).status_code == 204
    assert to.post(f"/matches/{match}/offers/0/acceptance").status_code == 204


def test_who_takes_a_seat_over_has_a_grace_for_what_is_open(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    eve = house.player("Eve")
    with at("04T12:59:00"):
        fire(house)
        before = house.stranger.look(match)["version"]
        passed(match, ann, bob, eve)
        told = house.stranger.events(match, after=before)
        assert [one["type"] for one in told] == ["match/SeatPassedOn", "match/DeadlineExtended"]
        decision = eve.look(match)["decision"]
        assert (told[1]["public"], told[1]["actor"]) == (
            {"seat": 0, "decision": decision, "length": 11 * 60_000, "reason": "passed"},
            "clock",
        )
        assert told[1]["text"].endswith(" has 11 min more for whoever plays it now.")
        (turn,) = eve.get("/me/turns").json["turns"]
        assert turn["due"] == "2126-03-04T13:11:00.000Z"
    with at("04T13:10:59"):
        fire(house, match)
        # only who was asked at noon is late
        made = [one["public"] for one in house.stranger.events(match) if one["type"] == "match/MoveMade"]
        assert {one["seat"] for one in made if one["cause"] == "clock"} <= {1}
    audit(house, match)


def test_who_comes_late_to_a_seat_that_the_clock_has_not_played_yet_has_time_too(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    eve = house.player("Eve")
    with at("04T13:10:00"):
        passed(match, ann, bob, eve)
        (turn,) = eve.get("/me/turns").json["turns"]
        assert turn["due"] == "2126-03-04T13:22:00.000Z"
    audit(house, match)


def test_without_a_clock_or_in_a_pause_or_just_when_it_is_asked_nothing_is_told_of_time(house: House) -> None:
    eve = house.player("Eve")
    plain, (ann, bob) = house.table()
    passed(plain, ann, bob, eve)
    paused, (ann, bob) = opened(house, HOURLY)
    with at("04T12:10:00"):
        for one in (ann, bob):
            one.post(f"/matches/{paused}/pause")
        passed(paused, ann, bob, eve)
    fresh, (ann, bob) = opened(house, HOURLY)
    with at("04T12:00:00"):
        passed(fresh, ann, bob, eve)
    for match in (plain, paused, fresh):
        assert (kinds(house, match)[-1], kinds(house, match).count("DeadlineExtended")) == ("SeatPassedOn", 0)


def test_a_bot_that_a_seat_is_left_to_needs_no_time_and_who_takes_it_back_has_a_grace(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    with at("04T12:59:00"):
        ann.post(f"/matches/{match}/offers", {"bot": "random"})
        assert bob.post(f"/matches/{match}/offers/0/agreement", {"bot": "random"}).status_code == 204
        assert next((one.who, one.due) for one in house.service.recorder.decisions(match=match)) == ("bot:random", "")
        assert ann.delete(f"/matches/{match}/stand-in").status_code == 200
        assert kinds(house, match)[-3:] == ["SeatHandedOver", "SeatHandedBack", "DeadlineExtended"]
        (turn,) = ann.get("/me/turns").json["turns"]
        assert turn["due"] == "2126-03-04T13:11:00.000Z"
        assert bots_play(house, match) == 0
    audit(house, match)


def test_a_grace_is_given_once_a_decision_to_whoever_comes_and_for_the_next_one_again(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY, pack="flat")
    eve = house.player("Eve")
    with at("04T12:50:00"):
        for _ in range(3):
            ann.post(f"/matches/{match}/stand-in", {})
            ann.delete(f"/matches/{match}/stand-in")
        assert ann.get("/me/turns").json["turns"][0]["due"] == "2126-03-04T13:02:00.000Z"
        passed(match, ann, bob, eve)
        passed(match, eve, bob, ann)
        assert ann.get("/me/turns").json["turns"][0]["due"] == "2126-03-04T13:02:00.000Z"
        assert kinds(house, match).count("DeadlineExtended") == 1
    audit(house, match)


def test_who_has_time_enough_has_what_was_left_and_keeps_the_grace(house: House) -> None:
    match, (ann, _) = opened(house, HOURLY)
    for moment, due in (("04T12:48:00", "13:00:00"), ("04T12:48:01", "13:00:01"), ("04T12:59:00", "13:00:01")):
        with at(moment):
            ann.post(f"/matches/{match}/stand-in", {})
            ann.delete(f"/matches/{match}/stand-in")
            assert ann.get("/me/turns").json["turns"][0]["due"] == f"2126-03-04T{due}.000Z"
    audit(house, match)
