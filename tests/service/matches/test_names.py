"""Texts and reports call the seats by whoever sits there."""

from __future__ import annotations

from replays.report import names_of
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
    players = [house.player("Ann"), house.player("Ann"), house.player("Bo")]
    match = players[0].open(seats=[None] * 3)
    for player in players:
        player.sit(match)
    assert "Ann (seat 1) is dealt" in said(players[0], match)
    assert "Ann（席1）に" in said(players[0], match, "ja")
    assert names_of(house.service.states.log(match), house.service.recorder, "en") == ("", "", "Bo")
