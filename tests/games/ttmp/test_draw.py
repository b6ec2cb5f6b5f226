"""The table as text, for a player and at the end."""

from __future__ import annotations

import pytest

from domain.chance import Simulation
from domain.game import Lang
from domain.games.ttmp import GAME, events
from domain.games.ttmp.components import Action, Mode
from domain.games.ttmp.state import Step
from tests.games.ttmp.table import Play, card, given, new

PLUS = card("+1")


def lines(play: Play, lang: Lang = "en") -> list[str]:
    """The table as somebody without a seat sees it."""
    drawn: str = GAME.draw(GAME.view(play.table, None), lang)
    return drawn.splitlines()


def test_the_table_is_drawn_for_a_player() -> None:
    play = given("+1, Any face", "Flip", stones=((2,), (3,)), stocks=("", "-1"), dice=(2, 2, 5), modes=(Mode.KIND,))
    play.fold(events.CardDiscarded(0, 1, PLUS), events.ExamLeft(2))
    drawn = GAME.draw(GAME.view(play.table, 0), "en")
    assert drawn.splitlines() == [
        "Round 1, turn 5 · start player seat 0 · kind mode",
        "A hand holds at most 3 cards, stones among them; 80 points or more pass the final exam",
        "Seat 0 is to use a magic card, or choose a dice action.",
        "Dice: 2 2 5, a pair (before the dice action)",
        "Decks: 3 stones, 8 of level 1, 8 of level 2",
        "Discards of level 1: +1",
        "",
        "Seat 0",
        "  stones: a 2-point stone",
        "  hand: Any face",
        "",
        "Seat 1",
        "  stones: 1 stone face down",
        "  hand: 1 of level 2",
        "  stocked: 1 of level 1",
        "",
        "Seat 2 (has left the first exam)",
        "  stones: none",
        "  hand: none",
    ]


def test_the_table_is_drawn_before_anything_happened_and_in_japanese() -> None:
    play = given("+1, Any face", dice=(), step=Step.DEALING, turn=0, round=0)
    drawn = GAME.draw(GAME.view(play.table, 0), "ja")
    assert drawn.splitlines()[:4] == [
        "第1ラウンドの前・標準ルール",
        "手札はMsを含めて3枚まで。最終魔力値80以上で合格",
        "準備中。",
        "山札：Ms5枚、Lv1のMg9枚、Lv2のMg9枚",
    ]
    assert "  手札：「+1」、「好きな目」" in drawn


def test_tt_12_before_a_rounds_first_turn_there_is_no_turn_and_no_dice() -> None:
    play = given("+1, +1, -1, -1", step=Step.LIMIT, turn=0, round=2)
    assert lines(play)[0] == "Round 2, before its first turn · start player seat 0 · standard rules"
    assert lines(play)[2] == "Seat 0 is to discard a magic card: the hand is over its limit."
    assert not [line for line in lines(play) if line.startswith("Dice")]


def test_tt_6_a_table_can_be_drawn_after_each_event_also_before_the_first_roll() -> None:
    play = Play(new())
    for event in GAME.setup(play.table, Simulation(1)):
        drawn = lines(play.fold(event))
        assert any(line.startswith("Dice: ") for line in drawn) == isinstance(event, events.DiceRolled)


@pytest.mark.parametrize(
    ("modes", "terms"),
    [
        ((), "A hand holds at most 2 cards, stones among them; 80 points or more pass the final exam"),
        ((Mode.HARD,), "A hand holds at most 2 cards, stones among them; 100 points or more pass the final exam"),
        ((Mode.RANKING,), "A hand holds at most 2 cards, stones among them; the highest value in the final exam wins"),
        ((Mode.KNOCKOUT,), "A hand holds any number of cards; the first with 4 points of stones wins"),
    ],
)
def test_tt_2_tt_17_the_limit_of_hands_and_the_goal_are_drawn(modes: tuple[Mode, ...], terms: str) -> None:
    assert lines(given(seats=4, modes=modes))[1] == terms


def test_tt_8_a_turn_names_what_may_be_done_and_nothing_that_is_barred() -> None:
    def said(hand: str, step: Step = Step.AFTER, **stage: object) -> str:
        return lines(given(hand, dice=(6, 6, 6), step=step, **stage))[2]  # type: ignore[arg-type]

    assert said("", Step.ACTION) == "Seat 0 is to choose a dice action."
    assert said("+1", action=Action.A) == (
        "Seat 0 is to draw a stone, or draw a level 1 card, or use a magic card, or end the turn."
    )
    assert said("+1", action=Action.A, used=True) == "Seat 0 is to draw a stone, or use a magic card, or end the turn."
    assert said("+1", action=Action.B) == "Seat 0 is to draw a stone, or use a magic card, or end the turn."
    assert said("+1", action=Action.C) == "Seat 0 is to draw a stone, or draw a level 1 card, or end the turn."
    assert said("+1", action=Action.FIRST, drew=True) == "Seat 0 is to end the turn."


def test_tt_11_in_the_turn_change_the_dice_are_no_more_what_the_action_made_them() -> None:
    play = given("+1", dice=(1, 4, 6), step=Step.STOCK, action=Action.A)
    assert "Dice: 1 4 6" in lines(play)
    assert "ダイス：1 4 6" in lines(play, "ja")


def test_tt_23_a_stone_of_another_is_named_so() -> None:
    stones = ((), (2, 2), (1, 2, 3))
    play = given(dice=(6, 6, 6), step=Step.AFTER, action=Action.B, stones=stones, modes=(Mode.KNOCKOUT,))
    assert lines(play)[2] == "Seat 0 is to take one of another's stones, or end the turn."
    assert lines(play, "ja")[2] == "席0は他の席のMsを1枚引くか、手番を終える番。"


def test_tt_18_the_end_is_drawn_with_the_result() -> None:
    play = given(stones=((1,), (2, 2), ()), round=5).fold(
        events.StonesShown(((1,), (2, 2), ())), events.MatchEnded((30, 120, 0), (2, 1, 2), (1,))
    )
    drawn = lines(play)
    assert drawn[0] == "The match is over after round 5 · standard rules"
    assert drawn[2] == "Seat 1 wins with 120 points."
    assert "Seat 1: 120 points" in drawn
    assert "  stones: a 2-point stone, a 2-point stone" in drawn
    assert not [line for line in drawn if "turn" in line or "obody" in line]
    assert lines(play, "ja")[2] == "席1が120点で勝った。"
