"""Words for seats, cards, formulas, specials and points."""

from __future__ import annotations

from collections.abc import Iterable

from domain.game import Lang, Seat
from domain.games.magicative.abilities import Group
from domain.games.magicative.components import INNOCENT, Card, Lying, School, number_of, school_of
from domain.games.magicative.text.en import EN
from domain.games.magicative.text.ja import JA
from domain.games.magicative.text.words import Counted, Words
from domain.telling import figure

WORDS: dict[Lang, Words] = {"en": EN, "ja": JA}


def seat_name(words: Words, seat: Seat) -> str:
    """Return the seat, counted from 0."""
    return words.seat.format(number=seat)


def card_name(words: Words, card: Card | None) -> str:
    """Return a card in a sentence; it may be hidden from the reader."""
    if card is None:
        return words.hidden
    return words.an_innocent if card == INNOCENT else card_alone(words, card)


def card_alone(words: Words, card: Card) -> str:
    """Return a card by its name, outside of a sentence."""
    if card == INNOCENT:
        return words.innocent
    return words.card.format(school=words.school[school_of(card)], number=number_of(card))


def aptitude_name(words: Words, school: School, number: int, names: tuple[int, ...]) -> str:
    """Return an aptitude card, with the numbers that it names if there are several. Rule: MG-2."""
    name = words.card.format(school=words.school[school], number=number)
    return words.naming.format(card=name, first=names[0], last=names[-1]) if len(names) > 1 else name


def card_names(words: Words, cards: Lying) -> str:
    """Return several cards in their order, with the number of those that are hidden from the reader."""
    known = [card_alone(words, card) for card in cards if card is not None]
    if hidden := len(cards) - len(known):
        known.append(counted(words.unseen, hidden))
    return words.between_cards.join(known) or words.nothing


def one_of(words: Words, names: list[str]) -> str:
    """Return things of which one is chosen, at least one: `magic, alchemy or astrology`."""
    *others, last = names
    return words.either_more.join(others) + words.either + last if others else last


def counted(forms: Counted, count: int) -> str:
    """Return so many of something: `1 point`, `2 points`."""
    return forms[abs(count) != 1].format(count=figure(count))


def number_names(numbers: tuple[int, ...]) -> str:
    """Return `2-3-4`."""
    return "-".join(map(str, numbers))


def wild_names(words: Words, wild: Iterable[tuple[Card, int]]) -> str:
    """Return the cards of a formula that count as other numbers, each with its number; "" if there are none."""
    names = words.between_wild.join(
        words.stands_for.format(card=card_name(words, card), number=number) for card, number in wild
    )
    return words.wild.format(wild=names) if names else ""


def special_name(words: Words, group: Group) -> str:
    """Return the pattern of a special's formulas."""
    fields = {name: getattr(group, name) for name in group.__struct_fields__}
    return words.special[type(group)].format(**fields)


def sentence(text: str) -> str:
    """Return the text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
