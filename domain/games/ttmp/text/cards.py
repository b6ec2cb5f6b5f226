"""The print of stones and magic cards, in words; the names of the pieces."""

from __future__ import annotations

from typing import assert_never

from domain.game import Lang, Names
from domain.games.ttmp.abilities import FACES, AnyEffect, Copy, Flip, RollAgain, Shift, Turn, faces_of, steps_of
from domain.games.ttmp.pack import MagicCard, Pack, StoneCard
from domain.games.ttmp.text.describe import WORDS, stone_name
from domain.texts import Words


def cards(pack: Pack, lang: Lang) -> str:
    """Return a Markdown table of all that the pack prints: a line for each stone and each magic card."""
    words = WORDS[lang]
    rows = [_stone(stone, words) for stone in pack.stones] + [_card(card, words) for card in pack.cards]
    return "\n".join((words["print-head"], "|---|---|---|---|", *rows))


def _stone(stone: StoneCard, words: Words) -> str:
    name = words["print-stone"].format(points=stone.points)
    summons = words["print-summons"] if stone.summons else ""
    return f"| {name} | | {stone.copies} | {summons} |"


def _card(card: MagicCard, words: Words) -> str:
    name = card.ja if words.lang == "ja" else card.name
    return f"| {name} | {card.level} | {card.copies} | {effect_text(card.effect, words)} |"


def effect_text(effect: AnyEffect, words: Words) -> str:
    """Return the effect of a magic card as a sentence."""
    match effect:
        case Shift(dice=on):
            steps = (
                words["print-more" if step > 0 else "print-less"].format(by=abs(step)) for step in steps_of(effect)
            )
            return words[f"print-shift-{on}"].format(steps=words["print-or"].join(steps))
        case Turn():
            faces = faces_of(effect)
            if len(faces) == len(FACES):
                return words["print-turn-one"].format(faces=words["print-any"])
            text = words["print-turn" if len(faces) > 1 else "print-turn-one"]
            return text.format(faces=words["print-or"].join(map(str, faces)))
        case Copy():
            return words["print-copy"]
        case Flip(dice=on):
            return words[f"print-flip-{on}"]
        case RollAgain(dice=dice):
            return words["print-reroll-1" if dice == 1 else "print-reroll"].format(dice=dice)
        case _:
            assert_never(effect)


TERMS = ("stones", "cards", "turn", "rivals")
"""The parts of which the worth of a position is made: see `Game.terms`."""


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of magic cards, of stones by their points, and of the parts of a position's worth."""
    words = WORDS[lang]
    return {
        "card": {card.name: card.ja if lang == "ja" else card.name for card in pack.cards},
        "stone": {str(stone.points): stone_name(words, stone.points) for stone in pack.stones},
        "term": {name: words[f"term-{name}"] for name in TERMS},
    }
