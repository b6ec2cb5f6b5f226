"""The names of the pieces: those in moves and events, and those that people read."""

from __future__ import annotations

from domain.game import Lang, Names
from domain.games.three_magic.components import ATTRIBUTES, DECK
from domain.games.three_magic.pack import Pack
from domain.games.three_magic.text.phrases import WORDS, card_name


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of cards and attributes, which every pack has."""
    words = WORDS[lang]
    return {
        "card": {str(card): card_name(words, card) for card in sorted(set(DECK))},
        "attribute": {attribute.value: words.attribute[attribute] for attribute in ATTRIBUTES},
    }
