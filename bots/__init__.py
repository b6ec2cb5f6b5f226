"""Players that think: one implementation each for all games, which gets only what a seat sees."""

from __future__ import annotations

from bots.choose import Bot, Eager, Greedy, Random
from domain.game import Lang

BOTS: dict[str, Bot] = {"random": Random(), "greedy": Greedy(), "eager": Eager()}
"""All bots by the name with which a seat is given to them."""

ABOUT: dict[str, dict[Lang, str]] = {
    "random": {
        "en": "Any legal move, each as likely.",
        "ja": "選べる手のどれかを、同じ確率で選ぶ。",
    },
    "greedy": {
        "en": "The move after which its position looks best, one move ahead; of equal ones, any.",
        "ja": "一手先を見て、自分の形勢が最もよく見える手を選ぶ。同じならどれか。",
    },
    "eager": {
        "en": "The kind of move that is rarest in its list, chosen among these as greedy would: it wins less often, and"
        " shows more of a game.",
        "ja": "選べる手のうち最も珍しい種類の手を、greedyと同じ見方で選ぶ。勝ちは少ないが、ゲームの様々な面を見せる。",
    },
}
"""How each bot chooses, in a sentence for people."""
