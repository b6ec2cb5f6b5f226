"""Packs, setting up, a turn and its formulas. Rules MG-1 to MG-10."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from domain.chance import Scripted, Simulation
from domain.games.magicative import GAME, events
from domain.games.magicative.components import Artefact, Options, cards_of
from domain.games.magicative.moves import (
    Arrange,
    ArrangeLast,
    Awaken,
    Declare,
    Discard,
    Draw,
    End,
    Fix,
    Give,
    Imitate,
    MagicativeMove,
    Put,
    Show,
    ShowOne,
    Swap,
    Take,
    TakeAptitude,
    Use,
)
from domain.games.magicative.pack import deck_of
from domain.games.magicative.state import START, SWAP, TURN, held, size_of
from tests.games.magicative.table import MAGIC, ODD_PACK, PACK, Play, card, cards, given, won
from tests.rows import each


def opened(seats: int, start: int = 0) -> Play:
    table = GAME.initial(Options(), seats, PACK)
    numbers = tuple(range(1, 8))
    chance = Scripted(numbers, numbers, numbers, deck_of(PACK), start)
    play = Play(table).fold(*GAME.setup(table, chance))
    assert chance.is_spent
    return play


def test_mg_1_the_deck_has_six_of_each_card_and_six_innocents() -> None:
    count = Counter(deck_of(PACK))
    assert count.total() == 132
    assert len(count) == 22
    assert set(count.values()) == {6}
    assert Counter(deck_of(ODD_PACK))[0] == 15


def test_mg_2_each_school_has_a_shuffled_deck_of_aptitude_cards() -> None:
    table = GAME.initial(Options(), 3, PACK)
    shuffled = [event for event in GAME.setup(table, Simulation(3)) if isinstance(event, events.AptitudesShuffled)]
    assert [event.school.value for event in shuffled] == ["magic", "alchemy", "astrology"]
    assert {tuple(sorted(event.numbers, key=str)) for event in shuffled} == {(1, 2, 3, 4, 5, 6, 7)}
    assert len({event.numbers for event in shuffled}) == 3
    assert opened(2).table.middle.aptitudes == ((1, 2, 3, 4, 5, 6, 7),) * 3


@pytest.mark.parametrize("seats", GAME.seats)
def test_mg_3_everybody_is_dealt_six_cards_by_twos(seats: int) -> None:
    play = opened(seats, start=1)
    deck = play.one(events.DeckShuffled).cards
    assert [(event.seat, event.cards) for event in play.of(events.CardsDealt)] == [
        ((1 + i) % seats, deck[2 * i : 2 * i + 2]) for i in range(3 * seats)
    ]
    assert [size_of(place.hand) for place in play.table.places] == [6] * seats
    assert len(play.table.deck) == 132 - 6 * seats
    assert [artefact.value for artefact in play.table.middle.artefacts] == ["fate", "past", "innocent"]
    assert not any(place.won.aptitudes for place in play.table.places)


def test_mg_4_the_start_player_is_drawn_and_turns_go_by_seat_number() -> None:
    play = opened(3, start=2)
    assert play.one(events.StartDrawn).seat == play.one(events.TurnStarted).seat == 2
    assert GAME.to_act(play.table) == (2,)
    assert play.table.stage.step is START
    play.move(2, Draw())
    play.move(2, Discard(cards_of(held(play.place(2).hand))[0]))
    assert play.one(events.TurnStarted).seat == 0
    assert {GAME.setup(play.table, Simulation(i))[4] for i in range(20)} == {
        events.StartDrawn(0),
        events.StartDrawn(1),
        events.StartDrawn(2),
    }


USED = won(artefact=(Artefact.FATE,))


def test_mg_5_a_turn_begins_with_two_cards_and_one_more_for_each_awakening_of_an_earlier_turn() -> None:
    for awakenings in each(0, 1, 3):
        has = {0: USED, 1: won(awakened=cards("M7 M6 M5")[:awakenings])}
        play = given("M1 M4", "A1", has=has, deck="S1 S2 S3 S4 S5 S6").move(0, Discard(card("M1")))
        drawn = cards("S1 S2 S3 S4 S5 S6")[: 2 + awakenings]
        assert (play.one(events.CardsDrawn), play.hand(1)) == (events.CardsDrawn(1, drawn), (*cards("A1"), *drawn))


def test_mg_7_without_a_card_nothing_is_discarded_and_a_turn_is_asked_while_something_else_can_be_done() -> None:
    play = given("", "A1", has={0: USED})
    assert (play.legal(0), GAME.forced(play.table)) == ((End(),), (0, End()))
    play.move(0, End())
    assert (play.of(events.CardDiscarded), play.one(events.TurnStarted).seat) == ((), 1)
    play = given("", "A1")
    assert (play.legal(0), GAME.forced(play.table)) == ((Use(Artefact.FATE), End()), None)
    assert given("", "A1", has={0: won(aptitudes="M1", artefact=(Artefact.PAST,))}).move(0, End()).forced == []
    assert GAME.forced(given("M1", "A1", has={0: USED}).table) is None


OF_A_TURN: tuple[MagicativeMove, ...] = (
    Discard(card("M1")), Fix(MAGIC, (1, 2, 3)), Swap(1), Declare(MAGIC), Awaken(card("M1")), Show(), ShowOne(0), End(),
    Use(Artefact.PAST),
)  # fmt: skip
OF_A_STEP: tuple[MagicativeMove, ...] = (
    Give(card("M1")), TakeAptitude(MAGIC), Draw(), Arrange(card("M1")), ArrangeLast(), Put(card("M1")), Take(0),
    Imitate(card("M1")),
)  # fmt: skip


def test_mg_6_a_move_that_belongs_to_another_step_is_refused() -> None:
    assert {type(move) for move in OF_A_TURN + OF_A_STEP} == set(get_args(MagicativeMove))
    hands, rows = ("M1 M1 M1 M1 M2 M3 X", "A1"), ("A3", "S4")
    has = {0: won(aptitudes="M1 M2")}
    turn = given(*hands, rows=rows, has=has)
    fate = given(*hands, rows=rows, has=has, is_start=True).move(0, Use(Artefact.FATE))
    for play, others in ((turn, OF_A_STEP), (fate, OF_A_TURN)):
        for move in others:
            assert play.refusal(0, move) == ("MG-6", "wrong-step"), move
        for move in OF_A_TURN + OF_A_STEP:
            assert play.refusal(1, move) == ("MG-4", "not-your-turn"), move


def test_mg_7_the_turn_ends_with_a_discard_at_the_right_end_of_ones_row() -> None:
    play = given("M1 M4", "A1", rows=("A3 S3", "")).move(0, Discard(card("M4")))
    assert play.told[:2] == (events.CardDiscarded(0, card("M4")), events.TurnStarted(1))
    assert play.place(0).row == cards("A3 S3 M4")
    assert play.hand(0) == cards("M1")
    assert play.table.stage.seat == 1


def test_mg_7_equal_cards_are_one_choice_and_innocents_can_be_discarded() -> None:
    play = given("M1 M1 M4 X X", "A1", has_swapped=True)
    assert play.legal(0, Discard) == (Discard(card("M1")), Discard(card("M4")), Discard(0))
    assert play.refusal(0, Discard(card("A1"))) == ("MG-7", "not-in-hand")
    assert play.refusal(0, Discard(99)) == ("MG-7", "not-in-hand")
    assert play.refusal(0, End()) == ("MG-7", "must-discard")
    assert play.fields == {"held": 5}
    play.move(0, Discard(0))
    assert play.place(0).row == (0,)


def test_mg_8_a_hand_card_takes_the_place_of_a_last_discard() -> None:
    play = given("M1 M4", "A1", rows=("A3", "S3 S4")).move(0, Swap(1))
    assert play.told == (events.SwapBegun(0, 1),)
    assert play.table.stage.step is SWAP
    assert play.legal(0) == (Give(card("M1")), Give(card("M4")))
    assert play.refusal(0, Give(card("A1"))) == ("MG-8", "not-in-hand")
    play.move(0, Give(card("M1")))
    assert play.told == (events.CardsSwapped(0, 1, card("M1"), card("S4")),)
    assert play.place(1).row == cards("S3 M1")
    assert play.hand(0) == cards("M4 S4")


def test_mg_15_the_draw_is_no_move_where_fate_can_not_be_used() -> None:
    for has in ({1: USED}, {0: USED, 1: won(artefact=(Artefact.PAST,))}):
        play = given("M1 M2", "A1", has=has).move(0, Discard(card("M1")))
        assert play.table.stage.step is TURN
        assert len(play.hand(1)) == 3
    play = given("M1 M2", "A1").move(0, Discard(card("M1")))
    assert play.table.stage.step is START
    assert play.legal(1) == (Use(Artefact.FATE), Draw())
    assert play.hand(1) == cards("A1")
    play = given("M1 M2", "A1", rows=("", "S1"), left=0).move(0, Discard(card("M1")))
    assert GAME.standing(play.table).over, "a deck that can't be rebuilt is not looked at"


def test_mg_8_one_may_swap_with_anybody_oneself_too_once_a_turn_and_not_without_a_card() -> None:
    play = given("M1 X", "A1", "A2", rows=("A3", "S4", ""), has=dict.fromkeys(range(3), USED))
    assert play.legal(0, Swap) == (Swap(0), Swap(1))
    for other in (2, 3, -1):
        assert play.refusal(0, Swap(other)) == ("MG-8", "no-discard")
        assert play.fields == {"seat": other}
    play.move(0, Swap(0), Give(0))
    assert (play.place(0).row, play.hand(0)) == ((0,), cards("M1 A3"))
    assert (play.legal(0, Swap), play.refusal(0, Swap(1))) == ((), ("MG-8", "swapped"))
    assert play.move(0, Discard(card("M1"))).legal(1, Swap) == (Swap(0), Swap(1)), "the next player may again"
    empty = given("", "A1", rows=("A3", ""))
    assert (empty.legal(0, Swap), empty.refusal(0, Swap(0))) == ((), ("MG-8", "no-card"))
