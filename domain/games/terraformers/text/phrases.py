"""The names of seats, cards and numbers in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Lang, Seat, Spoken
from domain.games.terraformers.components import Name
from domain.games.terraformers.text.en import BRIEF_EN, EN
from domain.games.terraformers.text.ja import BRIEF_JA, JA
from domain.games.terraformers.text.words import Words
from domain.telling import figure

WORDS: dict[Lang, Words] = {"en": EN, "ja": JA}
BRIEF: dict[Lang, Words] = {"en": BRIEF_EN, "ja": BRIEF_JA}
"""The words of a card's print, as short as labels need them."""


def seat_name(words: Words, seat: Seat) -> str:
    """Return the seat, counted from 0 as in the data, in a form that a name can replace."""
    return words.seat.format(number=seat)


def card_name(words: Words, card: Name) -> str:
    """Return the card's name in the language."""
    return card.ja if words is JA else card.name


def spoken(words: Words, text: Spoken) -> str:
    """Return a name or a text of a view in the language."""
    return text.ja if words is JA else text.en


def counted(forms: tuple[str, str], n: int) -> str:
    """Return so many of a thing: `1 tip`, `2 tips`."""
    return forms[n != 1].format(n=figure(n))


def out_of_hand(words: Words, tips: int, hand: int) -> str:
    """Return so many tips of those in hand: `2 tips`, `all your 2 tips`, `your last tip`."""
    return counted(words.label.all_tips if tips == hand else words.tips, tips)


def in_a_row(words: Words, parts: Sequence[str]) -> str:
    """Return several texts in one: `a`, `a and b`, `a, b and c`."""
    return words.comma.join(parts[:-1]) + words.and_ + parts[-1] if len(parts) > 1 else parts[0]


def sentence(text: str) -> str:
    """Return the text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
