"""Names of seats, cards and numbers, as they stand in every sentence."""

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
"""What is printed on a card, as short as a label needs it."""


def seat_name(words: Words, seat: Seat) -> str:
    """How the seat is called, counted from 0 as in the data, so that a name can be put in its place."""
    return words.seat.format(number=seat)


def card_name(words: Words, card: Name) -> str:
    """The card's name in the language."""
    return card.ja if words is JA else card.name


def spoken(words: Words, text: Spoken) -> str:
    """A name or a text of a view in the language."""
    return text.ja if words is JA else text.en


def counted(forms: tuple[str, str], n: int) -> str:
    """So many of a thing: `1 tip`, `2 tips`."""
    return forms[n != 1].format(n=figure(n))


def out_of_hand(words: Words, tips: int, hand: int) -> str:
    """So many tips of those in hand: `2 tips`, `all your 2 tips`, `your last tip`."""
    return counted(words.label.all_tips if tips == hand else words.tips, tips)


def in_a_row(words: Words, parts: Sequence[str]) -> str:
    """Several texts in one: `a`, `a and b`, `a, b and c`."""
    return words.comma.join(parts[:-1]) + words.and_ + parts[-1] if len(parts) > 1 else parts[0]


def sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
