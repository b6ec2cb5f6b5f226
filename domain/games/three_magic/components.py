"""The cards (mana), and the combinations that three of them spell."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from domain.game import Value

Card = Annotated[
    int,
    Meta(
        title="Card",
        description="A mana by its number: attribute * 10 + number * 2 + star, where the attribute is 0 fire, 1 wood or"
        " 2 water, the number on the card is 0 to 4, and the star is 1 or 0; no 0 bears a star. Copies are equal.",
        extra_json_schema={"minimum": 0, "maximum": 29},
    ),
]
"""A mana 魔力: attribute * 10 + number * 2 + star. Copies are equal; a card has no identity."""

Cards = Annotated[tuple[Card, ...], Meta(description="Cards in their order.")]
Lying = Annotated[tuple[Card | None, ...], Meta(description="Cards in their order; null is one that is face down.")]
"""Cards in their order, as a viewer knows them: None is a card whose face the viewer does not know."""

Spell = Annotated[tuple[Card, Card, Card], Meta(description="Three cards in the order in which they are read.")]
"""A spell 呪文: three cards in the order in which they are read."""

Number = Annotated[
    int, Meta(description="The number on a card, from 0 to 4.", extra_json_schema={"minimum": 0, "maximum": 4})
]

Position = Annotated[
    int,
    Meta(
        title="Position",
        description="A position in the hand, from 0 at the left.",
        extra_json_schema={"minimum": 0, "maximum": 8},
    ),
]
"""The position of a card in a hand, or where a card is inserted. Rule: 3M-5, 3M-6."""

Od = Annotated[int, Meta(description="How many od.", extra_json_schema={"minimum": 0})]
"""An amount that is paid."""

SEATS = 3  # 3M-2
COPIES = 4  # 3M-1
HAND = 8  # 3M-5
UNUSED = 6  # 3M-5
SPELLS = 3  # 3M-9
PLEDGES = 2  # 3M-15
DEALS_A_LAP = 12  # 3M-34
NUMBERS = 5  # 3M-1


class Attribute(StrEnum):
    """The attribute of a mana, and of a player. Rule: 3M-1, 3M-2."""

    FIRE = "fire"  # 火
    """0 in the number of a card; weak to water."""
    WOOD = "wood"  # 木
    """1 in the number of a card; weak to fire."""
    WATER = "water"  # 水
    """2 in the number of a card; weak to wood."""


ATTRIBUTES = (Attribute.FIRE, Attribute.WOOD, Attribute.WATER)
WEAK_TO = {Attribute.FIRE: Attribute.WATER, Attribute.WOOD: Attribute.FIRE, Attribute.WATER: Attribute.WOOD}  # 3M-2


class Call(StrEnum):
    """The two kinds of pledge. Rule: 3M-14."""

    PON = "pon"
    """Three equal numbers."""
    CHI = "chi"
    """A sequence."""


class Line(StrEnum):
    """How two or three spells repeat a combination, which scores. Rule: 3M-24."""

    EQUAL = "equal"
    """The same combination."""
    ONE_DIRECTION = "one-direction"  # 統一
    """The same sequence, all in one direction."""
    MIXED = "mixed"  # ばらばら
    """The same sequence, in either direction."""


KINDS = 30
"""The codes of cards are below this; the three starred zeros among them do not exist."""


def mana(attribute: Attribute, number: int, star: bool = False) -> Card:
    """Return the card with that attribute and number, with or without a star."""
    return ATTRIBUTES.index(attribute) * 10 + number * 2 + star


# looked up in tables, which takes half the time of a function
attribute_of: Callable[[Card], Attribute] = tuple(ATTRIBUTES[card // 10] for card in range(KINDS)).__getitem__
"""Returns the card's attribute: fire, wood or water."""

number_of: Callable[[Card], int] = tuple(card % 10 // 2 for card in range(KINDS)).__getitem__
"""Returns the card's number, from 0 to 4."""

has_star: Callable[[Card], bool] = tuple(card % 2 == 1 for card in range(KINDS)).__getitem__
"""Returns whether the card bears a star."""

face_of: Callable[[Card], int] = tuple(card // 2 for card in range(KINDS)).__getitem__
"""Returns the card's attribute and number without the star, from 0 to 14. Spells depend on it alone."""

named_by: Callable[[Card], int] = tuple(
    face - 4 if face % NUMBERS == 4 else face + 1 for face in map(face_of, range(KINDS))
).__getitem__
"""Returns the face of the catalyst that an indicator names: the next number of the attribute, 0 after 4. Rule: 3M-26.
"""


def copies_of(card: Card) -> int:
    """Return how many copies of the card there are. Of each 1-4 three of the four bear a star; no 0 does.

    Rule:    3M-1.
    """
    if number_of(card) == 0:
        return 0 if has_star(card) else COPIES
    return COPIES - 1 if has_star(card) else 1


DECK: Cards = tuple(kind for kind in range(KINDS) for _ in range(copies_of(kind)))
"""The 60 cards. Rule: 3M-1."""


# The codes of combinations of three adjacent numbers: 0 none, 1-5 equal numbers 000-444, then the sequences
# 012, 210, 123, 321, 234, 432, 340, 043: even codes ascend, odd ones descend. A 0 is only at an end (3M-8).
ASCENDING = ((0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 0))
FIRST_SEQUENCE = 6
COMBINATIONS: dict[tuple[int, int, int], int] = {(n, n, n): n + 1 for n in range(NUMBERS)}
for _i, _run in enumerate(ASCENDING):
    COMBINATIONS[_run] = FIRST_SEQUENCE + 2 * _i
    COMBINATIONS[_run[::-1]] = FIRST_SEQUENCE + 2 * _i + 1


def _combined(a: Card, b: Card) -> bytes:
    """Return the codes of the combinations that these two cards begin, by the third card."""
    if attribute_of(a) is not attribute_of(b):
        return bytes(KINDS)
    codes = [COMBINATIONS.get((number_of(a), number_of(b), number), 0) for number in range(NUMBERS)]
    return bytes(codes[number_of(c)] if attribute_of(c) is attribute_of(a) else 0 for c in range(KINDS))


COMBINATION = tuple(tuple(_combined(a, b) for b in range(KINDS)) for a in range(KINDS))
"""By cards a, b, c: the code of the combination that they spell in that order; 0 is no spell. Rule: 3M-8."""


def combination(spell: Spell) -> int:
    """Return the code of the combination that three cards spell in their order (see COMBINATIONS), 0 if none."""
    a, b, c = spell
    return COMBINATION[a][b][c]


def is_sequence(code: int) -> bool:
    """Return whether the code is that of a sequence; otherwise it is one of equal numbers."""
    return code >= FIRST_SEQUENCE


def set_of(code: int) -> int:
    """Return a number that a sequence has in both directions, and that no other combination has."""
    return code // 2 if is_sequence(code) else -code


def insertions(first: Card, second: Card, third: Card) -> tuple[Spell, ...]:
    """Return the spells of the third card with the two others in their order: it is put before, between or after."""
    ways = ((third, first, second), (first, third, second), (first, second, third))
    return tuple(way for way in ways if combination(way))


def _completing(a: Card, b: Card) -> int:
    if attribute_of(a) is not attribute_of(b):
        return 0
    return sum(1 << face for face in range(KINDS // 2) if insertions(a, b, face * 2))


COMPLETING = tuple(tuple(_completing(a, b) for b in range(KINDS)) for a in range(KINDS))
"""By cards a, b: the faces that complete a spell with them in that order, as one bit each. Rule: 3M-8, 3M-9."""


# Whether a hand holds two cards, anywhere in it, that make a spell with a given third is asked twice for each discard.
# The index of the answer is how many of each number of an attribute the hand holds, read as a number in base 5.
COUNTED = tuple(tuple(5 ** (kind % 10 // 2) * (kind // 10 == a) for kind in range(KINDS)) for a in range(3))
"""By attribute and card: the amount that the card adds to the index."""


def _partners(number: int) -> set[tuple[int, ...]]:
    """Return the numbers of the two other cards of each spell with that number, the smaller one first."""
    return {
        tuple(sorted(three[:at] + three[at + 1 :])) for three in COMBINATIONS for at in range(3) if three[at] == number
    }


_HELD = [[held // 5**number % 5 for number in range(NUMBERS)] for held in range(5**NUMBERS)]

PARTNERED = tuple(
    bytes(any(held[a] > (a == b) and held[b] for a, b in pairs) for held in _HELD)
    for pairs in map(_partners, range(NUMBERS))
)
"""By the number of the third card, then by the index: whether the hand holds two partners. Rule: 3M-8, 3M-13."""


LAPS = Meta(description="1 is the short game.", extra_json_schema={"enum": [1, 2]})
"""The rule for laps in JSON Schema, for clients that choose options. Rule: 3M-34."""


class Options(Value, frozen=True):
    """The options of a match."""

    laps: Annotated[int, LAPS] = 2
    """2: sun and moon, or 1: the short game. Rule: 3M-34."""
