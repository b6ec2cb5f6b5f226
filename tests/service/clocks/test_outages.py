"""Nobody looked after the clocks for a while: what was due meanwhile is due later by as much, once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask

from service.config import Config
from service.store import Statement
from tests.service.clocks.test_ladder import HOURLY, opened
from tests.service.clocks.timing import at, audit, fire, kinds
from tests.service.house import House, Visitor, beside, build


def due(house: House, match: str) -> set[str]:
    return {one["due"][11:19] for one in house.stranger.look(match)["deadlines"]}


def outages(house: House) -> list[tuple[object, ...]]:
    """Those since the tests' century began: the house was built in ours."""
    return house.service.recorder.find(Statement("SELECT began, ended FROM outages WHERE began > '2126' ORDER BY id"))


def test_an_outage_longer_than_the_deadline_costs_nobody_their_move(house: House) -> None:
    match, _ = opened(house, HOURLY)
    with at("04T12:30:00"):
        fire(house)
    # that was an outage already: the clocks were looked after at noon, and now
    with at("04T20:30:00"):
        fire(house, match)
        assert kinds(house, match)[-1] == "OutageExtended"
        assert due(house, match) == {"21:30:00"}
        fire(house, match)
        assert kinds(house, match).count("OutageExtended") == 1
    (told,) = [event for event in house.stranger.events(match) if event["type"] == "match/OutageExtended"]
    assert told["public"] == {"length": 8 * 3_600_000 + 1_800_000}
    audit(house, match)


def test_whoever_alone_is_asked_is_given_what_an_outage_took(house: House) -> None:
    match, (ann, _) = opened(house, HOURLY)
    with at("04T12:30:00"):
        fire(house)
        assert ann.move(match, ann.moves(match)["moves"][0]["id"]).status_code == 200
    with at("04T20:30:00"):
        fire(house, match)
        assert (kinds(house, match)[-1], due(house, match)) == ("OutageExtended", {"21:30:00"})


def test_a_match_in_which_time_runs_for_nobody_is_not_extended(house: House) -> None:
    match, players = opened(house, HOURLY)
    with at("04T12:00:01"):
        for player in players:
            player.post(f"/matches/{match}/stand-in", {})
    with at("04T20:30:00"):
        fire(house, match)
    assert "OutageExtended" not in kinds(house, match)


def test_what_was_asked_after_an_outage_is_not_extended_by_it(house: House) -> None:
    with at("04T10:00:00"):
        fire(house)
    match, _ = opened(house, HOURLY)
    with at("04T12:00:01"):
        fire(house, match)
    assert "OutageExtended" not in kinds(house, match)
    assert len(outages(house)) == 1


def test_who_was_asked_within_an_outage_is_given_what_was_left_of_it(house: House) -> None:
    with at("04T10:00:00"):
        fire(house)
    with at("04T12:00:00"):
        match, _ = house.table(clock=HOURLY)
    with at("04T12:20:00"):
        fire(house, match)
        assert due(house, match) == {"13:20:00"}
    audit(house, match)


def test_a_short_silence_is_no_outage_and_many_signs_of_life_are_one(house: House) -> None:
    match, _ = opened(house, HOURLY)
    for second in range(0, 60, 7):
        with at(f"04T12:00:{second:02}"):
            fire(house, match)
    assert outages(house) == []
    with at("04T12:01:15"):
        fire(house, match)
    assert "OutageExtended" not in kinds(house, match)


def test_longer_than_twenty_seconds_is_an_outage(house: House) -> None:
    with at("04T12:00:00"):
        fire(house)
    with at("04T12:00:20"):
        fire(house)
        assert outages(house) == []
    with at("04T12:00:40.001"):
        fire(house)
        assert outages(house) == [("2126-03-04T12:00:20.000Z", "2126-03-04T12:00:40.001Z")]


def test_the_sign_of_life_is_written_no_oftener_than_every_two_seconds(house: House) -> None:
    signs = []
    for moment in ("04T12:00:00", "04T12:00:02", "04T12:00:02.001", "04T12:00:03"):
        with at(moment):
            fire(house)
            signs += house.service.recorder.find(Statement("SELECT at FROM pulse"))
    assert [str(sign)[17:23] for (sign,) in signs] == ["00.000", "00.000", "02.001", "02.001"]


def test_a_sign_of_life_of_a_day_to_come_is_none(house: House) -> None:
    for ahead, now in (("05T12:00:00.000Z", "05T12:00:00"), ("05T12:00:00.001Z", "04T12:00:00")):
        house.service.recorder.write([Statement(f"UPDATE pulse SET at = '2126-03-{ahead}'")])
        with at("04T12:00:00"):
            fire(house)
        ((sign,),) = house.service.recorder.find(Statement("SELECT at FROM pulse"))
        assert str(sign)[8:19] == now


def test_an_outage_of_less_than_a_minute_costs_nobody_a_short_clock(house: House) -> None:
    with at("04T12:00:00"):
        fire(house)
        match, _ = opened(house, {**HOURLY, "allowance": "PT30S"})
    with at("04T12:00:45"):
        fire(house, match)
        assert due(house, match) == {"12:01:15"}
    assert "MoveMade" not in kinds(house, match)
    audit(house, match)


def test_a_clock_that_is_set_forward_fires_nothing_and_one_that_is_set_back_neither(house: House) -> None:
    match, _ = opened(house, HOURLY)
    with at("04T18:00:00"):
        fire(house, match)
        assert due(house, match) == {"19:00:00"}
    for moment in ("04T12:00:02", "04T12:00:04", "04T12:10:04"):
        with at(moment):
            fire(house, match)
    assert kinds(house, match)[-1] == "OutageExtended"
    assert len(outages(house)) == 1
    # a sign of life from the day after tomorrow is none
    house.service.recorder.write([Statement("UPDATE pulse SET at = '2126-03-06T12:00:00.000Z'")])
    for moment in ("04T12:30:00", "04T12:30:04"):
        with at(moment):
            fire(house, match)
    assert house.service.recorder.find(Statement("SELECT at FROM pulse")) == [("2126-03-04T12:30:04.000Z",)]


def test_under_seal_an_outage_extends_the_same_whoever_was_asked(house: House) -> None:
    match, players = opened(house, HOURLY, pack="flat")
    with at("04T12:00:01"):
        for player in players:
            player.move(match, {"type": "SetAside", "card": 1})
        assert house.stranger.look(match)["sealed"]
        players[0].move(match, "raise")
    with at("04T15:00:01"):
        fire(house, match)
        assert kinds(house, match)[-1] == "OutageExtended"
        assert players[1].look(match)["deadlines"][0]["due"] == "2126-03-04T15:10:01.000Z"
        assert players[1].get("/me/turns").json["turns"][0]["due"] == "2126-03-04T15:10:01.000Z"
        assert players[0].look(match)["deadlines"] == []
    audit(house, match)


@pytest.mark.parametrize("moment", ["04T13:00:00", "04T20:00:00"])
def test_of_many_processes_that_find_it_at_once_each_rung_is_fired_once(house: House, moment: str) -> None:
    matches = [opened(house, {**HOURLY, "bank": "PT5H", "defaults": 0})[0] for _ in range(3)]
    if moment == "04T13:00:00":
        house.service.recorder.write([Statement("UPDATE pulse SET at = '2126-03-04T12:59:59.000Z'")])
    workers = [House(beside(house.service)).worker for _ in range(4)]
    before = {match: house.stranger.look(match)["version"] for match in matches}

    def work(worker: Visitor) -> int:
        return worker.post("/clocks", {"matches": matches}).status_code

    with at(moment), ThreadPoolExecutor(len(workers)) as threads:
        assert set(threads.map(work, workers)) == {200}
    for match in matches:
        told = kinds(house, match, before[match])
        assert sorted(told) == (["BankUsed"] * 2 if moment == "04T13:00:00" else ["OutageExtended"]), told
        audit(house, match)
    assert len(outages(house)) == (moment != "04T13:00:00")


def test_what_an_outage_took_before_a_pause_is_given_when_the_pause_ends_and_no_more(house: House) -> None:
    match, players = opened(house, HOURLY)
    with at("04T12:10:00"):
        for player in players:
            player.post(f"/matches/{match}/pause")
    with at("04T12:30:00"):
        # nobody has looked since noon, and the pause takes the last twenty minutes of it
        fire(house, match)
    with at("04T12:40:00"):
        for player in players:
            player.post(f"/matches/{match}/resume")
        assert due(house, match) == {"13:40:00"}
        fire(house, match)
        assert due(house, match) == {"13:40:00"}
    audit(house, match)


def test_a_pause_within_an_outage_is_not_given_twice(house: House) -> None:
    match, players = opened(house, HOURLY)
    for moment, path in (("04T12:10:00", "pause"), ("04T12:30:00", "resume")):
        with at(moment):
            for player in players:
                player.post(f"/matches/{match}/{path}")
    with at("04T12:50:00"):
        fire(house, match)
        assert due(house, match) == {"13:50:00"}
    audit(house, match)


def test_a_pause_that_was_over_before_anybody_was_asked_is_no_part_of_an_outage(house: House) -> None:
    match, players = opened(house, HOURLY)
    for moment, path in (("04T12:00:01", "pause"), ("04T12:10:00", "resume")):
        with at(moment):
            for player in players:
                player.post(f"/matches/{match}/{path}")
    with at("04T12:10:01"):
        fire(house, match)
        for player in players:
            player.move(match, player.moves(match)["moves"][0]["id"])
        # under seal nobody sees until when the others have time
        while not (asked := due(house, match)):
            owing = [player for player in players if player.moves(match)["decision"] is not None]
            assert owing, "the match goes on"
            for player in owing:
                player.move(match, player.moves(match)["moves"][0]["id"])
    with at("04T12:30:01"):
        fire(house, match)
        assert kinds(house, match)[-1] == "OutageExtended"
        assert house.stranger.events(match)[-1]["public"] == {"length": 20 * 60_000}
        assert due(house, match) != asked
    audit(house, match)


def test_what_is_asked_in_a_new_store_before_anybody_looks_after_its_clocks_is_not_lost(
    tmp_path: Path, elsewhere: Flask
) -> None:
    config = Config(data=tmp_path / "new", bot_pause=0.0)
    with at("04T12:00:00"):
        service = build(config)
        house = House(service, elsewhere)
        match, _ = house.table(clock={**HOURLY, "allowance": "PT20S"})
    with at("04T12:00:30"):
        # who comes beside it begins no new time
        build(config).close()
    with at("04T12:01:00"):
        fire(house, match)
        assert kinds(house, match)[-1] == "OutageExtended"
        assert due(house, match) == {"12:01:20"}
    service.close()
