"""A step of the game, as matches, simulations and bots take it alike."""

from __future__ import annotations

from itertools import count, repeat
from typing import Any

import pytest

from domain import matches, play
from domain.chance import Chance, Scripted, Simulation
from domain.game import Game, fold
from domain.matches import MoveMade
from domain.play import Stuck, advance
from tests.domain.table import GAME, NO_PAIRS, PAIRS, scripted, start_match
from tests.toy.high_card.components import Phase
from tests.toy.high_card.events import DieRolled, RaisesClosed
from tests.toy.high_card.moves import Pass, Roll, SetAside


def variant(**changes: Any) -> Game[Any, Any, Any]:
    return type(GAME)(**{**{name: getattr(GAME, name) for name in GAME.__slots__}, **changes})


def aside(seat: int, hands: tuple[tuple[int, ...], ...]) -> tuple[Any, tuple[Any, ...]]:
    """The table before a seat sets its lowest card aside, as all before it have done, and what that brings about."""
    table = start_match(hands).table
    for one in range(seat):
        table = fold(GAME, table, GAME.decide(table, one, SetAside(card=min(hands[one])), Scripted()))
    return table, GAME.decide(table, seat, SetAside(card=min(hands[seat])), Scripted())


def test_a_move_after_which_nothing_is_forced_leads_to_who_is_asked_then() -> None:
    table, events = aside(0, NO_PAIRS)
    after, asked, forced = advance(GAME, table, events, repeat(Scripted()))
    assert after == fold(GAME, table, events)
    assert (asked, forced) == ((1,), ())


def test_forced_moves_are_played_to_the_next_question_each_told_with_the_state_before_it() -> None:
    table, events = aside(1, NO_PAIRS)
    after, asked, forced = advance(GAME, table, events, repeat(Scripted(2, 4)))
    assert [(seat, move) for _, seat, move, _ in forced] == [(0, Roll()), (1, Roll())]
    assert forced[0][3] == (DieRolled(seat=0, pips=3),)
    assert forced[0][0] == fold(GAME, table, events)
    assert forced[1][0] == fold(GAME, forced[0][0], forced[0][3])
    assert after == fold(GAME, forced[1][0], forced[1][3])
    assert asked == (), "the only round is over"
    assert after.phase is Phase.OVER


def test_each_forced_move_has_the_next_chance() -> None:
    table, events = aside(1, NO_PAIRS)
    chances = iter((Scripted(0), Scripted(5), Scripted(1)))
    after, _, _ = advance(GAME, table, events, chances)
    assert [place.pips for place in after.places] == [1, 6]
    assert not next(chances).is_spent, "a chance is taken only for a move"


def test_what_the_dealer_or_a_closing_brings_about_is_gone_on_from_in_the_same_way() -> None:
    begun = start_match(PAIRS).table
    assert advance(GAME, begun, (), repeat(Scripted())) == (begun, (0, 1), ())
    table, events = aside(1, PAIRS)
    raising, asked, _ = advance(GAME, table, events, repeat(Scripted()))
    assert asked == (0, 1)
    closing = GAME.close(raising, (Pass(), Pass()), Scripted())
    assert closing == (RaisesClosed(),)
    assert len(advance(GAME, raising, closing, repeat(Scripted(0, 1)))[2]) == 2


def test_forced_moves_without_an_end_are_stuck_at_the_games_bound() -> None:
    def decide(state: Any, seat: int, move: Any, chance: Chance) -> tuple[Any, ...]:
        return ()

    table, events = aside(1, NO_PAIRS)
    with pytest.raises(Stuck, match=r"high-card: more than 39 forced moves follow one another"):
        advance(variant(decide=decide), table, events, repeat(Scripted()))


def test_a_match_takes_the_step_with_a_number_and_a_chance_of_its_own_for_each_move() -> None:
    state = start_match(NO_PAIRS, rounds=2)
    first, after = play.played(GAME, state, 0, state.version, SetAside(card=1), scripted())
    assert after == matches.fold(GAME, state, [one.event for one in first]), "seat 1 was asked as well"
    state = after
    drawn: list[int] = []

    def roll(number: int) -> Chance:
        drawn.append(number)
        return Simulation(number)

    told, after = play.played(GAME, state, 1, matches.decision_of(GAME, state, 1), SetAside(card=2), roll)
    assert drawn == [2, 3, 4]
    assert [(one.move, one.event.cause) for one in told if isinstance(one.event, MoveMade)] == [
        (2, "seat"),
        (3, "forced"),
        (4, "forced"),
    ]
    events = GAME.decide(state.table, 1, SetAside(card=2), Simulation(2))
    table, asked, _ = advance(GAME, state.table, events, map(Simulation, count(3)))
    assert (after.table, matches.to_act(GAME, after)) == (table, asked)
    assert after == matches.fold(GAME, state, [one.event for one in told]), "the match after it is the fold of it"
