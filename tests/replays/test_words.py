"""A match's own events in words."""

from __future__ import annotations

import pytest

from domain import matches
from domain.happenings import Comparison, OrderGiven, OrderWithdrawn, Pattern, Rule
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

HOUR = 3_600_000
DUE = "2026-03-04T12:00:07.250Z"
TOLD = "2026-03-04 12:00:07 UTC"
KEPT: tuple[tuple[object, str], ...] = (
    (
        matches.ClockSet(allowance=72 * HOUR, claims=24 * HOUR, bank=10 * HOUR, defaults=3),
        "Time for a decision: 3 d, and a bank of 10 h; for an answer under seal: 1 d."
        " A bot takes over after 3 moves by the clock in a row.",
    ),
    (matches.DeadlineSet(seat=1, decision=7, due=DUE), f"Seat 1 is to answer by {TOLD}."),
    (matches.RungSealed(decision=7, after=7, due=DUE), f"Asked under seal: to be answered by {TOLD}."),
    (
        OrderGiven(
            order=2,
            rule=Rule(
                play=(Pattern(type="Pass"), Pattern(type="SetAside", where=(Comparison("card", "<", 5),))),
                unless=(Pattern(type="Raise"),),
                when=(Comparison("hands.me.size", ">=", 3),),
            ),
        ),
        "Standing order 2: Pass, or SetAside (card < 5), unless this is legal: Raise, when hands.me.size >= 3.",
    ),
    (OrderWithdrawn(order=2), "Standing order 2 is withdrawn."),
    (
        matches.BankUsed(seat=1, decision=7, spent=HOUR, due=DUE),
        f"Seat 1 uses 1 h of the bank: the answer is due by {TOLD}.",
    ),
    (
        matches.SeatHandedOver(seat=1, bot="greedy", reason="absence"),
        "The bot greedy plays for seat 1 after too many moves by the clock.",
    ),
    (
        matches.DeadlineExtended(seat=1, decision=4, length=25 * HOUR, reason="vacation"),
        "Seat 1 has 1 d 1 h more on vacation.",
    ),
    (matches.SeatHandedBack(seat=1), "Seat 1 plays without the bot again."),
    (matches.SeatResigned(seat=1), "Seat 1 resigns."),
    (matches.SeatPassedOn(seat=1), "Seat 1 is played by somebody else from now on."),
    (matches.Paused(reason="agreement"), "The match is paused by agreement."),
    (matches.Resumed(length=25 * HOUR), "The match goes on after a pause of 1 d 1 h."),
    (matches.OutageExtended(length=HOUR), "The service was out of reach: 1 h more for every decision."),
)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (OPENED, "A match is opened: High Card for 2 players, rules version 1, pack house."),
        (matches.Forked(parent="m_old", version=7, hash=""), "It goes on from version 7 of m_old."),
        (matches.SeatTaken(seat=1, nonce=""), "Seat 1 is taken."),
        (matches.SeatLeft(seat=1), "Seat 1 is free again."),
        (matches.Started(), "The match starts."),
        (MADE, "Seat 0: Set 2 aside (by the clock)"),
        (HIDDEN, "Seat 0: Set ? aside"),
        (SEALED, "Answered under seal: Raise"),
        (CLOSED, "All sealed answers are in. Seat 0: Pass. Seat 2: not asked."),
        (matches.Finished(points=(6, 10), ranking=(2, 1), secret=""), "Everything is open now."),
        (matches.Aborted(reason="agreement", secret=""), "The match is broken off by agreement."),
        *KEPT,
    ],
)
def test_an_event_in_words(event: object, said: str) -> None:
    assert describe(GAME, event, "en") == said
    japanese = describe(GAME, event, "ja")
    assert japanese != said
    assert not japanese.isascii()


@pytest.mark.parametrize(
    ("event", "en", "ja"),
    [
        (
            matches.SeatHandedOver(seat=1, bot="eager", reason="resignation"),
            "The bot eager plays for Bo after the resignation.",
            "投了したため、Boをボットeagerが代わる。",
        ),
        (
            matches.BankUsed(seat=1, decision=7, spent=HOUR, due=DUE),
            f"Bo uses 1 h of the bank: the answer is due by {TOLD}.",
            f"Boは予備時間を1時間使い、期限は{TOLD}になった。",
        ),
    ],
)
def test_what_befalls_a_seat_reads_well_with_a_name_where_there_is_one(event: object, en: str, ja: str) -> None:
    assert named(describe(GAME, event, "en"), ("Ada", "Bo")) == en
    assert named(describe(GAME, event, "ja"), ("Ada", "Bo")) == ja


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (matches.BankUsed(seat=1, decision=7, spent=HOUR, due=DUE), "You use 1 h of the bank: the answer"),
        (
            matches.DeadlineExtended(seat=1, decision=4, length=HOUR, reason="return"),
            "You have 1 h more after the return.",
        ),
        (matches.DeadlineSet(seat=1, decision=7, due=DUE), "You are to answer by"),
        (matches.SeatHandedOver(seat=1, bot="eager", reason="resignation"), "The bot eager plays for you after the"),
        (matches.SeatHandedBack(seat=1), "You play without the bot again."),
        (matches.SeatResigned(seat=1), "You resign."),
        (matches.MoveMade(seat=1, decision=3, move=Pass(), cause=Cause.CLOCK), "You: Pass (by the clock)"),
    ],
)
def test_what_befalls_a_seat_is_said_to_it(event: object, said: str) -> None:
    assert named(describe(GAME, event, "en"), ("Ada", "Bo"), you=1).startswith(said)
    assert "あなた" in named(describe(GAME, event, "ja"), ("Ada", "Bo"), you=1)


def test_a_list_can_do_without_deadlines_and_without_moves_that_the_next_event_tells() -> None:
    move: matches.MoveMade[object] = matches.MoveMade(seat=0, decision=3, move=SetAside(card=2), cause=Cause.SEAT)
    told, of_another = (CardSetAside(seat=seat, card=2) for seat in (0, 1))
    assert is_aside(GAME, move, told)
    assert not [following for following in (of_another, None, SEALED, MADE) if is_aside(GAME, move, following)]
    assert not is_aside(GAME, MADE, told), "nothing else says that the clock made it"
    assert is_aside(GAME, matches.DeadlineSet(seat=1, decision=7, due=DUE), None)
    assert not is_aside(GAME, told, told)


def test_every_event_of_a_match_has_words() -> None:
    told = {type(event) for event in (OPENED, MADE, SEALED, CLOSED)}
    others = {matches.Forked, matches.SeatTaken, matches.SeatLeft, matches.Started, matches.Finished, matches.Aborted}
    assert told | others | {type(event) for event, _ in KEPT} == set(matches.EVENTS)


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
