"""Seats that are given up, left to a bot and taken back; and days in which a player's deadlines don't run."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from domain.deadlines import Deadline, Due
from events.store import Statement
from service.clocks.firing import missing
from service.store import Timetable, Vacation
from service.store import clocks as kept
from tests.service.clocks.test_ladder import HOURLY, late, opened
from tests.service.clocks.timing import asked_of, at, audit, bots_play, fire, kinds, moves_made
from tests.service.house import House, Visitor, beside, play_out, refusal, set_aside
from tests.service.matches.test_offers import passed
from tests.service.stored import NO_SEAT, UNREADABLE, spoil
from tests.service.together import at_once

BOT_PLAYS = {"preset": "week", "resignation": "bot"}


def who(house: House, match: str) -> list[str]:
    return [one.who.partition(":")[0] for one in house.service.recorder.decisions(match=match)]


def resign(visitor: Visitor, match: str) -> Any:
    return visitor.post(f"/matches/{match}/resign")


def test_who_resigns_does_so_for_good_and_a_bot_plays_on_in_the_same_step(house: House) -> None:
    match, (ann, bob) = house.table(clock=BOT_PLAYS)
    decision = ann.look(match)["decision"]
    answer = resign(ann, match)
    assert answer.status_code == 200, answer.json
    assert kinds(house, match)[-2:] == ["SeatResigned", "SeatHandedOver"]
    told = house.stranger.events(match)[-1]
    assert (told["public"], told["actor"]) == ({"seat": 0, "bot": "greedy", "reason": "resignation"}, "service")
    assert answer.json["receipt"]["version"] == told["version"]
    seat = answer.json["seats"][0]
    assert (seat["player"]["id"], seat["stand_in"], seat["resigned"]) == (ann.id, "greedy", True)
    assert who(house, match) == ["bot", "player"]
    assert ann.get("/me/turns").json == {"turns": []}
    assert [one["seat"] for one in asked_of(house, match)] == [0]
    for again in (
        resign(ann, match),
        ann.delete(f"/matches/{match}/stand-in"),
        ann.post(f"/matches/{match}/stand-in", {}),
        ann.move(match, {"type": "SetAside", "card": 1}, decision),
    ):
        assert (again.status_code, again.json["code"], again.json["fields"]) == (409, "resigned", {"seat": 0})
    while bots_play(house, match) or not house.stranger.look(match)["result"]:
        play_out(match, [bob], most=1)
    audit(house, match)


@pytest.mark.parametrize("clock", [None, {"preset": "day"}])
def test_who_resigns_in_a_match_of_two_ends_it_and_the_other_has_won(house: House, clock: Any) -> None:
    match, (ann, bob) = house.table(clock=clock)
    look = ann.look(match)
    assert (look["resignation"], (look["clock"] or look)["resignation"]) == ("end", "end")
    points = look["standing"]["points"]
    answer = resign(ann, match)
    assert answer.status_code == 200, answer.json
    assert kinds(house, match)[-2:] == ["MatchConceded", "Finished"]
    row = house.stranger.look(match)
    assert (row["status"], row["how"]) == ("finished", "played")
    assert row["result"] == {"points": points, "ranking": [2, 1], "winners": [1]}
    assert [(seat["resigned"], seat["conduct"]["resigned"]) for seat in row["seats"]] == [(True, True), (False, False)]
    assert row["standing"] == {"points": points, "ranking": [2, 1], "over": True}
    assert (row["moves_made"], row["moved"]) == (0, None), "to give up is no move"
    assert bob.get("/me/turns").json == {"turns": []}
    assert refusal(resign(bob, match)) == (409, "match-finished")
    audit(house, match)
    rematch = bob.post(f"/matches/{match}/rematch").json
    assert rematch["resignation"] == "end"


def test_against_a_bot_and_while_a_bot_plays_for_one_a_resignation_ends_it_too(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    alone = ann.open_with(seats=[None, {"bot": "greedy"}])
    while not ann.look(alone)["decision"] or ann.look(alone)["sealed"]:
        bots_play(house, alone) or ann.choose(alone)
    assert resign(ann, alone).json["result"]["winners"] == [1]
    assert bots_play(house, alone) == 0
    match, (cid, _) = house.table()
    cid.post(f"/matches/{match}/stand-in", {})
    assert resign(cid, match).json["result"]["winners"] == [1]
    assert bob.look(match)["seats"][0]["stand_in"] == "greedy"
    for one in (alone, match):
        audit(house, one)


def test_with_more_seats_and_in_matches_opened_before_a_bot_plays_on(house: House) -> None:
    match, (ann, *_) = house.table(seats=3, clock={"preset": "day", "resignation": "end"})
    assert ann.look(match)["resignation"] == ann.look(match)["clock"]["resignation"] == "bot"
    match, (ann, *_) = house.table(seats=3)
    assert ann.look(match)["resignation"] == "bot"
    resign(ann, match)
    assert kinds(house, match)[-2:] == ["SeatResigned", "SeatHandedOver"]
    earlier, (dan, _) = house.table()
    house.service.recorder.write([Statement("DELETE FROM clocks WHERE match = :match", {"match": earlier}, earlier)])
    assert dan.look(earlier)["resignation"] == "bot"
    resign(dan, earlier)
    assert kinds(house, earlier)[-2:] == ["SeatResigned", "SeatHandedOver"]


def test_a_bot_that_plays_for_a_seat_already_plays_on_also_where_the_rules_would(house: House) -> None:
    match, (ann, *_) = house.table(seats=3, clock={"preset": "day", "resignation": "rules"})
    assert ann.post(f"/matches/{match}/stand-in", {"bot": "random"}).status_code == 200
    seat = resign(ann, match).json["seats"][0]
    assert (seat["stand_in"], seat["resigned"]) == ("random", True)
    assert kinds(house, match)[-2:] == ["SeatHandedOver", "SeatResigned"]
    audit(house, match)


def test_who_has_no_seat_there_or_too_early_gives_none_up(house: House) -> None:
    match, (ann, _) = house.table()
    carl = house.player("Carl")
    for path in ("resign", "stand-in"):
        assert carl.post(f"/matches/{match}/{path}").json["code"] == "not-seated"
    assert resign(ann, ann.open_with()).json["code"] == "match-open"
    assert ann.post(f"/matches/{match}/stand-in", {"bot": "nobody"}).json["code"] == "malformed"
    house.operator.post(f"/matches/{match}/abort")
    for path in ("resign", "stand-in"):
        assert ann.post(f"/matches/{match}/{path}").json["code"] == "match-aborted"


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_what_is_left_to_a_bot_is_played_by_whichever_process_is_asked(house: House, visibility: str) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open_with(bob, seats=[None, {"player": bob.id}], visibility=visibility, clock=BOT_PLAYS)
    other = House(beside(house.service))
    # it keeps who sits where, from before
    position = other.service.changes.look(match)
    other.service.states.keep(position)
    resign(ann, match)
    asked = asked_of(other, match)
    assert [(one["seat"], one["bot"]) for one in asked] == [(0, "greedy")]
    moves = other.worker.moves(match, seat=0)
    assert moves["decision"] == asked[0]["decision"]
    (taken,) = other.worker.post("/bots/turns", {"turns": [{"match": match}]}).json["turns"]
    assert (taken["problem"], [one["seat"] for one in taken["bots"]]) == (None, [0])
    assert other.worker.move(match, moves["moves"][0]["id"], moves["decision"], seat=0).status_code == 200
    assert who(house, match) == ["player"]
    assert other.again(bob).moves(match)["moves"]


def test_who_takes_a_seat_over_or_back_has_a_grace_for_what_is_open_and_a_bot_needs_no_time(house: House) -> None:
    (match, (ann, bob)), (left, (cid, dan)) = opened(house, HOURLY), opened(house, HOURLY)
    eve = house.player("Eve")
    with at("04T12:59:00"):
        fire(house)
        before = house.stranger.look(match)["version"]
        passed(house, match, [ann, bob], 0, eve)
        told = house.stranger.events(match, after=before)
        assert [one["type"] for one in told] == ["match/SeatPassedOn", "match/DeadlineExtended"]
        extended = {"seat": 0, "decision": eve.look(match)["decision"], "length": 11 * 60_000, "reason": "passed"}
        assert (told[1]["public"], told[1]["actor"]) == (extended, "clock")
        assert told[1]["text"].endswith(" has 11 min more for whoever plays it now.")
        cid.post(f"/matches/{left}/offers", {"bot": "random"})
        assert dan.post(f"/matches/{left}/offers/0/agreement", {"bot": "random"}).status_code == 204
        assert next((one.who, one.due) for one in house.service.recorder.decisions(match=left)) == ("bot:random", "")
        assert cid.delete(f"/matches/{left}/stand-in").status_code == 200
        assert kinds(house, left)[-3:] == ["SeatHandedOver", "SeatHandedBack", "DeadlineExtended"]
        for player in (eve, cid):
            (turn,) = player.get("/me/turns").json["turns"]
            assert turn["due"] == "2126-03-04T13:11:00.000Z"
        assert bots_play(house, left) == 0
    with at("04T13:10:59"):
        fire(house, match)
        # only who was asked at noon is late
        assert {move["seat"] for move in moves_made(house, match) if move["cause"] == "clock"} <= {1}
    for one in (match, left):
        audit(house, one)


def deadlines(visitor: Visitor, match: str) -> dict[int, str]:
    return {one["seat"]: one["due"] for one in visitor.look(match)["deadlines"]}


def test_what_is_open_when_a_vacation_begins_is_due_later_by_all_of_it(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY)
    with at("04T12:30:00"):
        answer = ann.post("/me/vacation", {"days": 10})
        assert answer.json == {"until": "2126-03-14T12:30:00.000Z", "days_left": 20, "days_a_year": 30}
        assert deadlines(bob, match) == {0: "2126-03-14T13:00:00.000Z", 1: "2126-03-04T13:00:00.000Z"}
    reminders = "SELECT at FROM reminders WHERE partition = :partition ORDER BY seat"
    found = house.service.recorder.find_everywhere(reminders)
    assert found == [("2126-03-14T12:48:00.000Z",), ("2126-03-04T12:48:00.000Z",)]
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
        match = ann.open_with(clock=HOURLY)
    with at("04T12:00:00"):
        bob.sit(match)
        assert deadlines(bob, match) == {0: "2126-03-05T12:00:00.000Z", 1: "2126-03-04T13:00:00.000Z"}
    late(house, "05T11:59:59", match)
    assert 0 not in {move["seat"] for move in moves_made(house, match) if move["cause"] == "clock"}
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


@pytest.mark.sqlite
@pytest.mark.parametrize("said", [UNREADABLE, NO_SEAT])
def test_a_vacation_begins_and_is_reckoned_with_if_another_match_can_not_be_read(house: House, said: bytes) -> None:
    spoilt, (ann, bob) = opened(house, HOURLY)
    with at("04T12:00:00"):
        match = ann.open_with(bob, clock=HOURLY)
    spoil(house.service, spoilt, said)
    there = House(beside(house.service))
    with at("04T12:30:00"):
        assert there.again(ann).post("/me/vacation", {"days": 2}).status_code == 200
        assert deadlines(bob, match)[0] == "2126-03-06T13:00:00.000Z"


def test_answers_under_seal_are_due_as_ever(house: House) -> None:
    match, (ann, bob) = opened(house, HOURLY, pack="flat")
    with at("04T12:10:00"):
        set_aside(match, (ann, bob))
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
        assert refusal(ann.post("/me/vacation", {"days": 31})) == (409, "vacation-spent")
        answers = at_once(*(partial(one.post, "/me/vacation", {"days": 20}) for one in sides))
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
        assert ann.post("/me/vacation", {"days": 1}).json["code"] == "on-vacation"
    with at("05T12:00:00"):
        assert ann.delete("/me/vacation").json == {"until": None, "days_left": 10, "days_a_year": 30}
        match = ann.open_with(house.player(), clock=HOURLY)
        assert deadlines(ann, match)[0] == "2126-03-05T13:00:00.000Z"
        assert ann.post("/me/vacation", {"days": 11}).json["fields"] == {"left": 10, "most": 30}
        assert ann.post("/me/vacation", {"days": 10}).json["days_left"] == 0
        ann.delete("/me/vacation")
        assert ann.post("/me/vacation", {"days": 1}).json["fields"] == {"left": 0, "most": 30}


def test_after_the_clock_was_set_back_a_vacation_gives_all_of_its_time(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    with at("04T12:30:00"):
        match = ann.open_with(clock=HOURLY)
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
