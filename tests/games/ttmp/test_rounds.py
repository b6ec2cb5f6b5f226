"""How rounds end, and the first exam with them. Rule: TT-12 to TT-14."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from domain.chance import Simulation
from domain.game import fold
from domain.games.ttmp import GAME, events
from domain.games.ttmp.components import Action, Mode
from domain.games.ttmp.moves import Discard, DrawStone, LeaveDice, Stock, StockNothing
from domain.games.ttmp.state import Step, Table
from domain.secrecy import redact
from tests.games.ttmp.table import Play, card, given, names

TRIPLE = (6, 6, 6)


def drawing(*hands: str, **more: object) -> Play:
    """Given a triple, on which seat 0 may draw a stone."""
    return given(*hands, dice=TRIPLE, step=Step.AFTER, action=Action.C, **more)  # type: ignore[arg-type]


def test_tt_12_a_round_ends_when_a_stone_is_drawn_and_cards_go_back() -> None:
    play = drawing("+1", "Flip, -1", "Copy")
    decks = play.table.decks
    play.table = replace(play.table, decks=(decks[0], replace(decks[1], discards=(card("Any face"),))))
    play.move(0, DrawStone())
    assert play.one(events.RoundEnded) == events.RoundEnded(1, (0,), (0, 1, 2))
    shuffled = {told.level: told.cards for told in play.of(events.CardsShuffled)}
    assert Counter(names(shuffled[1])) == {"+1": 4, "-1": 4, "Re-roll": 2}
    assert len(shuffled[2]) == 11, "the given discard is one more than the box holds"
    assert not any(deck.discards for deck in play.table.decks)
    assert not any(any(place.hand) for place in play.table.places)
    assert play.one(events.RoundBegan) == events.RoundBegan(2, 0)
    assert play.one(events.DiceRolled).action is Action.FIRST


def test_tt_12_a_shuffled_deck_is_unknown_again() -> None:
    play = drawing("+1")
    seen: Table = play.table
    told = GAME.decide(play.table, 0, DrawStone(), Simulation(1))
    seen = fold(GAME, seen, tuple(redact(event, 0) for event in told))
    assert set(seen.decks[0].cards) == set(seen.decks[1].cards) == {None}


def test_tt_12_stocked_cards_come_to_hand_and_the_owner_discards_down_to_the_limit() -> None:
    play = drawing(stones=((), (2,), (2, 2)), deck=(1, 3), stocks=("", "+1, Copy", "-1, Flip")).move(0, DrawStone())
    assert play.hand(1) == ["+1", "Copy"], "as many as the limit, with a stone"
    assert play.one(events.LimitExceeded) == events.LimitExceeded(2, 3)
    play.move(2, Discard(card("-1")))
    assert play.hand(2) == ["Flip"]
    assert play.one(events.TurnBegan) == events.TurnBegan(0, 1)


def test_tt_12_from_the_start_player_on_one_after_the_other_discards() -> None:
    stones = ((), (2,), (2,))
    play = drawing("", seats=4, stones=stones, deck=(3, 1, 2), stocks=("+1, Copy", "+1, Flip", "-1, -1"))
    play.move(0, DrawStone())
    assert play.one(events.LimitExceeded) == events.LimitExceeded(0, 2)
    assert GAME.to_act(play.table) == (0,)
    assert play.legal(0, object) == (Discard(card("+1")), Discard(card("Copy")))
    play.move(0, Discard(card("Copy")))
    assert play.told == (events.CardDiscarded(0, 2, card("Copy")), events.LimitExceeded(1, 2))
    play.move(1, Discard(card("+1"))).move(2, Discard(card("-1")))
    assert play.one(events.TurnBegan) == events.TurnBegan(0, 1)
    assert [play.hand(seat) for seat in range(4)] == [["+1"], ["Flip"], ["-1"], []]


def test_tt_12_limits_are_asked_from_the_start_player_on_whoever_that_is() -> None:
    play = drawing("", stones=((2, 2), (2,), ()), deck=(1, 3), stocks=("+1, Copy", "+1, Flip"))
    play.table = replace(play.table, stage=replace(play.table.stage, seat=1))
    play.move(1, DrawStone())
    assert play.one(events.RoundBegan) == events.RoundBegan(2, 1)
    assert play.one(events.LimitExceeded).seat == 1


def test_tt_13_when_all_stones_are_drawn_the_final_exam_begins() -> None:
    play = drawing("+1", stones=((2,), (2, 2), (1,)), deck=(3,))
    play.move(0, DrawStone())
    assert [type(event) for event in play.told[1:3]] == [events.RoundEnded, events.StonesShown]
    assert play.of(events.RoundBegan) == ()
    assert play.one(events.MatchEnded)
    assert play.hand(0) == []


def test_tt_14_cards_in_stock_do_not_count_in_the_hand_limit() -> None:
    play = given("+1, -1", stocks=("Flip, Copy",), dice=(1, 1, 4), step=Step.AFTER, action=Action.C)
    play.move(0, play.legal(0, object)[0])
    assert len(play.hand(0)) == 3


def test_tt_14_a_round_without_a_stone_ends_after_120_turns() -> None:
    play = given("+1", "Flip", seat=1, turn=119, step=Step.AFTER, action=Action.C, stocks=("", "", "Copy"))
    stones = play.table.stones
    play.move(1, LeaveDice()).move(1, StockNothing())
    assert play.told == (events.TurnBegan(2, 120),)
    play.fold(*GAME.decide(replace(play.table, stage=replace(play.table.stage, step=Step.AFTER, action=Action.C)), 2,
                           LeaveDice(), Simulation(1)))  # fmt: skip
    assert play.one(events.RoundEnded) == events.RoundEnded(1, (), (0, 1))
    assert play.one(events.RoundBegan) == events.RoundBegan(2, 1)
    assert play.table.stones == stones
    assert play.hand(2) == ["Copy"]


def test_tt_14_the_last_turn_may_end_with_stocking() -> None:
    play = given("+1", step=Step.STOCK, turn=120)
    play.move(0, Stock(1, card("+1")))
    assert play.one(events.RoundEnded).returned == ()
    assert play.hand(0) == ["+1"], "it came to hand with the next round"


def test_tt_14_without_a_stone_everybody_keeps_their_cards_in_kind() -> None:
    play = given("+1", "Flip", modes=(Mode.KIND,), turn=120, step=Step.AFTER, action=Action.C).move(0, LeaveDice())
    assert play.one(events.RoundEnded) == events.RoundEnded(1, (), ())
    assert [play.hand(seat) for seat in (0, 1)] == [["+1"], ["Flip"]]


def test_tt_14_the_start_passes_over_who_has_left() -> None:
    play = given(seats=4, stones=((), (2, 2)), turn=120, step=Step.AFTER, action=Action.C, start=0)
    play.table = replace(play.table, places=(*play.table.places[:1], replace(play.table.places[1], is_out=True),
                                             *play.table.places[2:]))  # fmt: skip
    play.move(0, LeaveDice())
    assert play.one(events.RoundBegan) == events.RoundBegan(2, 2)


def test_tt_14_after_twelve_rounds_the_exam_ends_and_the_other_stones_are_out_of_the_game() -> None:
    play = given(round=12, turn=120, step=Step.AFTER, action=Action.C, stones=((2,), (1,)), deck=(2, 2, 3))
    play.move(0, LeaveDice())
    assert play.one(events.StonesShown).stones == ((2,), (1,), ())
    assert play.table.stones == (2, 2, 3)
    assert GAME.standing(play.table).over


def test_tt_3_who_is_left_of_two_holds_the_stones_that_were_left() -> None:
    play = given(seats=2, stones=((2, 2), (3,)), deck=(1, 2)).fold(events.RestTaken(1, (1, 2)))
    assert (play.place(1).stones, play.table.stones) == ((3, 1, 2), ())
