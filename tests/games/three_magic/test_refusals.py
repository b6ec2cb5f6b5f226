"""Refusals in words, as their seat reads them."""

from __future__ import annotations

import pytest

from domain.game import Refusal
from domain.games.three_magic import GAME
from domain.games.three_magic.state import Phase

SAID = [
    (
        Refusal("3M-7", "wrong-step", step=Phase.DISCARD),
        "You are to discard.",
        "いまは捨てる番です。",
    ),
    (
        Refusal("3M-7", "wrong-step", step=Phase.DRAWN),
        "You are to insert the card you drew, discard it in reach, or win with it.",
        "いまは引いた札を差すか、リーチ中なら捨てるか、それで上がる番です。",
    ),
    (Refusal("3M-15", "cannot-pay", od=90), "This pledge costs 90 od.", "この誓約には90オドが必要です。"),
    (Refusal("3M-19", "cannot-pay", od=10), "Reach costs 10 od.", "リーチには10オドが必要です。"),
    (
        Refusal("3M-6", "no-such-place", places=9),
        "Say where the card goes: there are 9 places for it in your hand.",
        "手札に札を差せる位置は9か所です。どこに差すかを選んでください。",
    ),
    (
        Refusal("3M-7", "no-such-card", cards=6),
        "Your hand has 6 cards: name one of them.",
        "手札は6枚です。その中から1枚を選んでください。",
    ),
]


@pytest.mark.parametrize(("refusal", "english", "japanese"), SAID)
def test_a_refusal_is_a_sentence_in_the_readers_language(refusal: Refusal, english: str, japanese: str) -> None:
    assert GAME.explain(refusal, "en") == english
    assert GAME.explain(refusal, "ja") == japanese
