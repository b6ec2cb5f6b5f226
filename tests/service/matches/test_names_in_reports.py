"""Who sat where, in the report of a match that lies in a service's store."""

from __future__ import annotations

from events.memory import MemoryRecorder
from replays.log import Log
from replays.report import names_of
from tests.laws.rooms import CATALOGUE
from tests.replays.timed import stage
from tests.service.house import House


def test_a_store_of_a_service_knows_its_players_and_bots(house: House) -> None:
    match, (ann, _) = house.table()
    log = house.service.states.log(match)
    assert names_of(log, house.service.recorder, "en") == ("Player 0", "Player 1")
    with_bot = ann.open("high-card", seats=[None, {"bot": "greedy"}])
    log = house.service.states.log(with_bot)
    assert names_of(log, house.service.recorder, "ja") == ("", "ボットgreedy")


def test_two_of_one_name_keep_their_numbers(house: House) -> None:
    players = [house.player("Ann"), house.player("Ann"), house.player("Bo")]
    match = players[0].open("high-card", seats=[None] * 3)
    for player in players:
        player.sit(match)
    assert names_of(house.service.states.log(match), house.service.recorder, "en") == ("", "", "Bo")


def test_where_logs_are_kept_alone_nobody_has_a_name() -> None:
    recorder = MemoryRecorder()
    stage(recorder, "ttmp", "m_1", 3)
    assert not any(names_of(Log(recorder, "m_1", CATALOGUE), recorder, "en"))
