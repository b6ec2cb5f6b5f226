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
        "いまは引いたカードを差し込むか、リーチ中なら捨てるか、それで上がる番です。",
    ),
    (Refusal("3M-15", "cannot-pay", od=90), "This pledge costs 90 od.", "この誓約には90オドが必要です。"),
    (Refusal("3M-19", "cannot-pay", od=10), "Reach costs 10 od.", "リーチには10オドが必要です。"),
    (
        Refusal("3M-6", "no-such-place", places=8),
        "Your hand has places 0 to 8 to insert a card at.",
        "手札に差し込める位置は0から8までです。",
    ),
]


@pytest.mark.parametrize(("refusal", "english", "japanese"), SAID)
def test_a_refusal_is_a_sentence_in_the_readers_language(refusal: Refusal, english: str, japanese: str) -> None:
    assert GAME.explain(refusal, "en") == english
    assert GAME.explain(refusal, "ja") == japanese
