"""A match's own events in words."""

from __future__ import annotations

import tomllib
from functools import reduce
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain import happenings, matches
from domain.matches import NOT_ASKED, Answer, Cause
from domain.texts import named
from replays.words import describe, duration, is_aside
from tests.toy.high_card import GAME
from tests.toy.high_card.components import Options
from tests.toy.high_card.events import CardSetAside
from tests.toy.high_card.moves import Pass, Raise, SetAside

OPENED: matches.Opened[Options] = matches.Opened(
    game="high-card", version=1, pack="house", pack_hash="", seats=2, options=Options(), secret=None
)
MADE: matches.MoveMade[object] = matches.MoveMade(seat=0, decision=3, move=SetAside(card=2), cause=Cause.CLOCK)
HIDDEN: matches.MoveMade[object] = matches.MoveMade(seat=0, decision=3, move=SetAside(card=None), cause=Cause.SEAT)
SEALED: matches.AnswerSealed[object] = matches.AnswerSealed(decision=3, answer=Raise(), cause=Cause.SEAT)
CLOSED: matches.AnswersClosed[object] = matches.AnswersClosed(
    decision=3, answers=(Answer(answer=Pass(), sealed="ab"), None, Answer(answer=NOT_ASKED, sealed=None))
)
MOMENT = {"DUE": "2026-03-04T12:00:07.250Z", "TOLD": "2026-03-04 12:00:07 UTC"}


def rows(table: str) -> list[tuple[Any, ...]]:
    """The rows of a table of `words.toml`: an event, and what is said of it."""
    text = Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
    found = tomllib.loads(reduce(lambda told, name: told.replace(name, MOMENT[name]), MOMENT, text))[table]
    return [(msgspec.convert(fields, getattr(happenings, name)), *said) for name, fields, *said in found]


SAID = [
    (OPENED, "A match is opened: High Card for 2 players, rules version 1, pack house."),
    *((MADE, "Seat 0: Set 2 aside (by the clock)"), (HIDDEN, "Seat 0: Set ? aside")),
    (SEALED, "Answered under seal: Raise"),
    (CLOSED, "All have answered under seal. Seat 0: Pass. Seat 2: not asked."),
    *rows("said"),
]


@pytest.mark.parametrize(("event", "said"), SAID)
def test_an_event_in_words(event: object, said: str) -> None:
    assert describe(GAME, event, "en") == said
    japanese = describe(GAME, event, "ja")
    assert japanese != said
    assert not japanese.isascii()


@pytest.mark.parametrize(("event", "en", "ja"), rows("named"))
def test_what_befalls_a_seat_reads_well_with_a_name_where_there_is_one(event: object, en: str, ja: str) -> None:
    assert named(describe(GAME, event, "en"), ("Ada", "Bo")) == en
    assert named(describe(GAME, event, "ja"), ("Ada", "Bo")) == ja


YOURS: matches.MoveMade[object] = matches.MoveMade(seat=1, decision=3, move=Pass(), cause=Cause.CLOCK)


@pytest.mark.parametrize(("event", "said"), [*rows("yours"), (YOURS, "You: Pass (by the clock)")])
def test_what_befalls_a_seat_is_said_to_it(event: object, said: str) -> None:
    assert named(describe(GAME, event, "en"), ("Ada", "Bo"), you=1).startswith(said)
    assert "あなた" in named(describe(GAME, event, "ja"), ("Ada", "Bo"), you=1)


def test_a_list_can_do_without_deadlines_and_without_moves_that_the_next_event_tells() -> None:
    move: matches.MoveMade[object] = matches.MoveMade(seat=0, decision=3, move=SetAside(card=2), cause=Cause.SEAT)
    told, of_another = (CardSetAside(seat=seat, card=2) for seat in (0, 1))
    assert is_aside(GAME, move, told)
    assert not [following for following in (of_another, None, SEALED, MADE) if is_aside(GAME, move, following)]
    assert not is_aside(GAME, MADE, told), "nothing else says that the clock made it"
    assert is_aside(GAME, happenings.DeadlineSet(seat=1, decision=7, due=MOMENT["DUE"]), None)
    assert not is_aside(GAME, told, told)


def test_every_event_of_a_match_has_words() -> None:
    assert {type(event) for event, _ in SAID} == set(matches.EVENTS)


def test_a_duration_is_told_by_its_two_greatest_units() -> None:
    told = [duration(milliseconds, "en") for milliseconds in (0, 1, 61_000, 21_896, 3_600_000, 90_061_001)]
    assert told == ["0 s", "1 ms", "1 min 1 s", "21 s", "1 h", "1 d 1 h"]
    assert [duration(milliseconds, "ja") for milliseconds in (0, 90_061_001)] == ["0秒", "1日1時間"]


def test_seats_are_called_by_their_names() -> None:
    together = "Seats 0 and 1 tie; seat 2 doesn't, nor does seat 10."
    for text, said in (
        ("Seat 0 draws from seat 1's hand.", "Ada draws from Bo's hand."),
        (together, together),
        ("席0が席1の札を引いた。席2は待つ。", "AdaがBoの札を引いた。席2は待つ。"),
        ("deseat 0, seat 01x", "deseat 0, seat 01x"),
    ):
        assert named(text, ("Ada", "Bo", "")) == said
    # a name that reads like a seat is left as it is
    assert named("Seat 0 passes to seat 1.", ("seat 1", "席0")) == "seat 1 passes to 席0."
