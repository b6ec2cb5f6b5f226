"""The cards of a pack in words, as RULES.md lists those of the house's. Rule: TT-1."""

from __future__ import annotations

import pytest

from domain.games.ttmp import GAME
from domain.games.ttmp.abilities import AnyEffect, Copy, Flip, RollAgain, Shift, Turn
from domain.games.ttmp.moves import Use
from domain.games.ttmp.pack import Pack
from domain.games.ttmp.scene.cards import label
from domain.games.ttmp.text import cards
from tests.games.ttmp.table import ODD_PACK, card, given


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            [
                "3 dice are rolled again.",
                "Each die shows 2 less or 1 more or 5 more.",
                "Each die is turned over: 7 less its face.",
                "One die is turned to 1 or 6, as you choose.",
                "2 dice are rolled again.",
            ],
        ),
        (
            "ja",
            [
                "ダイス3個を振り直す。",
                "全てのダイスの目を2減らすか1増やすか5増やす。",
                "全てのダイスを裏返し、7から目を引いた数にする。",
                "ダイス1個を1か6のうち選んだ目にする。",
                "ダイス2個を振り直す。",
            ],
        ),
    ],
)
def test_tt_1_a_pack_says_what_each_of_its_cards_does(lang: str, said: list[str]) -> None:
    lines = cards(ODD_PACK, lang).splitlines()
    assert [line.split(" | ")[-1].removesuffix(" |") for line in lines[-len(said) :]] == said


@pytest.mark.parametrize(
    ("effect", "drawn"),
    [
        (Shift(by=(1,)), "+1"),
        (Shift(by=(-1,), dice="all"), "-1×3"),
        (Shift(by=(2, -2)), "±2"),
        (Shift(by=(-2, 1, 5), dice="all"), "±×3"),
        (Shift(by=(1, -2)), "±"),
        (Turn(to=(1, 3, 6)), "→1/3/6"),
        (Turn(to=(1, 2, 3, 4)), "→?"),
        (Copy(), "="),
        (Flip(), "⇅"),
        (Flip(dice="all"), "⇅×3"),
        (RollAgain(), "↻"),
        (RollAgain(dice=2), "↻×2"),
    ],
)
def test_what_a_card_does_is_drawn_as_a_sign(effect: AnyEffect, drawn: str) -> None:
    assert label(effect) == drawn


def test_a_card_that_turns_dice_to_one_face_leaves_nothing_to_choose() -> None:
    text = """
name = "one face"
stones = [{ points = 1, copies = 1, summons = true }, { points = 2, copies = 4 }]

[[cards]]
name = "Six"
ja = "六"
level = 1
copies = 10
effect = { does = "turn", to = [6] }

[[cards]]
name = "Up"
ja = "上"
level = 2
copies = 10
effect = { does = "shift", by = [1], dice = "all" }
"""
    pack: Pack = GAME.parse_pack(text.encode(), "one.toml")
    play = given("Six, Up", pack=pack, dice=(1, 3, 5))
    assert GAME.touches(play.table, 0, Use(card("Six", pack), (3,), (6,))) == ("seat.0/hand/card-0", "dice/3")
    assert GAME.touches(play.table, 0, Use(card("Up", pack), (1, 3, 5), (2, 4, 6))) == ("seat.0/hand/card-1",)
