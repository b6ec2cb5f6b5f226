"""The cards, the formulas that three of them make, and piles of cards in no order."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from domain.game import Value

Card = Annotated[
    int,
    Meta(
        title="Card",
        description="A card by its number: school * 10 + number, where the school is 0 magic, 1 alchemy or 2 astrology"
        " and the number on the card is 1 to 7; 0 is an innocent. Copies are equal.",
        extra_json_schema={"minimum": 0, "maximum": 27},
    ),
]
"""A card マジカカード: school * 10 + number, school 0 to 2; 0 is an innocent. Copies are equal, without identity."""

Cards = Annotated[tuple[Card, ...], Meta(description="Cards in their order.")]
Lying = Annotated[tuple[Card | None, ...], Meta(description="Cards in their order; null is one that is face down.")]
"""Cards in their order, as a viewer knows them: None is a card whose face the viewer does not know."""

Pile = int
"""Cards in no order: the count of each kind, in four bits each."""

Number = Annotated[
    int, Meta(description="A number on a card, from 1 to 7.", extra_json_schema={"minimum": 1, "maximum": 7})
]
Numbers = Annotated[tuple[Number, Number, Number], Meta(description="Three numbers, ascending or equal.")]

Spot = Annotated[int, Meta(description="A place in a row, from 0 at its left end.", extra_json_schema={"minimum": 0})]
Chips = Annotated[int, Meta(description="How many chips.", extra_json_schema={"minimum": 0})]

SEATS = (2, 3)
NUMBERS = 7  # MG-1
DEALT = 2  # MG-3: cards at a time
DRAWN = 2  # MG-5
FORMULA_DRAWN = 2  # MG-9
AWAKENING = 4  # MG-11: cards
AWAKENING_DRAWN = 3  # MG-11
MOST_OF_A_KIND = 15
"""The most that four bits can count."""


class School(StrEnum):
    """The school of a card. Rule: MG-1."""

    MAGIC = "magic"  # 魔術
    """0 in the number of a card."""
    ALCHEMY = "alchemy"  # 錬金術
    """1 in the number of a card."""
    ASTROLOGY = "astrology"  # 占星術
    """2 in the number of a card."""


SCHOOLS = (School.MAGIC, School.ALCHEMY, School.ASTROLOGY)
AT = {school: at for at, school in enumerate(SCHOOLS)}


class Artefact(StrEnum):
    """The three sages' artefacts 三賢者の魔具. Rule: MG-15."""

    FATE = "fate"  # 運命の調整
    """Looks at the top of the deck and arranges it."""
    PAST = "past"  # 過去の改変
    """Puts hand cards into the user's own row, and takes others of it."""
    INNOCENT = "innocent"  # 無垢の模倣
    """Lets a hand card count as innocent."""


# In Python 3.11 `Artefact.FATE` costs ten times as much as a global name.
FATE, PAST, IMITATION = Artefact

INNOCENT: Card = 0  # 無垢


def card_of(school: School, number: int) -> Card:
    """Return the card of that school and number."""
    return AT[school] * 10 + number


def school_of(card: Card) -> School:
    """Return the school of a card that is no innocent."""
    return SCHOOLS[card // 10]


def number_of(card: Card) -> int:
    """Return the number of a card, from 1 to 7; 0 of an innocent."""
    return card % 10


KINDS: Cards = (INNOCENT, *(card_of(school, number) for school in SCHOOLS for number in range(1, NUMBERS + 1)))
"""The 22 kinds of card. Rule: MG-1."""
CARDS: Cards = KINDS[1:]
"""The kinds that have a school."""


def named(number: int, reach: int) -> tuple[int, ...]:
    """Return the numbers that an aptitude card names: its own, and those at most so far from it. Rule: MG-2."""
    return tuple(range(max(1, number - reach), min(NUMBERS, number + reach) + 1))


SCHOOL_BITS = 4 * NUMBERS
SCHOOL_PILE = (1 << SCHOOL_BITS) - 1
INNOCENTS_FROM = len(SCHOOLS) * SCHOOL_BITS
SHIFT: dict[Card, int] = {INNOCENT: INNOCENTS_FROM} | {kind: 4 * at for at, kind in enumerate(CARDS)}
"""The position of each kind's count in a pile: the schools in their order, the innocents on top."""
ONE: dict[Card, Pile] = {kind: 1 << shift for kind, shift in SHIFT.items()}
"""A pile of one card."""
BITS_OF: dict[Card, Pile] = {kind: 15 << shift for kind, shift in SHIFT.items()}
"""The bits of each kind: a pile that has none of them has no such card."""


EVERY_OTHER = sum(15 << 8 * at for at in range(len(KINDS) // 2))
"""The counts of every other kind."""


def pile_of(cards: Cards) -> Pile:
    """Return the cards as a pile."""
    return sum([ONE[card] for card in cards])


def count(pile: Pile, card: Card) -> int:
    """Return how many cards of that kind a pile has; 0 if it is no card."""
    return pile >> SHIFT[card] & 15 if card in SHIFT else 0


def size(pile: Pile) -> int:
    """Return how many cards a pile has.

    Counts are added in pairs. The sums are digits to the base 256, so the pile modulo 255 is their total. The whole
    game has fewer cards than that: see MOST_CARDS.
    """
    return ((pile & EVERY_OTHER) + (pile >> 4 & EVERY_OTHER)) % 255


def cards_of(pile: Pile) -> Cards:
    """Return the cards of a pile, sorted, innocents first."""
    innocents = (INNOCENT,) * (pile >> INNOCENTS_FROM)
    return sum([_of_school(at, pile >> SCHOOL_BITS * at & SCHOOL_PILE) for at in range(len(SCHOOLS))], innocents)


@lru_cache(maxsize=1 << 12)
def _of_school(at: int, part: Pile) -> Cards:
    """Return the cards of one school's part of a pile. Few parts are in use, and very many piles."""
    counts = enumerate(counts_of(part), start=1)
    return tuple([card for number, count in counts for card in (10 * at + number,) * count])


def counts_of(part: Pile) -> tuple[int, ...]:
    """Return how many cards of each number, 1 first, one school's part of a pile has."""
    return tuple([part >> shift & 15 for shift in range(0, SCHOOL_BITS, 4)])


# A formula 魔法式 has a form within its school: first the runs by their first number, then three equal numbers.
FORMS: tuple[Numbers, ...] = (
    *((first, first + 1, first + 2) for first in range(1, NUMBERS - 1)),
    *((number, number, number) for number in range(1, NUMBERS + 1)),
)
"""123 to 567, then 111 to 777. Rule: MG-9."""
RUNS = len(FORMS) - NUMBERS
FORMULA = len(FORMS[0])  # MG-9: cards
INNOCENTS = FORMULA - 1  # MG-10: the most in a formula
FORM_OF: dict[tuple[int, ...], int] = {numbers: form for form, numbers in enumerate(FORMS)}
FORMULA_CARDS: tuple[tuple[Cards, ...], ...] = tuple(
    tuple(tuple(card_of(school, number) for number in numbers) for numbers in FORMS) for school in SCHOOLS
)
"""By school and form: the cards of a formula without innocents."""
FORMULA_PILES: tuple[tuple[Pile, ...], ...] = tuple(tuple(map(pile_of, forms)) for forms in FORMULA_CARDS)
"""By school and form: the cards of a formula without innocents, as a pile."""


class Options(Value, frozen=True):
    """The options of a match: there are none."""
