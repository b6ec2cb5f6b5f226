"""The names of cards and numbers in sentences."""

from __future__ import annotations

from domain import texts
from domain.game import Spoken
from domain.games.terraformers.components import Name
from domain.telling import figure
from domain.texts import Words

PACKAGE = "domain.games.terraformers.text"
NAMES = texts.read(PACKAGE, "names")
WORDS = texts.later(PACKAGE, "names", "words")
BRIEF = texts.later(PACKAGE, "names", "words", "brief")
"""The words of a card's print, as short as labels need them."""


def card_name(words: Words, card: Name) -> str:
    """Return the card's name in the language."""
    return card.ja if words.lang == "ja" else card.name


def in_language(words: Words, text: Spoken) -> str:
    """Return a name or a text of a view in the language."""
    return text.ja if words.lang == "ja" else text.en


def counted(text: str, number: int) -> str:
    """Return so many of a thing: `1 tip`, `2 tips`, `−1 points`."""
    return text.format(number=number if number >= 0 else figure(number))


def out_of_hand(words: Words, tips: int, hand: int) -> str:
    """Return so many tips of those in hand: `2 tips`, `all your 2 tips`, `your last tip`."""
    return counted(words["label-all-tips" if tips == hand else "tips"], tips)
