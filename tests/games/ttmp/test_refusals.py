"""Refusals in words, as their seat reads them."""

from __future__ import annotations

import pytest

from domain.game import Refusal
from domain.games.ttmp import GAME
from domain.games.ttmp.state import Step

SAID = [
    (
        Refusal("TT-11", "wrong-step", step=Step.STOCK),
        "You are to stock a magic card for the next round, or nothing.",
        "いまは次のラウンドのためにMgをストックするか、しないかを選ぶ番です。",
    ),
    (
        Refusal("TT-11", "no-such-die", dice=(1, 3, 5)),
        "The dice show 1, 3, 5: name one of them.",
        "ダイスの目は1、3、5です。その中から1個を選んでください。",
    ),
    (
        Refusal("TT-7", "no-such-use", card=("Plus 1", "+1")),
        "Plus 1 can't be used so on these dice.",
        "このダイスに「+1」をそのようには使えません。",
    ),
    (Refusal("TT-7", "not-your-turn", seat=2), "It is seat 2 that is to act.", "いまは席2の番です。"),
]


@pytest.mark.parametrize(("refusal", "english", "japanese"), SAID)
def test_a_refusal_is_a_sentence_in_the_readers_language(refusal: Refusal, english: str, japanese: str) -> None:
    assert GAME.explain(refusal, "en") == english
    assert GAME.explain(refusal, "ja") == japanese
