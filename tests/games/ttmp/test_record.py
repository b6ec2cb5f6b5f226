"""The record as a whole: events are written down, told never differs from lying, nothing is sealed."""

from __future__ import annotations

import msgspec
import pytest

from domain.game import move_id
from domain.games.ttmp import GAME, events
from domain.games.ttmp.components import Action
from domain.games.ttmp.state import Step
from tests.games.ttmp.table import card, given, new

PLUS, COPY = card("+1"), card("Copy")

LIES: tuple[events.TtmpEvent, ...] = (
    events.StonesShuffled((1, 2, 3)),
    events.StonesShuffled((2, 2)),
    events.CardsShuffled(1, (PLUS,)),
    events.CardsShuffled(2, (PLUS,) * 9),
    events.CardDrawn(0, 2, PLUS),
    events.CardDiscarded(0, 1, COPY),
    events.CardUsed(1, 1, PLUS, (1,), (2,), False, (2, 3, 6)),
    events.StoneDrawn(0, 3),
    events.StoneTaken(0, 1, (0, 1), 3),
    events.StoneSummoned(0, 1, (1,), (0, 1), 2, (1, 2)),
    events.StoneSummoned(1, 3, (), (1,), 2, (1, 2)),
    events.StoneSummoned(0, 1, (), (0,), 2, (2, 2, 1)),
    events.FamiliarSummoned(0, 1, 1, 2, (3,)),
    events.RestTaken(0, (3, 2)),
    events.RestTaken(0, (2,)),
    events.StonesShown(((1,), (3,), ())),
)


@pytest.mark.parametrize("lie", LIES)
def test_what_is_told_otherwise_than_it_lies_is_an_error(lie: events.TtmpEvent) -> None:
    play = given("+1", "Copy", stones=((1,), (2,)), deck=(2, 3, 2))
    with pytest.raises(ValueError, match=r"told|leaves"):
        play.fold(lie)


def test_what_is_told_as_it_lies_fills_the_unknown_in() -> None:
    play = given("+1", stones=((1,), (2,)), deck=(None, 3, 2))
    assert play.fold(events.StoneDrawn(0, 2)).place(0).stones == (1, 2)
    play = given(stones=((1,), (None,)), deck=(2, 2, 3))
    assert play.fold(events.StonesShown(((1,), (2,), ()))).place(1).stones == (2,)


def test_a_known_stone_leaves_first_and_of_unknown_ones_any() -> None:
    play = given(stones=((None, 1), (2,)), deck=(2, 3))
    assert play.fold(events.StoneSummoned(0, 1, (1,), (0, 1), None, (None,))).place(0).stones == (None, None)
    play = given(stones=((None, None), (2,)), deck=(2, 3))
    assert play.fold(events.StoneSummoned(0, 1, (1,), (0, 1), None, (None,))).place(0).stones == (None, None)


def test_nothing_is_answered_under_seal() -> None:
    table = given().table
    assert GAME.secret(table) is False
    with pytest.raises(AssertionError, match="under seal"):
        GAME.close(table, (), None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("step", "move"),
    [
        (Step.ACTION, "keepdice"),
        (Step.AFTER, "leavedice"),
        (Step.STOCK, "stocknothing"),
        (Step.DISCARD, "discard-+1"),
        (Step.LIMIT, "discard-+1"),
    ],
)
def test_for_an_absent_seat_the_clock_does_as_little_as_it_can(step: Step, move: str) -> None:
    table = given("+1", step=step, action=Action.C).table
    assert move_id(GAME.default(table, 0)) == move
    assert GAME.default(table, 0) in GAME.legal(table, 0)


def test_no_two_places_say_none_for_different_things() -> None:
    """A full table knows everything, before anything happened too."""
    assert b"null" not in msgspec.json.encode(new(4))


@pytest.mark.parametrize(
    ("event", "owing"),
    [
        (events.RoundEnded(1, (), ()), ()),
        (events.RoundBegan(2, 1), ()),
        (events.StonesShown(((1,), (2,), ())), ()),
        (events.TurnBegan(1, 6), (1,)),
        (events.LimitExceeded(2, 3), (2,)),
        (events.SummonerFound(1, 2), (1,)),
    ],
)
def test_an_event_alone_says_who_is_to_act_after_it(event: events.TtmpEvent, owing: tuple[int, ...]) -> None:
    assert GAME.to_act(given(stones=((1,), (2,))).fold(event).table) == owing
