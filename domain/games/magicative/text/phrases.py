"""Words for pieces: seats, cards, formulas, specials."""

from __future__ import annotations

from domain.game import Lang, Seat
from domain.games.magicative.abilities import Group
from domain.games.magicative.components import INNOCENT, Lying, number_of, school_of
from domain.games.magicative.text.en import EN
from domain.games.magicative.text.ja import JA
from domain.games.magicative.text.words import Words

WORDS: dict[Lang, Words] = {"en": EN, "ja": JA}


def seat_name(words: Words, seat: Seat) -> str:
    """Counted from 0."""
    return words.seat.format(number=seat)


def card_name(words: Words, card: int | None) -> str:
    """A card, which may be hidden from the reader."""
    if card is None:
        return words.hidden
    if card == INNOCENT:
        return words.innocent
    return words.card.format(school=words.school[school_of(card)], number=number_of(card))


def card_names(words: Words, cards: Lying) -> str:
    """Several, in their order; those that are hidden are counted."""
    known = [card_name(words, card) for card in cards if card is not None]
    if len(known) < len(cards):
        known.append(words.cards_unseen.format(count=len(cards) - len(known)))
    return words.between_cards.join(known) or words.nothing


def number_names(numbers: tuple[int, ...]) -> str:
    """`2-3-4`."""
    return "-".join(map(str, numbers))


def special_name(words: Words, group: Group) -> str:
    """What its formulas are."""
    fields = {name: getattr(group, name) for name in group.__struct_fields__}
    return words.special[type(group)].format(**fields)


def sentence(text: str) -> str:
    """With a capital at its beginning."""
    return text[:1].upper() + text[1:]
