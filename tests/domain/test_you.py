"""What is said of a seat is said to its reader as "you", and names are not touched."""

from __future__ import annotations

import pytest

from domain.texts import conjugated, named, to_you


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Seat 1 is to draw", "You are to draw"),
        ("seat 1 discards 2★, and draws", "you discard 2★, and draw"),
        ("Round 2: seat 1 has passed and goes on.", "Round 2: you have passed and go on."),
        ("Seat 1's hand. Seat 1's pawn comes home.", "Your hand. Your pawn comes home."),
        ("Seat 0 takes a stone from seat 1 and draws.", "Seat 0 takes a stone from you and draws."),
        ("Seat 0's attack on seat 1 fails, 1 against 2.", "Seat 0's attack on you fails, 1 against 2."),
        ("Round 1 begins with seat 1 as start player.", "Round 1 begins with you as start player."),
        ("Seat 0 and seat 1 are to act", "Seat 0 and you are to act"),
        ("Seat 1 and seat 0 share the win", "You and seat 0 share the win"),
        ("Seat 1 rolls 2 and seat 0 rolls 3 and begins", "You roll 2 and seat 0 rolls 3 and begins"),
        ("Seat 1, the manager, adds 3 od and has none", "You, the manager, add 3 od and have none"),
        ("Seat 1 can move and is out", "You can move and are out"),
        ("Seat 1 puts a card into their row.", "You put a card into your row."),
        ("Seat 0 puts a card into their row, not seat 1's.", "Seat 0 puts a card into their row, not yours."),
        ("Seat 1 draws coins and cards", "You draw coins and cards"),
        ("Seat 1: Passes (the only move)", "You: Pass (the only move)"),
        ("Seat 1: Pass", "You: Pass"),
        ("Seat 1: 3 points, holds the broom", "You: 3 points, hold the broom"),
        ("Asked: seat 1.", "Asked: you."),
        ("Seat 12 draws", "Seat 12 draws"),
        ("席1が捨て、席12が引く", "あなたが捨て、席12が引く"),
    ],
)
def test_a_seat_is_told_you(text: str, said: str) -> None:
    assert to_you(text, 1) == said


@pytest.mark.parametrize(
    ("he", "you"),
    [("passes", "pass"), ("goes", "go"), ("fixes", "fix"), ("reaches", "reach"), ("uses", "use"), ("carries", "carry")],
)
def test_a_verb_loses_its_ending(he: str, you: str) -> None:
    assert conjugated(he) == you
    assert conjugated(he.capitalize()) == you.capitalize()


def test_what_stands_in_a_name_stays() -> None:
    names = ("seat 1", "You", "seat 1 draws and puts")
    text = "Seat 0 draws from seat 2, and seat 1 puts it back"
    assert named(text, names, you=1) == "seat 1 draws from seat 1 draws and puts, and you put it back"
    assert named(text, names) == "seat 1 draws from seat 1 draws and puts, and You puts it back"
    assert named(text, ("", "Bo", ""), you=0) == "You draw from seat 2, and Bo puts it back"


def test_a_name_that_runs_from_right_to_left_stands_apart_in_a_sentence() -> None:
    assert named("Seat 0 draws 3.", ("دانا",)) == "\u2068دانا\u2069 draws 3."
    assert named("Seat 0 draws 3.", ("Dänä",)) == "Dänä draws 3."
