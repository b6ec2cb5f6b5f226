"""Days in which a player's deadlines don't run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from domain.deadlines import Deadline, Due
from service.clocks.firing import missing
from service.store import Timetable, Vacation
from service.store import clocks as kept
from tests.service.clocks.test_ladder import HOURLY, late, opened
from tests.service.clocks.timing import at, audit, kinds
from tests.service.house import House, Visitor, beside


def deadlines(visitor: Visitor, match: str) -> dict[int, str]:
    return {one["seat"]: one["due"] for one in visitor.look(match)["deadlines"]}


def test_what_is_open_when_a_vacation_begins_is_due_later_by_all_of_it(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    with at("04T12:30:00"):
        answer = ann.post("/me/vacation", {"days": 10})
        assert answer.json == {"until": "2126-03-14T12:30:00.000Z", "days_left": 20, "days_a_year": 30}
        assert deadlines(bob, match) == {0: "2126-03-14T13:00:00.000Z", 1: "2126-03-04T13:00:00.000Z"}
    told = house.stranger.events(match)[-1]
    assert (told["type"], told["public"]["reason"]) == ("match/DeadlineExtended", "vacation")
    for moment, is_due in (("04T13:00:00", False), ("14T12:59:59", False), ("14T13:00:00", True)):
        late(house, moment, match)
        assert (deadlines(bob, match).get(0) != "2126-03-14T13:00:00.000Z") is is_due
    audit(house, match)


def test_what_is_asked_of_who_is_away_is_due_when_they_are_back(house: House) -> None:
    with at("04T11:00:00"):
        ann, bob = house.player("Ann"), house.player("Bob")
        ann.post("/me/vacation", {"days": 1})
        match = ann.open(clock=HOURLY)
        ann.sit(match)
    with at("04T12:00:00"):
        bob.sit(match)
        assert deadlines(bob, match) == {0: "2126-03-05T12:00:00.000Z", 1: "2126-03-04T13:00:00.000Z"}
    late(house, "05T11:59:59", match)
    own = [event for event in house.stranger.events(match) if event["type"] == "match/MoveMade"]
    assert 0 not in {event["public"]["seat"] for event in own if event["public"]["cause"] == "clock"}
    before = late(house, "05T12:00:00", match)
    assert "DeadlineExtended" not in kinds(house, match, before)
    audit(house, match)


def test_a_vacation_that_the_first_request_did_not_reckon_with_is_when_it_is_due(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    with at("04T12:30:00"):
        # as if the process had died between
        house.service.vacations._leave(house.service.accounts.asker(ann.token), 2, None)
        assert deadlines(bob, match)[0] == "2126-03-04T13:00:00.000Z"
    late(house, "04T13:00:00", match)
    assert deadlines(bob, match)[0] == "2126-03-06T13:00:00.000Z"
    late(house, "05T13:00:00", match)
    assert kinds(house, match).count("DeadlineExtended") == 1


def test_answers_under_seal_are_due_as_ever(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY, pack="flat")
    with at("04T12:10:00"):
        for player in (ann, bob):
            player.move(match, {"type": "SetAside", "card": 1})
        version = house.stranger.look(match)["version"]
        ann.post("/me/vacation", {"days": 10})
        assert deadlines(ann, match) == {0: "2126-03-04T12:20:00.000Z"}
        assert house.stranger.look(match)["version"] == version
    late(house, "04T12:20:00", match)
    assert "AnswersClosed" in kinds(house, match, version)


def test_a_vacation_that_begins_once_all_was_due_gives_no_more_time(house: House) -> None:
    """Due on the second at noon, and later by the two days away before that: on the fourth."""
    day, times = 86_400_000, Timetable(house.service.recorder)
    for first, last in ((1, 3), (5, 7)):
        since, until = (f"2126-03-0{number}T12:00:00.000Z" for number in (first, last))
        house.service.recorder.write([kept.leave(Vacation(f"v_{first}", since, until, 2), "p_ann")])
    due = "2126-03-02T12:00:00.000Z"
    for away, lacking in ((2 * day, 0), (day, day), (0, 2 * day)):
        deadline = Deadline(decision=5, due=due, after=5, length=day, more=away, away=away)
        assert missing(times, deadline, Due(at=due, later=away), "p_ann") == lacking


def test_the_days_of_a_year_are_bounded_and_spent_also_by_who_comes_back(house: House) -> None:
    ann = house.player()
    sides = [House(beside(house.service)).again(ann) for _ in range(3)]
    with at("04T12:00:00"):
        assert ann.get("/me/vacation").json == {"until": None, "days_left": 30, "days_a_year": 30}
        for wrong in ({"days": 0}, {"days": "ten"}, {}, {"days": 1.5}):
            assert ann.post("/me/vacation", wrong).json["code"] == "malformed"
        too_many = ann.post("/me/vacation", {"days": 31})
        assert (too_many.status_code, too_many.json["code"]) == (409, "vacation-spent")
        with ThreadPoolExecutor(3) as threads:
            answers = [*threads.map(lambda one: one.post("/me/vacation", {"days": 20}), sides)]
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
        assert ann.post("/me/vacation", {"days": 1}).json["code"] == "on-vacation"
    with at("05T12:00:00"):
        assert ann.delete("/me/vacation").json == {"until": None, "days_left": 10, "days_a_year": 30}
        match = ann.open(clock=HOURLY)
        ann.sit(match)
        house.player().sit(match)
        assert deadlines(ann, match)[0] == "2126-03-05T13:00:00.000Z"
        assert ann.post("/me/vacation", {"days": 11}).json["fields"] == {"left": 10, "most": 30}
        assert ann.post("/me/vacation", {"days": 10}).json["days_left"] == 0
        ann.delete("/me/vacation")
        assert ann.post("/me/vacation", {"days": 1}).json["fields"] == {"left": 0, "most": 30}


def test_after_the_clock_was_set_back_a_vacation_gives_all_of_its_time(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    with at("04T12:30:00"):
        match = ann.open(clock=HOURLY)
        ann.sit(match)
    with at("04T12:00:00"):
        bob.sit(match)
        # no event of a log is before the one before it
        assert house.stranger.events(match)[-1]["at"] == "2126-03-04T12:30:00.000Z"
        assert deadlines(bob, match)[0] == "2126-03-04T13:00:00.000Z"
    with at("04T12:10:00"):
        ann.post("/me/vacation", {"days": 1})
        assert deadlines(bob, match)[0] == "2126-03-05T13:00:00.000Z"
    audit(house, match)


def test_a_vacation_is_not_less_for_who_has_come_back_to_the_seat(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    with at("04T12:59:00"):
        ann.post(f"/matches/{match}/stand-in", {})
        ann.delete(f"/matches/{match}/stand-in")
        assert deadlines(bob, match)[0] == "2126-03-04T13:11:00.000Z"
        ann.post("/me/vacation", {"days": 1})
        assert deadlines(bob, match)[0] == "2126-03-05T13:11:00.000Z"
        ann.delete("/me/vacation")
        ann.post("/me/vacation", {"days": 1})
        assert deadlines(bob, match)[0] == "2126-03-05T13:11:00.000Z"
    audit(house, match)
