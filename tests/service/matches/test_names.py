"""Texts and reports call the seats by whoever sits there."""

from __future__ import annotations

from events.memory import MemoryRecorder
from replays.log import Log
from replays.report import names_of
from tests.laws.rooms import CATALOGUE
from tests.replays.timed import stage
from tests.service.house import THREE_MAGIC, House, Visitor


def said(visitor: Visitor, match: str, lang: str = "en") -> str:
    return " ".join(event["text"] for event in visitor.events(match, lang=lang))


def test_seats_are_called_by_their_players_and_bots(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(seats=[None, None, {"bot": "greedy"}])
    for seat, player in enumerate((ann, bob)):
        player.sit(match, seat=seat)
    for name in ("Ann is dealt", "greedy bot is dealt", "Seat 1 is taken."):
        assert name in said(ann, match), "whoever took a seat may have left since"
    assert "ボットgreedyに" in said(ann, match, "ja")
    log, recorder = house.service.states.log(match), house.service.recorder
    assert names_of(log, recorder, "en")[:2] == ("Ann", "Bob")
    assert names_of(log, recorder, "ja")[2] == "ボットgreedy"
    match, (first, *_) = house.table(THREE_MAGIC, 3)
    assert "Player 1" in first.look(match)["text"]
    assert "Player 2" in said(first, match)


def test_two_of_one_name_keep_their_numbers(house: House) -> None:
    ann, other, bo = house.player("Ann"), house.player("Ann"), house.player("Bo")
    match = ann.open(seats=[None] * 3)
    for player in (ann, other, bo):
        player.sit(match)
    assert "Ann (seat 1) is dealt" in said(ann, match)
    assert "Ann（席1）に" in said(ann, match, "ja")
    assert names_of(house.service.states.log(match), house.service.recorder, "en") == ("", "", "Bo")


def test_where_logs_are_kept_alone_nobody_has_a_name() -> None:
    recorder = MemoryRecorder()
    stage(recorder, "ttmp", "m_1", 3)
    assert not any(names_of(Log(recorder, "m_1", CATALOGUE), recorder, "en"))
