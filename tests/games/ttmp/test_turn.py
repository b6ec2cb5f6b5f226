"""Turns: magic cards, dice actions, draws, the turn change. Rule: TT-6 to TT-11."""

from __future__ import annotations

from domain.chance import Scripted
from domain.games.ttmp import events
from domain.games.ttmp.components import Action
from domain.games.ttmp.moves import (
    Discard,
    DrawCard,
    DrawStone,
    KeepDice,
    LeaveDice,
    MixWith,
    MixWithDeck,
    Reroll,
    Roll,
    Stock,
    StockNothing,
    TakeStone,
    TtmpMove,
    Use,
)
from domain.games.ttmp.state import Deck, Step
from tests.games.ttmp.table import after, card, given, with_level_1_discarded
from tests.rows import each

PLUS, MINUS, AGAIN = card("+1"), card("-1"), card("Re-roll")


def test_tt_6_on_the_first_turn_three_dice_are_rolled_and_a_card_may_be_drawn() -> None:
    play = given("+1", dice=(2, 2, 5), step=Step.AFTER, turn=1, action=Action.FIRST)
    assert play.legal(0, Use, Roll, KeepDice, DrawStone) == ()
    assert play.legal(0, DrawCard) == (DrawCard(1),)
    play.move(0, DrawCard(1))
    assert play.legal(0, DrawCard, Use) == ()
    assert play.refusal(0, Use(PLUS, (2,), (3,))) == ("TT-8", "no-use")
    play.move(0, LeaveDice()).move(0, StockNothing())
    assert play.one(events.TurnBegan) == events.TurnBegan(1, 2)


def test_tt_8_tt_9_a_card_used_on_the_roll_bars_a_draw_but_not_one_used_before_it() -> None:
    play = given("+1, +1", dice=(1, 3, 6)).move(0, Use(PLUS, (1,), (2,))).move(0, Roll((2, 3)), chance=Scripted(5, 0))
    assert play.one(events.DiceRolled).action is Action.A
    assert play.legal(0, DrawCard) == (DrawCard(1),)
    assert play.move(0, Use(PLUS, (1,), (2,))).refusal(0, DrawCard(1)) == ("TT-8", "no-draw")


def test_tt_9_a_stone_is_drawn_on_a_triple_under_every_action_but_the_first() -> None:
    for action in each(Action.A, Action.B, Action.C):
        for used in (False, True):
            play = after(action=action, used=used)
            assert play.legal(0, DrawStone) == (DrawStone(),)
            assert play.move(0, DrawStone()).of(events.RoundEnded)
    play = after(turn=1, action=Action.FIRST)
    assert play.legal(0, DrawCard) == (DrawCard(1),)
    assert play.refusal(0, DrawStone()) == ("TT-9", "no-triple")


def test_tt_6_from_the_second_turn_on_the_start_player_plays_like_the_others() -> None:
    play = given(step=Step.ACTION, turn=4, dice=(1, 3, 6))
    assert play.legal(0, Roll, KeepDice) == (
        Roll((1, 3, 6)), Roll((1, 3)), Roll((1, 6)), Roll((3, 6)), Roll((1,)), Roll((3,)), Roll((6,)), KeepDice(),
    )  # fmt: skip


def test_tt_7_any_number_of_cards_is_used_before_the_action() -> None:
    play = given("+1, +1, -1", dice=(2, 4, 4), step=Step.ACTION)
    play.move(0, Use(PLUS, (2,), (3,))).move(0, Use(PLUS, (3,), (4,)))
    assert play.table.dice == (4, 4, 4)
    assert play.one(events.CardUsed) == events.CardUsed(0, 1, PLUS, (3,), (4,), False, (4, 4, 4))
    assert play.table.decks[0].discards == (PLUS, PLUS)
    play.move(0, KeepDice())
    assert play.legal(0, DrawStone) == (DrawStone(),)


def test_tt_7_equal_cards_and_equal_dice_are_one_choice() -> None:
    play = given("+1, +1", dice=(2, 2, 4), step=Step.ACTION)
    assert play.legal(0, Use) == (Use(PLUS, (2,), (3,)), Use(PLUS, (4,), (5,)))
    assert play.legal(0, Roll) == (Roll((2, 2, 4)), Roll((2, 2)), Roll((2, 4)), Roll((2,)), Roll((4,)))


def test_tt_7_a_card_may_roll_a_die_again() -> None:
    play = given("Re-roll", dice=(2, 4, 4), step=Step.ACTION)
    play.move(0, Use(AGAIN, (2,), ()), chance=Scripted(3))
    assert play.one(events.CardUsed) == events.CardUsed(0, 1, AGAIN, (2,), (4,), True, (4, 4, 4))


WRONG: tuple[tuple[Step, TtmpMove, str], ...] = (
    (Step.ACTION, LeaveDice(), "TT-7"),
    (Step.ACTION, DrawCard(1), "TT-7"),
    (Step.ACTION, DrawStone(), "TT-7"),
    (Step.ACTION, TakeStone(1), "TT-7"),
    (Step.ACTION, Stock(1, PLUS), "TT-7"),
    (Step.AFTER, Roll((1,)), "TT-8"),
    (Step.AFTER, KeepDice(), "TT-8"),
    (Step.AFTER, StockNothing(), "TT-8"),
    (Step.STOCK, Reroll(1), "TT-11"),
    (Step.STOCK, Discard(PLUS), "TT-11"),
    (Step.DISCARD, Use(PLUS, (1,), (2,)), "TT-2"),
    (Step.LIMIT, MixWith(1), "TT-12"),
    (Step.SUMMON, MixWithDeck(), "TT-7"),
)


def test_tt_7_a_turn_has_its_steps_and_its_seat() -> None:
    for step, move, clause in each(*WRONG):
        play = given("+1", "+1", "+1", step=step, action=Action.C, stones=((2,),))
        if step is not Step.SUMMON:
            assert play.refusal(0, move) == (clause, "wrong-step")
            assert play.fields == {"step": step}
        assert play.refusal(1, move) == ("TT-7", "not-your-turn")
        assert play.fields == {"seat": 0}
        assert play.legal(1, object) == ()


def test_tt_8_a_two_or_three_dice_then_a_card_then_magic() -> None:
    play = given("+1", dice=(1, 3, 6), step=Step.ACTION)
    play.move(0, Roll((1, 6)), chance=Scripted(2, 4))
    assert play.one(events.DiceRolled) == events.DiceRolled(0, Action.A, (3,), (3, 5), (3, 3, 5))
    assert play.legal(0, DrawCard) == (DrawCard(1),)
    play.move(0, DrawCard(1))
    assert play.legal(0, DrawCard) == ()
    assert play.refusal(0, DrawCard(1)) == ("TT-8", "no-draw")
    assert Use(PLUS, (5,), (6,)) in play.legal(0, Use)


def test_tt_8_b_one_die_then_magic_and_no_draw() -> None:
    play = given("+1", dice=(3, 3, 6), step=Step.ACTION).move(0, Roll((6,)), chance=Scripted(1))
    assert play.one(events.DiceRolled) == events.DiceRolled(0, Action.B, (3, 3), (2,), (2, 3, 3))
    assert play.refusal(0, DrawCard(1)) == ("TT-8", "no-draw")
    play.move(0, Use(PLUS, (2,), (3,)))
    assert play.legal(0, DrawStone) == (DrawStone(),)


def test_tt_8_c_nothing_is_rolled_a_card_is_drawn_and_no_magic_used() -> None:
    play = given("-1", dice=(3, 3, 6), step=Step.ACTION).move(0, KeepDice())
    assert play.one(events.DiceKept) == events.DiceKept(0, (3, 3, 6))
    assert play.legal(0, Use) == ()
    assert play.refusal(0, Use(MINUS, (3,), (2,))) == ("TT-8", "no-use")
    play.move(0, DrawCard(1))
    assert play.legal(0, Use, DrawCard) == ()


def test_tt_9_the_reroll_of_the_turn_change_gives_no_stone() -> None:
    play = given("+1", dice=(4, 4, 5), step=Step.AFTER, action=Action.C).move(0, Reroll(5), chance=Scripted(3))
    assert play.table.dice == (4, 4, 4)
    assert play.refusal(0, DrawStone()) == ("TT-11", "wrong-step")
    play.move(0, StockNothing())
    assert play.refusal(1, DrawStone()) == ("TT-7", "wrong-step")


def test_tt_9_a_card_may_be_used_in_the_turn_in_which_it_was_drawn() -> None:
    play = given(dice=(1, 3, 6), step=Step.ACTION).move(0, Roll((1, 6)), chance=Scripted(2, 3))
    play.move(0, DrawCard(1)).move(0, Use(PLUS, (3,), (4,)))
    assert play.table.dice == (3, 4, 4)


def test_tt_10_what_the_dice_allow() -> None:
    for dice, levels, stone in each(
        ((1, 1, 4), (1,), False),
        ((1, 4, 4), (1,), False),
        ((5, 5, 5), (1,), True),
        ((3, 4, 5), (2,), False),
        ((4, 5, 6), (2,), False),
        ((1, 2, 4), (), False),
        ((1, 5, 6), (), False),
    ):
        play = given(dice=dice, step=Step.AFTER, action=Action.C)
        assert play.legal(0, DrawCard) == tuple(map(DrawCard, levels))
        assert bool(play.legal(0, DrawStone)) == stone
        assert LeaveDice() in play.legal(0, LeaveDice), "nobody has to draw"
        for level in {0, 1, 2, 3} - set(levels):
            assert play.refusal(0, DrawCard(level)) == ("TT-10", "dice")


def test_tt_11_one_die_is_rolled_again_once_then_the_turn_passes() -> None:
    play = given(dice=(4, 4, 6), step=Step.AFTER, action=Action.C)
    assert play.legal(0, Reroll, LeaveDice) == (Reroll(4), Reroll(6), LeaveDice())
    assert play.refusal(0, Reroll(5)) == ("TT-11", "no-such-die")
    assert play.fields == {"dice": (4, 4, 6)}
    play.move(0, Reroll(4), chance=Scripted(0))
    assert play.told == (events.DieRerolled(0, 4, 1, (1, 4, 6)), events.TurnBegan(1, 6))


def test_tt_11_who_holds_a_card_may_stock_one() -> None:
    play = given("+1, +1, Flip", dice=(4, 4, 6), step=Step.AFTER, action=Action.C).move(0, LeaveDice())
    assert play.one(events.DiceLeft).seat == 0
    assert play.of(events.TurnBegan) == ()
    assert play.legal(0, object) == (Stock(1, PLUS), Stock(2, card("Flip")), StockNothing())
    for wrong in (Stock(2, PLUS), Stock(1, MINUS), Stock(1, None), Stock(3, PLUS), Stock(-1, card("Flip"))):
        assert play.refusal(0, wrong) == ("TT-11", "no-such-card")
    play.move(0, Stock(1, PLUS))
    assert play.told == (events.CardStocked(0, 1, PLUS), events.TurnBegan(1, 6))
    assert play.place(0).stock == ((PLUS,), ())
    assert play.hand(0) == ["+1", "Flip"]


def test_tt_11_two_lie_in_stock_at_most_and_nobody_stocks_from_an_empty_hand() -> None:
    full = given("+1", stocks=("+1, Copy",), step=Step.AFTER, action=Action.C).move(0, LeaveDice())
    empty = given(step=Step.AFTER, action=Action.C).move(0, LeaveDice())
    for play in (full, empty):
        assert play.of(events.TurnBegan) == (events.TurnBegan(1, 6),)
    one = given("+1", stocks=("Copy",), step=Step.AFTER, action=Action.C).move(0, LeaveDice())
    assert one.legal(0, Stock) == (Stock(1, PLUS),)


def test_tt_14_without_deck_and_discards_nothing_is_drawn_and_the_card_discarded_for_a_draw_may_come_back() -> None:
    hands = ("+1, +1, +1", "+1, -1, -1", "-1, -1, Re-roll")
    play = after(*hands, dice=(1, 1, 3), stocks=("Re-roll",))
    assert (play.table.decks[0], play.legal(0, DrawCard)) == (Deck(()), ())
    assert play.refusal(0, DrawCard(1)) == ("TT-14", "no-cards")
    play = with_level_1_discarded(after(*hands, dice=(1, 1, 3)))
    assert play.table.decks[0] == Deck((), (AGAIN,))
    play.move(0, DrawCard(1)).move(0, Discard(PLUS), chance=Scripted((PLUS, AGAIN)))
    assert play.one(events.DeckRefilled).cards == (PLUS, AGAIN)
    assert play.one(events.CardDrawn).card == PLUS


def test_tt_14_a_deck_that_has_run_out_is_refilled_from_its_discards() -> None:
    play = given(dice=(1, 2, 3), step=Step.AFTER, action=Action.C)
    first, second = play.table.decks
    drained = Deck((), second.cards)  # type: ignore[arg-type]  # all are known
    order = second.cards[::-1]
    play.with_table(decks=(first, drained)).move(0, DrawCard(2), chance=Scripted(order))
    assert play.told == (events.DeckRefilled(2, order), events.CardDrawn(0, 2, order[0]))
    assert play.table.decks[1] == Deck(order[1:])
