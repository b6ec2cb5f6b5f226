"""Words for pieces: seats, cards, formulas, specials, numbers of points."""

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
    """The seat, counted from 0."""
    return words.seat.format(number=seat)


def card_name(words: Words, card: Card | None) -> str:
    """A card in a sentence, which may be hidden from the reader."""
    if card is None:
        return words.hidden
    return words.an_innocent if card == INNOCENT else card_alone(words, card)


def card_alone(words: Words, card: Card) -> str:
    """A card by its name, outside of a sentence."""
    if card == INNOCENT:
        return words.innocent
    return words.card.format(school=words.school[school_of(card)], number=number_of(card))


def aptitude_name(words: Words, school: School, number: int, names: tuple[int, ...]) -> str:
    """An aptitude card, with the numbers that it names where these are several. Rule: MG-2."""
    name = words.card.format(school=words.school[school], number=number)
    return words.naming.format(card=name, first=names[0], last=names[-1]) if len(names) > 1 else name


def card_names(words: Words, cards: Lying) -> str:
    """Several cards in their order; those that are hidden from the reader are counted."""
    known = [card_alone(words, card) for card in cards if card is not None]
    if hidden := len(cards) - len(known):
        known.append(counted(words.unseen, hidden))
    return words.between_cards.join(known) or words.nothing


def one_of(words: Words, names: list[str]) -> str:
    """Things of which one is chosen, at least one: `magic, alchemy or astrology`."""
    *others, last = names
    return words.either_more.join(others) + words.either + last if others else last


def counted(forms: Counted, count: int) -> str:
    """So many of something: `1 point`, `2 points`."""
    return forms[abs(count) != 1].format(count=figure(count))


def number_names(numbers: tuple[int, ...]) -> str:
    """`2-3-4`."""
    return "-".join(map(str, numbers))


def wild_names(words: Words, wild: Iterable[tuple[Card, int]]) -> str:
    """The cards of a formula that stand for numbers other than their own, each with its number; empty without any."""
    told = words.between_wild.join(
        words.stands_for.format(card=card_name(words, card), number=number) for card, number in wild
    )
    return words.wild.format(wild=told) if told else ""


def special_name(words: Words, group: Group) -> str:
    """What the formulas of a special are."""
    fields = {name: getattr(group, name) for name in group.__struct_fields__}
    return words.special[type(group)].format(**fields)


def sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
