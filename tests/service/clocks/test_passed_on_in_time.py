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


def test_who_takes_a_seat_over_has_all_of_the_time_as_if_it_were_asked_now(house: House) -> None:
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
            {"seat": 0, "decision": decision, "length": 59 * 60_000, "reason": "passed"},
            "clock",
        )
        assert told[1]["text"].endswith(" has 59 min more for whoever plays it now.")
        (turn,) = eve.get("/me/turns").json["turns"]
        assert turn["due"] == "2126-03-04T13:59:00.000Z"
    with at("04T13:58:59"):
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
        assert turn["due"] == "2126-03-04T14:10:00.000Z"
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


def test_a_bot_that_a_seat_is_left_to_needs_no_time_and_who_takes_it_back_has_all_of_it(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    with at("04T12:59:00"):
        ann.post(f"/matches/{match}/offers", {"bot": "random"})
        assert bob.post(f"/matches/{match}/offers/0/agreement", {"bot": "random"}).status_code == 204
        assert next((one.who, one.due) for one in house.service.recorder.decisions(match=match)) == ("bot:random", "")
        assert ann.delete(f"/matches/{match}/stand-in").status_code == 200
        assert kinds(house, match)[-3:] == ["SeatHandedOver", "SeatHandedBack", "DeadlineExtended"]
        (turn,) = ann.get("/me/turns").json["turns"]
        assert turn["due"] == "2126-03-04T13:59:00.000Z"
        assert bots_play(house, match) == 0
    audit(house, match)
