"""Deadlines are set in the step that asks, and told to whom they concern."""

from __future__ import annotations

import re
from functools import partial
from itertools import product
from typing import Any

import pytest
from freezegun import freeze_time
from marshmallow import ValidationError

from domain import happenings
from domain.play import Told
from service import clock
from service.matches.deadlines import away
from service.matches.states import Position
from service.store import Vacation
from service.web.match_inputs import ClockWanted
from tests.service.clocks.timing import audit, bots_play, kinds
from tests.service.house import House

NOON = "2126-03-04T12:00:00.000Z"
SOON = {"allowance": "PT1H", "claims": "PT10M", "bank": "PT2H", "defaults": 2}


def test_whoever_is_asked_is_told_by_when_to_answer(house: House) -> None:
    with freeze_time(NOON):
        match, (ann, bob) = house.table(clock={"preset": "day"})
        look = house.stranger.look(match)
        told = kinds(house, match)
        assert (told[1], told[-2:]) == ("ClockSet", ["DeadlineSet"] * 2)
        due = "2126-03-05T12:00:00.000Z"
        decision = look["version"] - 2
        assert look["deadlines"] == [{"seat": seat, "decision": decision, "due": due} for seat in (0, 1)]
        (turn,) = ann.get("/me/turns").json["turns"]
        assert turn == {"match": match, "seat": 0, "decision": decision, "due": due}
    with freeze_time("2126-03-04T13:00:00Z"):
        assert ann.choose(match).status_code == 200
        assert house.stranger.look(match)["deadlines"] == [{"seat": 1, "decision": decision, "due": due}]
        assert bob.choose(match).status_code == 200
        dues = {one["due"] for player in (ann, bob) for one in player.look(match)["deadlines"]}
        # under seal, where there is less time, or openly again
        assert dues in ({"2126-03-04T21:00:00.000Z"}, {"2126-03-05T13:00:00.000Z"})
    audit(house, match)


def test_a_match_says_by_which_clock_it_is_played(house: House) -> None:
    ann = house.player()
    told = {clock["preset"]: clock for clock in house.stranger.get("/clocks").json["clocks"]}
    assert {"hour", "day", "three-days"} <= set(told)
    match = ann.open(clock={"preset": "three-days"})
    assert house.stranger.look(match)["clock"] == {**told["three-days"], "banks": ["P7D", "P7D"]}
    own = ann.open(clock={"allowance": "PT90M", "bot": "random", "resignation": "rules", "defaults": 0})
    assert house.stranger.look(own)["clock"] == {
        **{"preset": None, "allowance": "PT1H30M", "claims": "PT30M", "bank": "PT0S", "defaults": 0},
        **{"bot": "random", "resignation": "rules", "banks": ["PT0S", "PT0S"]},
    }
    changed = ann.open(clock={"preset": "day", "bank": "P1D"})
    assert {"preset": None, "allowance": "P1D", "bank": "P1D"}.items() <= house.stranger.look(changed)["clock"].items()
    assert house.stranger.look(ann.open())["clock"] is None
    odd = {"allowance": "PT1H30S", "claims": "PT1.5S", "bank": "P1DT0.25S"}
    # the answer is held against the document, and RFC 3339 knows neither fractions nor hours without minutes
    assert odd.items() <= house.stranger.look(ann.open(clock=odd))["clock"].items()


def test_the_contract_allows_the_durations_that_are_read_and_no_others() -> None:
    contract, right = re.compile(clock.DURATION, re.ASCII), {"P1W": 604_800_000}
    values = {"2D": 172_800_000, "1H": 3_600_000, "1M": 60_000, "1S": 1000, "1.25S": 1250, "": 0}
    wrong = ["P1W2D", "P1WT1H", "1D", "P1.5D", "PT1M1H", "P1Y"]
    for day, at, *time in product(("", "2D"), ("", "T"), ("", "1H"), ("", "1M"), ("", "1S", "1.25S")):
        text = f"P{day}{at}{''.join(time)}"
        if any((day, *time)) and bool(at) == any(time):
            right[text] = sum(values[part] for part in (day, *time))
        else:
            wrong.append(text)
    assert {text: clock.parse_duration(text) for text in right if contract.search(text)} == right
    for text in wrong:
        assert not contract.search(text), text
        with pytest.raises(ValueError):
            clock.parse_duration(text)


def test_a_clock_that_can_t_be_is_refused_by_its_field() -> None:
    others = {"claims": "P400D", "bank": "-P1D", "defaults": -1, "bot": "deep-blue", "resignation": "never", "more": 1}
    refusals: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Send preset or allowance.", {}),
        *(("allowance", {"allowance": one}) for one in ("a day", "P1Y", "P", "P1DT", "PT0.5S", 60)),
        ("preset", {"preset": "never"}),
        *((name, {"preset": "day", name: one}) for name, one in others.items()),
    )
    for where, wrong in refusals:
        with pytest.raises(ValidationError) as refused:
            ClockWanted().load(wrong)
        assert where in str(refused.value.messages)


def test_under_seal_each_is_told_of_its_own_deadline_alone(house: House) -> None:
    match, players = house.table(pack="flat", clock=SOON)
    with freeze_time(NOON):
        for player in players:
            answer = player.move(match, {"type": "SetAside", "card": 1})
        # the answer to the move that opened the window tells nothing of the private logs that it wrote to
        assert answer.json["sealed"] is None
        assert [event["type"] for event in answer.json["events"]].count("match/RungSealed") == 0
        look = house.stranger.look(match)
        assert look["sealed"]
        assert look["deadlines"] == []
        for seat, player in enumerate(players):
            (due,) = player.look(match)["deadlines"]
            assert due == {"seat": seat, "decision": look["version"], "due": "2126-03-04T12:10:00.000Z"}
            (told,) = player.events(match, private=True)
            assert told["type"] == "match/RungSealed"
        first = players[0].move(match, "raise", key="k")
        assert first.json["sealed"]["version"] == 2
        assert players[0].move(match, "raise", first.json["version"], key="k").json["sealed"] == first.json["sealed"]
        assert players[1].look(match)["deadlines"][0]["due"] == "2126-03-04T12:10:00.000Z"
        assert players[1].get("/me/turns").json["turns"][0]["due"] == "2126-03-04T12:10:00.000Z"
        assert players[1].move(match, "raise").status_code == 200
    audit(house, match)


def test_a_bot_has_no_deadline_openly_or_under_seal_also_where_it_stands_in_for_somebody(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    with freeze_time(NOON):
        match = ann.open_with(bob, seats=[{"bot": "greedy"}, None, None], pack="flat", clock=SOON)
        assert bob.post(f"/matches/{match}/stand-in", {}).status_code == 200
        assert [one["seat"] for one in ann.look(match)["deadlines"]] == [1]
        bots_play(house, match)
        assert ann.move(match, {"type": "SetAside", "card": 1}).status_code == 200
        look = ann.look(match)
        assert look["sealed"]
        assert [one["seat"] for one in look["deadlines"]] == [1]
        assert house.service.recorder.private_streams(match) == (f"{match}/seat:1",)
    audit(house, match)


def test_a_log_from_elsewhere_with_a_strange_deadline_is_played_on(house: House) -> None:
    match, (ann, _) = house.table()
    decision, changes = ann.moves(match)["decision"], house.service.changes
    for due, length in (("soon", 1), (NOON, 2**53 - 1)):
        strange = (happenings.DeadlineSet(seat=0, decision=decision, due=due), happenings.OutageExtended(length=length))
        told = tuple(Told(event, "clock", 0) for event in strange)
        changes.change(match, partial(Position.told, entries=told))
        assert ann.get("/me/turns").json["turns"][0]["due"] is None
    assert ann.choose(match).status_code == 200


def test_the_soonest_deadline_is_told_first(house: House) -> None:
    _, (ann, _) = house.table()
    for preset in ("week", "day"):
        ann.open_with(seats=[None, {"bot": "random"}], clock={"preset": preset})
    dues = [turn["due"] for turn in ann.get("/me/turns").json["turns"]]
    assert dues == [*sorted(dues[:2]), None]


def test_vacation_is_time_that_does_not_run() -> None:
    def moment(hour: int) -> str:
        return f"2126-03-04T{hour:02}:00:00.000Z"

    for vacations, more in (
        *(([], 0), ([(8, 9)], 0), ([(8, 11)], 1), ([(11, 13)], 2), ([(12, 20)], 0)),
        *(([(11, 13), (13, 14)], 3), ([(11, 13), (14, 15)], 2), ([(9, 11), (12, 14)], 3)),
    ):
        found = [Vacation("v", moment(since), moment(until)) for since, until in vacations]
        assert away(moment(10), moment(12), found) == more * 3_600_000
