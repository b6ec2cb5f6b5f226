"""What people read calls the seats by whoever sits there."""

from __future__ import annotations

from tests.service.house import THREE_MAGIC, House


def test_texts_call_seats_by_their_players_and_bots(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(seats=[None, None, {"bot": "random"}])
    ann.sit(match, seat=0)
    bob.sit(match, seat=1)
    ann.move(match, ann.moves(match)["moves"][0]["id"])
    texts = [event["text"] for event in ann.events(match)]
    assert "Ann is dealt" in " ".join(texts)
    assert "random bot is dealt" in " ".join(texts)
    assert "Seat 1 is taken." in texts, "whoever took it may have left since"
    said = " ".join(event["text"] for event in ann.events(match, lang="ja"))
    assert "ボットrandomに" in said
    found = house.table(THREE_MAGIC, 3)
    assert "Player 1" in found[1][0].look(found[0])["text"]
    assert "Player 2" in " ".join(event["text"] for event in found[1][0].events(found[0]))


def test_two_of_one_name_keep_their_numbers(house: House) -> None:
    ann, other = house.player("Ann"), house.player("Ann")
    match = ann.open()
    ann.sit(match)
    other.sit(match)
    assert "Ann (seat 1) is dealt" in " ".join(event["text"] for event in ann.events(match))
    assert "Ann（席1）に" in " ".join(event["text"] for event in ann.events(match, lang="ja"))
