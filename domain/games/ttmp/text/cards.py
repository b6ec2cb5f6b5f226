"""What is printed on stones and magic cards, in words, for RULES.md."""

from __future__ import annotations

from typing import assert_never

from domain.game import Lang
from domain.games.ttmp.effects import AnyEffect, Copy, Flip, Reroll, Shift, Turn
from domain.games.ttmp.pack import MagicCard, Pack, StoneCard

WORDS: dict[Lang, dict[str, str]] = {
    "en": {
        "head": "| card | level | copies | what it does |",
        "stone": "Ms of {points}",
        "summons": "the summoning stone",
        "or": " or ",
        "shift one": "One die shows {steps}.",
        "shift all": "Each die shows {steps}.",
        "more": "{by} more",
        "less": "{by} less",
        "turn": "One die is turned to {faces}, as you choose.",
        "turn one": "One die is turned to {faces}.",
        "any": "any face",
        "copy": "One die takes the face of another.",
        "flip one": "One die is turned over: 7 less its face.",
        "flip all": "Each die is turned over: 7 less its face.",
        "reroll": "{dice} dice are rolled again.",
        "reroll 1": "One die is rolled again.",
    },
    "ja": {
        "head": "| カード | Lv | 枚数 | 効果 |",
        "stone": "{points}点のMs",
        "summons": "召喚のMs",
        "or": "か",
        "shift one": "ダイス1個の目を{steps}。",
        "shift all": "全てのダイスの目を{steps}。",
        "more": "{by}増やす",
        "less": "{by}減らす",
        "turn": "ダイス1個を{faces}のうち選んだ目にする。",
        "turn one": "ダイス1個を{faces}にする。",
        "any": "好きな目",
        "copy": "ダイス1個を別のダイスと同じ目にする。",
        "flip one": "ダイス1個を裏返す(7から目を引いた数)。",
        "flip all": "全てのダイスを裏返す(7から目を引いた数)。",
        "reroll": "ダイス{dice}個を振り直す。",
        "reroll 1": "ダイス1個を振り直す。",
    },
}


def cards(pack: Pack, lang: Lang) -> str:
    """A Markdown table of everything that the pack prints: a line a stone, a line a magic card."""
    rows = [_stone(stone, lang) for stone in pack.stones] + [_card(card, lang) for card in pack.cards]
    return "\n".join((WORDS[lang]["head"], "|---|---|---|---|", *rows))


def _stone(stone: StoneCard, lang: Lang) -> str:
    words = WORDS[lang]
    name = words["stone"].format(points=stone.points)
    return f"| {name} | | {stone.copies} | {words['summons'] if stone.summons else ''} |"


def _card(card: MagicCard, lang: Lang) -> str:
    name = card.ja if lang == "ja" else card.name
    return f"| {name} | {card.level} | {card.copies} | {_effect(card.effect, WORDS[lang])} |"


def _effect(effect: AnyEffect, words: dict[str, str]) -> str:
    match effect:
        case Shift(by=by, dice=on):
            steps = (words["more" if step > 0 else "less"].format(by=abs(step)) for step in by)
            return words[f"shift {on}"].format(steps=words["or"].join(steps))
        case Turn(to=to):
            if len(to) == 6:
                return words["turn one"].format(faces=words["any"])
            text = words["turn" if len(to) > 1 else "turn one"]
            return text.format(faces=words["or"].join(map(str, to)))
        case Copy():
            return words["copy"]
        case Flip(dice=on):
            return words[f"flip {on}"]
        case Reroll(dice=dice):
            return words["reroll 1" if dice == 1 else "reroll"].format(dice=dice)
        case _:
            assert_never(effect)
