"""Words for seats, cards, formulas, specials and points."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from domain import texts
from domain.games.magicative.abilities import Group
from domain.games.magicative.components import INNOCENT, Card, Lying, School, number_of, school_of
from domain.texts import Words

NAMES = texts.read("domain.games.magicative.text", "names")
WORDS = texts.later("domain.games.magicative.text", "names", "words")


def card_name(words: Words, card: Card | None) -> str:
    """Return a card in a sentence; it may be hidden from the reader."""
    if card is None:
        return words["hidden"]
    return words["an-innocent"] if card == INNOCENT else card_alone(words, card)


@lru_cache(maxsize=256)
def card_alone(words: Words, card: Card) -> str:
    """Return a card by its name, outside of a sentence."""
    if card == INNOCENT:
        return words["innocent"]
    return words["card"].format(school=words[f"school-{school_of(card)}"], number=number_of(card))


def aptitude_name(words: Words, school: School, number: int, names: tuple[int, ...]) -> str:
    """Return an aptitude card, with the numbers that it names if there are several. Rule: MG-2."""
    name = words["card"].format(school=words[f"school-{school}"], number=number)
    return words["naming"].format(card=name, first=names[0], last=names[-1]) if len(names) > 1 else name


def card_names(words: Words, cards: Lying) -> str:
    """Return several cards in their order, with the number of those that are hidden from the reader."""
    known = [card_alone(words, card) for card in cards if card is not None]
    if hidden := len(cards) - len(known):
        known.append(counted(words["unseen"], hidden))
    return words["between-cards"].join(known) or words["nothing"]


def one_of(words: Words, names: list[str]) -> str:
    """Return things of which one is chosen, at least one: `magic, alchemy or astrology`."""
    *others, last = names
    return words["either-more"].join(others) + words["either"] + last if others else last


def counted(text: str, count: int) -> str:
    """Return so many of something: `1 point`, `−2 points`, with a minus sign and no hyphen."""
    return text.format(number=count).replace("-", "−")


def number_names(numbers: tuple[int, ...]) -> str:
    """Return `2-3-4`."""
    return "-".join(map(str, numbers))


def wild_names(words: Words, wild: Iterable[tuple[Card, int]]) -> str:
    """Return the cards of a formula that count as other numbers, each with its number; "" if there are none."""
    names = words["between-wild"].join(
        words["stands-for"].format(card=card_name(words, card), number=number) for card, number in wild
    )
    return words["wild"].format(wild=names) if names else ""


def special_name(words: Words, group: Group) -> str:
    """Return the pattern of a special's formulas."""
    fields = {name: getattr(group, name) for name in group.__struct_fields__}
    return words[f"special-{type(group).__name__}"].format(**fields)
