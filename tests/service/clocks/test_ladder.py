"""Deadlines are set in the step that asks, and told to whom they concern; rung by rung, what is due is done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import pytest
from freezegun import freeze_time
from marshmallow import ValidationError

from domain import happenings
from domain.happenings import AnswersClosed
from domain.play import Told
from replays.log import TRUTH, Log
from service import clock
from service.config import Config
from service.matches.deadlines import away
from service.matches.states import Position
from service.store import Statement, Vacation, mailing
from service.telemetry import metrics
from service.web.match_inputs import ClockWanted
from tests.service.clocks.timing import at, audit, bots_play, fire, kinds, moves_made
from tests.service.house import THREE_MAGIC, House, Visitor, build, games, set_aside
from tests.service.webhooks.post import deliveries, hook, note

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
    for day, mark, *time in product(("", "2D"), ("", "T"), ("", "1H"), ("", "1M"), ("", "1S", "1.25S")):
        text = f"P{day}{mark}{''.join(time)}"
        if any((day, *time)) and bool(mark) == any(time):
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


HOURLY = {"allowance": "PT1H", "claims": "PT10M", "bank": "PT0S", "defaults": 2}
BANKED = {**HOURLY, "bank": "PT20M", "defaults": 0}


def opened(house: House, terms: dict[str, Any], **more: Any) -> tuple[str, list[Visitor]]:
    """A match by the clock, which begins on the fourth at noon."""
    with at("04T12:00:00"):
        fire(house)
        return house.table(clock=terms, **more)


def test_who_is_late_and_nobody_before_has_the_default_played_for_it_marked_as_the_clock_s(house: House) -> None:
    match, _ = opened(house, HOURLY)
    look = house.stranger.look(match)
    late(house, "04T12:59:59.999", match)
    assert house.service.recorder.find(Statement("SELECT at FROM pulse")) == [("2126-03-04T12:59:59.999Z",)]
    assert house.stranger.look(match) == look
    late(house, "04T13:00:00", match)
    by_clock = [event for event in house.stranger.events(match) if event["public"].get("cause") == "clock"]
    assert [event["public"]["seat"] for event in by_clock][:2] == [0, 1]
    assert {event["actor"] for event in by_clock} == {"clock"}
    audit(house, match)


def late(house: House, moment: str, match: str) -> int:
    """The clocks were looked after all the time up to that moment; then what is due is done: the version before."""
    house.service.recorder.write([Statement("DELETE FROM pulse")])
    with at(moment):
        before = int(house.stranger.look(match)["version"])
        fire(house, match)
        return before


def moves_counted() -> float:
    return metrics.REGISTRY.get_sample_value("foldtable_moves_total", {"game": "high-card"}) or 0.0


def test_first_the_bank_pays_by_parts_and_keeps_what_is_left(house: House) -> None:
    match, (ann, bob) = opened(house, BANKED)
    before = late(house, "04T13:00:30", match)
    told = [event for event in house.stranger.events(match, after=before) if event["type"] == "match/BankUsed"]
    assert [event["public"] for event in told] == [
        {"seat": seat, "decision": before - 2, "spent": 120_000, "due": "2126-03-04T13:02:00.000Z"} for seat in (0, 1)
    ]
    look = house.stranger.look(match)
    assert look["clock"]["banks"] == ["PT18M", "PT18M"]
    with at("04T13:01:00"):
        assert ann.choose(match).status_code == 200
    late(house, "04T13:03:00", match)
    assert house.stranger.look(match)["clock"]["banks"] == ["PT18M", "PT16M"]
    # what is far behind pays for all of it at once
    late(house, "04T13:19:59", match)
    assert house.stranger.look(match)["clock"]["banks"] == ["PT18M", "PT0S"]
    assert "MoveMade" not in kinds(house, match, look["version"] + 6)
    counted, before = moves_counted(), late(house, "04T13:20:00", match)
    told = house.stranger.events(match, after=before)
    assert told[0]["type"] == "match/MoveMade"
    by_clock = [event for event in told if event["public"].get("cause") == "clock"]
    assert moves_counted() - counted == len(by_clock), "each is counted once"
    assert bob.look(match)["status"] == "playing"
    audit(house, match)


def test_after_enough_defaults_in_a_row_a_bot_plays_and_is_told_and_the_seat_is_taken_back(house: House) -> None:
    match, players = opened(house, HOURLY, game=THREE_MAGIC, seats=3)
    hooks = [hook(player, "https://hooks.example/", "stand-in")["id"] for player in players]
    gone, hours = None, 12
    while gone is None:
        hours += 1
        late(house, f"04T{hours}:00:01", match)
        gone = next((chair["seat"] for chair in house.stranger.look(match)["seats"] if chair["stand_in"]), None)
        assert hours < 23
    told = [event for event in house.stranger.events(match) if event["type"] == "match/SeatHandedOver"]
    assert (told[0]["public"], told[0]["actor"]) == ({"seat": gone, "bot": "greedy", "reason": "absence"}, "clock")
    note(house.service)
    heard = [[one["about"] for one in deliveries(*each)] for each in zip(players, hooks, strict=True)]
    of_gone = {"match": match, "game": THREE_MAGIC, "seat": gone}
    assert heard == [[of_gone] if seat == gone else [] for seat in range(3)], "only whose seat it is hears of it"
    own = [move["cause"] for move in moves_made(house, match) if move["seat"] == gone and move["cause"] != "forced"]
    assert own[-2:] == ["clock", "clock"]
    with at("04T23:30:00"):
        bots_play(house, match)
        is_sealed = house.stranger.look(match)["sealed"]
        back = players[gone].delete(f"/matches/{match}/stand-in").json
        assert back["code"] == "window-open" if is_sealed else back["seats"][gone]["stand_in"] is None
    audit(house, match)


def test_a_seat_that_was_given_up_is_played_by_the_rules_where_it_was_opened_so(house: House) -> None:
    match, (ann, bob) = opened(house, {**BANKED, "resignation": "rules"})
    with at("04T12:10:00"):
        answer = ann.post(f"/matches/{match}/resign")
        assert answer.json["seats"][0]["stand_in"] is None
        assert answer.json["seats"][0]["resigned"]
        owed = {one.seat: one.who for one in house.service.recorder.decisions(match=match)}
        assert owed == {0: "rules:default", 1: f"player:{bob.id}"}
        reminders = "SELECT seat, at FROM reminders WHERE partition = :partition ORDER BY seat"
        due = "2126-03-04T12:48:00.000Z"
        assert house.service.recorder.find_everywhere(reminders) == [(0, due), (1, due)], "nobody anew"
        fire(house, match)
        assert [(move["seat"], move["cause"]) for move in moves_made(house, match)] == [(0, "clock")]
        assert "BankUsed" not in kinds(house, match)
        assert bob.look(match)["deadlines"][0]["seat"] == 1
        bob.choose(match)
    for second in range(4, 40, 4):
        with at(f"04T12:10:{second:02}"):
            fire(house, match)
            if bob.moves(match)["moves"]:
                bob.choose(match)
    assert len([one for one in house.stranger.events(match) if one["actor"] == "clock"]) > 2
    audit(house, match)


def test_under_seal_the_default_comes_at_its_own_time_costs_no_bank_and_does_not_count(house: House) -> None:
    match, players = opened(house, {**BANKED, "defaults": 1}, pack="flat")
    with at("04T12:30:00"):
        set_aside(match, players)
        look = house.stranger.look(match)
        assert look["sealed"]
    late(house, "04T12:39:59", match)
    assert house.stranger.look(match)["version"] == look["version"]
    before = late(house, "04T12:40:00", match)
    told = kinds(house, match, before)
    assert told[0] == "AnswersClosed"
    assert not {"BankUsed", "SeatHandedOver"} & set(told)
    assert house.stranger.look(match)["clock"]["banks"] == ["PT20M", "PT20M"]
    for player in players:
        own = player.events(match, private=True)
        assert [event["type"] for event in own][:2] == ["match/RungSealed", "match/AnswerSealed"]
        assert own[1]["public"]["cause"] == "clock"
    log = Log(house.service.recorder, match, games())
    closing = next(event for event in log.events(TRUTH) if isinstance(event, AnswersClosed))
    assert log.sealed_by_clock() == {answer.sealed for answer in closing.answers if answer}
    audit(house, match)


def test_a_player_is_reminded_once_when_most_of_the_time_has_passed(house: House) -> None:
    match, (ann, bob) = opened(house, BANKED)
    recorder = house.service.recorder
    recorder.write([mailing.confirm(player.id, f"{player.id}@example.org", "en", "") for player in (ann, bob)])
    reminded = "SELECT seat, player, due FROM reminded WHERE partition = :partition"
    mailed = "SELECT seat, player FROM deliveries WHERE partition = :partition AND kind = 'reminder'"
    late(house, "04T12:47:59.999", match)
    assert recorder.find_everywhere(reminded) == []
    with at("04T12:47:59.999"):
        ann.choose(match)
    for moment in ("04T12:48:00", "04T12:50:00", "04T13:01:00", "04T13:01:50"):
        late(house, moment, match)
        assert recorder.find_everywhere(reminded) == [(1, bob.id, "2126-03-04T13:00:00.000Z")]
        assert recorder.find_everywhere(mailed) == [(1, bob.id)]


@pytest.fixture
def slow(config: Config) -> Iterator[House]:
    """A house in which bots take time under seal."""
    with House(build(replace(config, bot_pause=1.5))) as found:
        yield found


def test_under_seal_the_rules_take_as_long_as_a_bot_for_all_together_who_have_given_their_seat_up(slow: House) -> None:
    """When they close a window does not show how many have, nor whether a bot was asked beside them."""
    match, (*gone, ann) = opened(slow, {**HOURLY, "resignation": "rules"}, seats=4, pack="flat")
    with at("04T12:00:01"):
        for player in gone:
            player.post(f"/matches/{match}/resign")
        fire(slow, match)
        ann.choose(match)
        assert slow.stranger.look(match)["sealed"]
        *owed, hers = slow.service.recorder.decisions(match=match)
        (due,) = {one.due for one in owed}
        assert len(owed) == len(gone)
        assert "2126-03-04T12:00:02.500Z" <= due < "2126-03-04T12:00:04.000Z" < hers.due
        assert due == clock.later("2126-03-04T12:00:01.000Z", round(1000 * slow.service.playing.wait(owed[0])))


def test_so_many_matches_are_looked_after_in_a_request(house: House) -> None:
    most = [f"m_{number}" for number in range(128)]
    answer = house.worker.post("/clocks", {"matches": most})
    assert [one["problem"] for one in answer.json["matches"]] == ["unknown-match"] * 128
    assert house.worker.post("/clocks", {"matches": [*most, "m_more"]}).json["code"] == "malformed"
