"""The print of a pack in words, for RULES.md: the sixty cards, the prices, and the scores of a win.

And the names of the pieces.
"""

from __future__ import annotations

from collections.abc import Iterable

from domain.game import Lang, Names
from domain.games.three_magic.components import ATTRIBUTES, DECK, NUMBERS, attribute_of, has_star, number_of
from domain.games.three_magic.pack import Pack
from domain.games.three_magic.text.describe import WORDS, card_name
from domain.texts import Words, table


def cards(pack: Pack, lang: Lang) -> str:
    """Return two Markdown tables: the cards, and the pack's numbers in od."""
    words = WORDS[lang]
    faces, numbers = _faces(words), _numbers(pack, words)
    return "\n\n".join((table(words["print-cards"], faces), table(words["print-numbers"], numbers)))


def _faces(words: Words) -> Iterable[tuple[str, ...]]:
    for attribute in ATTRIBUTES:
        for number in range(NUMBERS):
            copies = [card for card in DECK if (attribute_of(card), number_of(card)) == (attribute, number)]
            yield words[f"attribute-{attribute}"], str(number), str(len(copies)), str(sum(map(has_star, copies)))


def _numbers(pack: Pack, words: Words) -> Iterable[tuple[str, ...]]:
    for part in (pack.prices, pack.scores):
        for name in part.__struct_fields__:
            value, key = getattr(part, name), name.replace("_", "-")
            yield ", ".join(map(str, value)) if isinstance(value, tuple) else str(value), words[f"print-{key}"]


TERMS = ("od", "hand")
"""The parts of which the worth of a position is made: see `Game.terms`."""


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of cards, attributes, and parts of a position's worth, which every pack has."""
    words = WORDS[lang]
    return {
        "card": {str(card): card_name(words, card) for card in sorted(set(DECK))},
        "attribute": {attribute.value: words[f"attribute-{attribute}"] for attribute in ATTRIBUTES},
        "term": {name: words[f"term-{name}"] for name in TERMS},
    }
