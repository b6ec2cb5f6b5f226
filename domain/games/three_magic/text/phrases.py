"""Names of seats and cards, as they stand in every sentence."""

from __future__ import annotations

from collections.abc import Iterable

from domain.game import Lang, Seat
from domain.games.three_magic.components import Attribute, Card, attribute_of, has_star, number_of
from domain.games.three_magic.text.en import EN
from domain.games.three_magic.text.ja import JA
from domain.games.three_magic.text.words import Words

WORDS: dict[Lang, Words] = {"en": EN, "ja": JA}


def seat_name(words: Words, seat: Seat) -> str:
    """Seats are told from 0."""
    return words.seat.format(number=seat)


def face_name(words: Words, attribute: Attribute, number: int, star: bool) -> str:
    """`fire 3*`, `火3★`."""
    return words.card.format(attribute=words.attribute[attribute], number=number, star=words.star if star else "")


def card_name(words: Words, card: Card | None) -> str:
    """The card's name, or the sign of a card that is face down."""
    if card is None:
        return words.hidden_card
    return face_name(words, attribute_of(card), number_of(card), has_star(card))


def card_names(words: Words, cards: Iterable[Card | None]) -> str:
    """Cards in their order."""
    return words.between_cards.join(card_name(words, card) for card in cards)


def sentence(text: str) -> str:
    """The text with its first letter as that of a sentence."""
    return text[:1].upper() + text[1:]
