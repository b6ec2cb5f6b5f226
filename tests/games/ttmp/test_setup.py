"""Setup, and who starts. Rule: TT-1 to TT-5."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.chance import Scripted, Simulation
from domain.game import Refusal
from domain.games.ttmp import GAME, events
from domain.games.ttmp.components import Action, Mode, Options
from domain.games.ttmp.moves import Discard, DrawCard, DrawStone, LeaveDice, Stock
from domain.games.ttmp.state import Step, Table
from domain.secrecy import redact, secrets
from tests.games.ttmp.table import PACK, Play, card, given, known, names, new


def dealt(seats: int, *rolls: int) -> Play:
    """A match that was dealt: decks lie as they come out of the box, dice fall as told."""
    table = new(seats)
    decks = (table.stones, *(deck.cards for deck in table.decks))
    chance = Scripted(*decks, *(face - 1 for face in rolls))
    play = Play(table).fold(*GAME.setup(table, chance))
    assert chance.is_spent
    return play


def test_tt_1_there_are_three_shuffled_decks_and_three_open_dice() -> None:
    play = dealt(2, 1, 6, 4, 2, 4)
    assert len(play.one(events.StonesShuffled).stones) == 5
    assert [(told.level, len(told.cards)) for told in play.of(events.CardsShuffled)] == [(1, 10), (2, 10)]
    assert play.table.dice == (2, 4, 4)
    assert Counter(names(play.table.decks[0].cards)) == {"+1": 4, "-1": 4, "Re-roll": 2}


def test_tt_1_the_dice_keep_their_faces_from_turn_to_turn() -> None:
    play = given(dice=(2, 2, 5), step=Step.AFTER).move(0, LeaveDice())
    assert play.table.dice == (2, 2, 5)
    assert play.one(events.TurnBegan).seat == 1


@pytest.mark.parametrize(("seats", "limit"), [(2, 3), (3, 3), (4, 2)])
def test_tt_2_a_hand_holds_three_cards_and_of_four_players_two(seats: int, limit: int) -> None:
    assert new(seats).terms.limit == limit
    full = ", ".join(["+1"] * limit)
    play = given(full, seats=seats, dice=(2, 2, 5), step=Step.AFTER, action=Action.C)
    play.move(0, DrawCard(1))
    assert play.of(events.CardDrawn) == ()
    assert play.legal(0, object) == (Discard(card("+1")),)
    play.move(0, Discard(card("+1")))
    assert play.one(events.CardDrawn).level == 1
    assert len(play.hand(0)) == limit
    assert names(play.table.decks[0].discards) == ["+1"]


def test_tt_2_stones_and_magic_cards_count_together_and_stones_are_never_discarded() -> None:
    play = given("+1, Flip", stones=((2,),), dice=(2, 2, 2), step=Step.AFTER, action=Action.B, deck=(1, 2, 2, 3))
    play.move(0, DrawStone())
    assert play.of(events.StoneDrawn) == ()
    assert play.legal(0, object) == (Discard(card("+1")), Discard(card("Flip")))
    play.move(0, Discard(card("Flip")))
    assert play.one(events.StoneDrawn) == events.StoneDrawn(0, 1)
    assert play.place(0).stones == (2, 1)


def test_tt_2_with_room_in_the_hand_nothing_is_discarded() -> None:
    play = given("+1, Flip", dice=(2, 2, 5), step=Step.AFTER, action=Action.C).move(0, DrawCard(1))
    assert play.one(events.CardDrawn).card == card("+1")
    assert len(play.hand(0)) == 3


def test_tt_3_who_holds_as_many_stones_as_a_hand_leaves_the_first_exam() -> None:
    play = given(
        "",
        "Copy",
        seats=4,
        stones=((), (2,)),
        stocks=("", "+1"),
        deck=(3, 2, 2, 1),
        dice=(4, 4, 4),
        seat=1,
        step=Step.AFTER,
        action=Action.C,
    )
    play.move(1, DrawStone()).move(1, Discard(card("Copy")))
    assert play.one(events.ExamLeft).seat == 1
    assert play.of(events.RestTaken) == ()
    assert play.place(1).stock == play.place(1).hand == ((), ())
    assert Counter(names(play.table.decks[0].cards))["+1"] == 4
    assert play.one(events.RoundBegan).start == 2
    play.fold(*GAME.decide(play.table, 2, LeaveDice(), Simulation(1)))
    for seat in (3, 0):
        assert GAME.to_act(play.table) == (seat,)
        play.fold(events.TurnBegan(seat, 9))
        play.move(seat, GAME.default(play.table, seat)).move(seat, LeaveDice())
    assert GAME.to_act(play.table) == (2,)


def test_tt_3_of_two_players_the_other_one_gets_the_stones_that_are_left() -> None:
    play = given(seats=2, stones=((), (2, 2)), dice=(4, 4, 4), seat=1, step=Step.AFTER, action=Action.C, deck=(3, 2, 1))
    play.move(1, DrawStone(), Simulation(3))
    assert play.one(events.RestTaken) == events.RestTaken(0, (2, 1))
    assert redact(play.one(events.RestTaken), 1) == events.RestTaken(0, (None, None))
    assert GAME.standing(play.table).over


def test_tt_3_nothing_is_left_when_the_last_stone_was_drawn() -> None:
    play = given(seats=2, stones=((2, 1), (2, 2)), dice=(4, 4, 4), seat=1, step=Step.AFTER, action=Action.C, deck=(3,))
    play.move(1, DrawStone(), Simulation(3))
    assert play.one(events.ExamLeft).seat == 1
    assert play.of(events.RestTaken) == ()
    assert GAME.standing(play.table).over


def test_tt_4_which_card_was_drawn_is_known_to_its_drawer_only() -> None:
    drawn = events.CardDrawn(1, 2, card("Copy"))
    assert redact(drawn, 1) == drawn
    for other in (0, None):
        assert redact(drawn, other) == events.CardDrawn(1, 2, None)
    stone = events.StoneDrawn(1, 2)
    assert redact(stone, 1) == stone
    assert redact(stone, 0) == events.StoneDrawn(1, None)
    assert [readers for _, readers, _ in secrets(events.CardStocked(2, 1, card("+1")))] == [(2,)]


def test_tt_4_the_back_of_an_unknown_card_stays_known() -> None:
    play = given(dice=(1, 2, 3), seat=1, step=Step.AFTER, action=Action.C)
    shuffled = events.CardsShuffled(2, play.table.decks[1].cards)
    seen: Table = GAME.evolve(play.table, redact(shuffled, 0))
    for event in GAME.decide(play.table, 1, DrawCard(2), Simulation(1)):
        seen = GAME.evolve(seen, redact(event, 0))
    assert seen.places[1].hand == ((), (None,))


def test_tt_5_the_lowest_roll_starts_and_only_those_tied_lowest_roll_again() -> None:
    play = dealt(4, 3, 2, 5, 2, 6, 4, 1, 1, 1)
    assert play.of(events.StartRolled) == (
        events.StartRolled((0, 1, 2, 3), (3, 2, 5, 2)),
        events.StartRolled((1, 3), (6, 4)),
    )
    assert play.one(events.RoundBegan) == events.RoundBegan(1, 3)
    assert play.one(events.TurnBegan) == events.TurnBegan(3, 1)


def test_tt_5_later_whoever_drew_the_stone_starts() -> None:
    play = given(dice=(3, 3, 3), seat=2, step=Step.AFTER, action=Action.C).move(2, DrawStone())
    assert play.one(events.RoundEnded) == events.RoundEnded(1, (2,), ())
    assert play.one(events.RoundBegan) == events.RoundBegan(2, 2)
    assert play.one(events.DiceRolled).seat == 2


def test_tt_5_for_who_has_left_the_next_one_still_in_the_exam_starts() -> None:
    play = given(seats=4, stones=((1,), (2, 2), (2,)), dice=(3, 3, 3), seat=0, step=Step.AFTER, action=Action.C)
    play.fold(events.ExamLeft(1)).move(0, DrawStone())
    assert play.one(events.RoundEnded).taker == (0,)
    assert GAME.standing(play.table).over  # it was the last stone
    play = given(seats=4, stones=((1,), (2, 2)), dice=(3, 3, 3), seat=0, step=Step.AFTER, action=Action.C)
    play.fold(events.ExamLeft(1)).move(0, DrawStone())
    assert play.one(events.RoundBegan).start == 2


@pytest.mark.parametrize("seats", [1, 5])
def test_tt_2_it_is_played_by_two_three_or_four(seats: int) -> None:
    with pytest.raises(Refusal) as refused:
        GAME.check_options(Options(), seats, PACK)
    assert (refused.value.clause, refused.value.code) == ("TT-2", "seats")


def test_tt_11_a_card_is_stocked_by_its_face_and_told_by_its_level() -> None:
    play = given("+1, Flip", step=Step.STOCK)
    assert play.legal(0, Stock) == (Stock(1, card("+1")), Stock(2, card("Flip")))
    assert known(play.place(0).stock[0]) == ()
    assert Mode.KIND not in play.table.terms.modes
