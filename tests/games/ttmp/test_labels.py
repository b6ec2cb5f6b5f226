"""What each move is in a position, as its seat reads it: what it costs, what it brings, what it bars."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.ttmp import GAME
from domain.games.ttmp.components import Action, Mode
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
from tests.games.ttmp.table import ODD_PACK, Play, card, given, known

PLUS, ANY, AGAIN = card("+1"), card("Any face"), card("Re-roll")
TRIPLE = (4, 4, 4)


def labels(play: Play, move: TtmpMove) -> tuple[str, str]:
    """A legal move of seat 0's in both languages."""
    assert move in GAME.legal(play.table, 0)
    return GAME.label(play.table, 0, move, "en"), GAME.label(play.table, 0, move, "ja")


def after(*hands: str, action: Action = Action.C, **more: Any) -> Play:
    """Given the time after a dice action, on a triple unless other dice are named."""
    return given(*hands, **{"dice": TRIPLE, "step": Step.AFTER, "action": action, **more})


def test_tt_7_a_use_says_which_dice_lie_after_it() -> None:
    assert labels(given("+1", dice=(2, 3, 4)), Use(PLUS, (3,), (4,))) == (
        "Use +1 to turn a 3 into 4: the dice show 2 4 4, a pair",
        "「+1」を使い、3を4にする：ダイスは2 4 4（わんぺあ）",
    )
    assert labels(given("Re-roll", dice=(2, 3, 3)), Use(AGAIN, (3,), ())) == (
        "Use Re-roll to roll 3 again and keep 2 3",
        "「振り直し」を使い、3を振り直して2 3を残す",
    )
    assert labels(given("Any face", dice=(4, 4, 5)), Use(ANY, (5,), (4,))) == (
        "Use Any face to turn a 5 into 4: the dice show 4 4 4, a triple; you may draw a stone if you then roll nothing",
        "「好きな目」を使い、5を4にする：ダイスは4 4 4（ぞろめ）。続けてダイスを振らなければMsを引ける",
    )
    play = after("Any face", dice=(4, 4, 5), action=Action.B)
    assert labels(play, Use(ANY, (5,), (4,))) == (
        "Use Any face to turn a 5 into 4: the dice show 4 4 4, a triple; a stone may then be drawn",
        "「好きな目」を使い、5を4にする：ダイスは4 4 4（ぞろめ）。この後Msを引ける",
    )


def test_tt_7_a_use_on_all_dice_says_what_they_show() -> None:
    play = given("Mirror", pack=ODD_PACK, dice=(1, 2, 2))
    assert labels(play, Use(card("Mirror", ODD_PACK), (1, 2, 2), (6, 5, 5))) == (
        "Use Mirror to change all dice: they show 5 5 6, a pair",
        "「鏡」を使い、全てのダイスの目を変える：ダイスは5 5 6（わんぺあ）",
    )
    play = given("Earthquake", pack=ODD_PACK, dice=(1, 2, 2))
    assert labels(play, Use(card("Earthquake", ODD_PACK), (1, 2, 2), ())) == (
        "Use Earthquake to roll all three dice again",
        "「地震」を使い、ダイスを3個とも振り直す",
    )


def test_tt_8_a_use_after_a_roll_under_a_says_that_it_bars_a_draw() -> None:
    def said(use: Use, **stage: Any) -> str:
        return labels(after("+1, Re-roll", dice=(3, 4, 4), action=Action.A, **stage), use)[0]

    use, wins, again = Use(PLUS, (4,), (5,)), Use(PLUS, (3,), (4,)), Use(AGAIN, (4,), ())
    assert said(use) == "Use +1 to turn a 4 into 5: the dice show 3 4 5, a run; no magic card may be drawn after it"
    assert said(again) == "Use Re-roll to roll 4 again and keep 3 4; no magic card may be drawn after it"
    assert said(wins).endswith("the dice show 4 4 4, a triple; a stone may then be drawn, but no magic card")
    assert said(use, used=True) == said(use, drew=True) == "Use +1 to turn a 4 into 5: the dice show 3 4 5, a run"


def test_tt_8_a_dice_action_says_what_it_lets_the_seat_do_afterwards() -> None:
    play, poor = given("+1", dice=(2, 3, 5)), given(dice=(2, 3, 5))
    assert labels(play, Roll((2, 3, 5))) == (
        "Roll all three dice (action A); you may then draw as the dice allow, but no magic card once you used one",
        "ダイスを3個とも振る（アクションA）。この後、目に応じて引けるが、Mgを使うとMgは引けない",
    )
    assert labels(poor, Roll((2, 5))) == (
        "Roll 2 5 and keep 3 (action A); you may then draw as the dice allow",
        "2 5を振って3を残す（アクションA）。この後、目に応じて引ける",
    )
    assert labels(play, Roll((5,))) == (
        "Roll the die that shows 5 and keep 2 3 (action B); "
        "you may then use magic cards, and draw a stone on a triple, but no magic card",
        "5を振って2 3を残す（アクションB）。この後Mgを使え、ぞろめならMsを引けるが、Mgは引けない",
    )
    assert labels(poor, Roll((5,))) == (
        "Roll the die that shows 5 and keep 2 3 (action B); you may then draw a stone on a triple, but no magic card",
        "5を振って2 3を残す（アクションB）。この後ぞろめならMsを引けるが、Mgは引けない",
    )


def test_tt_8_to_roll_nothing_says_what_may_be_drawn() -> None:
    assert labels(given(dice=TRIPLE), KeepDice()) == (
        "Roll nothing and keep 4 4 4, a triple (action C); you may then draw a stone or a level 1 card",
        "ダイスを振らず、4 4 4（ぞろめ）を残す（アクションC）。この後MsかLv1のMgを引ける",
    )
    assert labels(given("+1", dice=(2, 3, 4)), KeepDice())[0] == (
        "Roll nothing and keep 2 3 4, a run (action C); you may then draw a level 2 card, but use no magic card"
    )
    assert labels(given("+1", dice=(1, 3, 6)), KeepDice()) == (
        "Roll nothing and keep 1 3 6 (action C); you can then draw nothing and use no magic card",
        "ダイスを振らず、1 3 6を残す（アクションC）。この後何も引けず、Mgも使えない",
    )
    assert labels(given(dice=(1, 3, 6)), KeepDice())[0].endswith("you can then draw nothing")


def test_tt_10_a_draw_of_a_card_says_why_and_what_it_costs() -> None:
    assert labels(after(dice=(2, 3, 4)), DrawCard(2)) == (
        "Draw a level 2 card: the dice show 2 3 4, a run",
        "Lv2のMgを引く：ダイスは2 3 4（れんばん）",
    )
    full = after("+1, +1, -1", dice=(2, 2, 4))
    assert labels(full, DrawCard(1))[0].endswith("; you discard a magic card first, for your hand is full")
    assert labels(full, DrawCard(1))[1].endswith("。手札が上限なので、先にMgを1枚捨てる")


def test_tt_14_a_draw_says_that_its_deck_has_run_out() -> None:
    play = after(dice=(2, 2, 4))
    first, second = play.table.decks
    play.table = replace(play.table, decks=(Deck((), known(first.cards)), second))
    assert labels(play, DrawCard(1))[0].endswith("a pair; the deck has run out and is made of the discards again")


def test_tt_12_a_draw_of_a_stone_says_that_the_round_ends() -> None:
    assert labels(after("+1"), DrawStone()) == (
        "Draw a stone: the dice show 4 4 4, a triple; the round ends, and magic cards in hand go back to their decks",
        "Msを引く：ダイスは4 4 4（ぞろめ）。ラウンドが終わり、手札のMgは山札に戻る",
    )
    assert labels(after(modes=(Mode.KIND,)), DrawStone())[0].endswith(
        "the round ends, and your magic cards go back to their decks"
    )
    assert "; you discard a magic card first, for your hand is full; " in labels(after("+1, +1, -1"), DrawStone())[0]


@pytest.mark.parametrize(
    ("stones", "more", "note"),
    [
        (((2, 2),), {}, "the round ends, and you leave the first exam"),
        (((2, 2),), {"seats": 2}, "the final exam follows"),
        (((2,), (2, 2), (1,)), {}, "the final exam follows"),
        (((2,),), {"round": 12}, "the final exam follows"),
    ],
)
def test_tt_3_tt_13_a_draw_of_a_stone_says_when_an_exam_ends(stones: Any, more: dict[str, Any], note: str) -> None:
    assert labels(after(stones=stones, **more), DrawStone())[0].endswith(f"; {note}")


def test_tt_23_a_stone_in_knockout_says_how_far_it_is_to_the_goal() -> None:
    play = after(stones=((1, 2),), modes=(Mode.KNOCKOUT,))
    assert labels(play, DrawStone())[0].endswith("the round ends, unless you win: you have 3 points so far, and 5 win")
    play = after(stones=((1,), (2, 2), (2, 3)), modes=(Mode.KNOCKOUT,))
    assert labels(play, TakeStone(1)) == (
        "Take one of seat 1's 2 stones by chance (4 4 4, a triple); "
        "the round ends, unless you win: you have 1 point so far, and 5 win",
        "席1のMs2枚から無作為に1枚引く：ダイスは4 4 4（ぞろめ）。"
        "これで勝たなければラウンドが終わる（いま1点、5点で勝ち）",
    )
    play = after(stones=((1, 2), (2,), (2, 3)), modes=(Mode.KNOCKOUT,))
    english, japanese = labels(play, TakeStone(1))
    assert english.startswith("Take seat 1's only stone (4 4 4, a triple); ")
    assert japanese.startswith("席1のただ1枚のMsを引く：ダイスは4 4 4（ぞろめ）。")


def test_tt_23_a_summoner_reads_from_how_many_stones_one_is_drawn() -> None:
    play = given(stones=((1,), (2, 2), (3,)), step=Step.SUMMON, modes=(Mode.KNOCKOUT,))
    assert labels(play, MixWith(1)) == (
        "Mix the summoning stone with seat 1's 2 stones and draw one of these 3 by chance",
        "召喚のMsを席1のMs2枚に混ぜ、合わせて3枚から無作為に1枚引く",
    )
    assert (
        labels(play, MixWith(2))[0] == "Mix the summoning stone with seat 2's 1 stone and draw one of these 2 by chance"
    )
    assert labels(play, MixWithDeck()) == (
        "Mix the summoning stone with the deck (1 stone) and draw one of these 2 by chance",
        "召喚のMsを山札のMs1枚に混ぜ、合わせて2枚から無作為に1枚引く",
    )


def test_tt_2_a_discard_says_what_the_card_does_and_what_it_is_for() -> None:
    assert labels(given("+1, +1, Copy", step=Step.DISCARD, level=2), Discard(card("Copy"))) == (
        "Discard Copy (one die takes the face of another), then draw a level 2 card",
        "「写し」（ダイス1個を別のダイスと同じ目にする）を捨てて、Lv2のMgを引く",
    )
    assert labels(given("+1, +1, Copy", step=Step.DISCARD), Discard(PLUS)) == (
        "Discard +1 (one die shows 1 more), then draw a stone",
        "「+1」（ダイス1個の目を1増やす）を捨てて、Msを引く",
    )


def test_tt_12_a_discard_at_a_rounds_start_says_how_much_too_full_the_hand_is() -> None:
    play = given("+1, +1, Copy", stones=((2, 2),), step=Step.LIMIT, turn=0)
    assert labels(play, Discard(PLUS)) == (
        "Discard +1 (one die shows 1 more); your hand is 2 over its limit of 3",
        "「+1」（ダイス1個の目を1増やす）を捨てる：手札が上限の3枚を2枚超えている",
    )


def test_tt_11_the_end_of_a_turn_says_who_goes_on_with_which_dice() -> None:
    play = after(dice=(2, 5, 5), action=Action.B)
    assert labels(play, Reroll(5)) == (
        "End your turn and roll a 5 again: seat 1 goes on with 2 5 and the new face",
        "5を振り直して手番を終える：席1は2 5と新しい目から始める",
    )
    assert labels(play, LeaveDice()) == (
        "End your turn: seat 1 goes on with 2 5 5, a pair",
        "手番を終える：席1は2 5 5（わんぺあ）から始める",
    )


def test_tt_9_the_end_of_a_turn_says_what_is_not_drawn() -> None:
    assert labels(after(dice=(2, 5, 5)), LeaveDice())[0].endswith("a pair; you draw no magic card")
    assert labels(after(), Reroll(4)) == (
        "End your turn and roll a 4 again: seat 1 goes on with 4 4 and the new face; you draw no stone",
        "4を振り直して手番を終える：席1は4 4と新しい目から始める。Msは引かない",
    )


def test_tt_14_the_last_turn_of_a_round_says_so() -> None:
    play = after(dice=(2, 5, 6), turn=120)
    assert labels(play, Reroll(5)) == (
        "End your turn, the round's last, and roll a 5 again",
        "5を振り直し、ラウンド最後の手番を終える",
    )
    assert labels(play, LeaveDice()) == ("End your turn, the round's last", "ラウンド最後の手番を終える")


def test_tt_11_stocking_says_when_the_card_comes_back() -> None:
    play = given("+1, Copy", step=Step.STOCK)
    assert labels(play, Stock(1, PLUS)) == (
        "Stock +1 (one die shows 1 more): it comes back to your hand in the next round, not before",
        "「+1」（ダイス1個の目を1増やす）をストックする：次のラウンドで手札に加わり、それまでは使えない",
    )
    assert labels(play, StockNothing()) == (
        "Stock nothing: what you hold when the round ends goes back to its deck",
        "ストックしない：ラウンドの終わりに手札に残るMgは山札に戻る",
    )


def test_tt_4_a_label_is_the_same_whatever_others_hold() -> None:
    def said(hand: str, stones: tuple[int, ...]) -> list[str]:
        table = after("+1", hand, stones=((1,), stones), dice=(4, 4, 5), action=Action.A).table
        return [GAME.label(table, 0, move, "en") for move in GAME.legal(table, 0)]

    assert said("Flip", (2, 2)) == said("Copy", (2, 3))
