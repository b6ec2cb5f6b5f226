"""The cards of a pack in words, as RULES.md lists those of the house's. Rule: TT-1."""

from __future__ import annotations

import pytest

from domain.games.ttmp.text import cards
from tests.games.ttmp.table import ODD_PACK


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
