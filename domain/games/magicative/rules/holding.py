"""What a hand allows, looked up by how many cards of each kind it holds.

A school's part of a hand is one number, and few of them come up again and again: what it allows is worked out once.
"""

from __future__ import annotations

from functools import lru_cache

from domain.game import Value
from domain.games.magicative.components import (
    AWAKENING,
    FORMS,
    INNOCENTS,
    INNOCENTS_FROM,
    NUMBERS,
    SCHOOL_BITS,
    SCHOOL_PILE,
    SCHOOLS,
    Cards,
    Numbers,
    Pile,
    card_of,
)
from domain.games.magicative.moves import Awaken, Declare, Discard, Fix, Give, Imitate, Put

DISCARD_INNOCENT, GIVE_INNOCENT, PUT_INNOCENT = Discard(0), Give(0), Put(0)
DECLARES = tuple(Declare(school) for school in SCHOOLS)


class Held(Value, frozen=True):
    """What a hand's cards of one school allow."""

    kinds: Cards = ()
    makes: tuple[Fix | Awaken, ...] = ()
    """Formulas without innocents, and awakenings. Rule: MG-9, MG-11."""
    discards: tuple[Discard, ...] = ()
    gives: tuple[Give, ...] = ()
    puts: tuple[Put, ...] = ()
    count: int = 0
    has_pair: bool = False
    """Whether two of them and an innocent make a formula. Rule: MG-10."""


Parts = tuple[Held, Held, Held]


@lru_cache(maxsize=1 << 15)
def held_of(at: int, part: Pile) -> Held:
    """What those cards of the school at that place allow; `part` counts its numbers from the lowest bits."""
    school = SCHOOLS[at]
    counts = counts_of(part)
    kinds = tuple(card_of(school, number) for number, held in enumerate(counts, 1) if held)
    fixes = tuple(Fix(school, numbers) for numbers in FORMS if lacks(counts, numbers) == 0)
    awakenings = (Awaken(card_of(school, number)) for number, held in enumerate(counts, 1) if held >= AWAKENING)
    return Held(
        kinds=kinds,
        makes=(*fixes, *awakenings),
        discards=tuple(map(Discard, kinds)),
        gives=tuple(map(Give, kinds)),
        puts=tuple(map(Put, kinds)),
        count=sum(counts),
        has_pair=any(lacks(counts, numbers) <= 1 for numbers in FORMS),
    )


def counts_of(part: Pile) -> tuple[int, ...]:
    """How many of each number."""
    return tuple(part >> shift & 15 for shift in range(0, SCHOOL_BITS, 4))


def lacks(counts: tuple[int, ...], numbers: Numbers) -> int:
    """How many cards of a formula are missing."""
    first, second, third = numbers
    if first == second:
        return max(0, 3 - counts[first - 1])
    return (not counts[first - 1]) + (not counts[second - 1]) + (not counts[third - 1])


def parts_of(pile: Pile) -> Parts:
    """A hand by schools."""
    return (
        held_of(0, pile & SCHOOL_PILE),
        held_of(1, pile >> SCHOOL_BITS & SCHOOL_PILE),
        held_of(2, pile >> 2 * SCHOOL_BITS & SCHOOL_PILE),
    )


def declares(parts: Parts, innocents: int) -> tuple[Declare, ...]:
    """The schools of which a formula with innocents can be fixed. Rule: MG-10."""
    if not innocents:
        return ()
    return tuple(
        declare
        for declare, part in zip(DECLARES, parts, strict=True)
        if part.has_pair or (innocents >= INNOCENTS and part.count)
    )


@lru_cache(maxsize=1 << 12)
def with_innocents(at: int, part: Pile, innocents: int) -> tuple[Fix, ...]:
    """The formulas of a school with one or two innocents in them, of so many at hand. Rule: MG-10."""
    counts = counts_of(part)
    found: dict[Fix, None] = {}
    for numbers in FORMS:
        for declared in _declared(numbers, min(innocents, INNOCENTS)):
            left = list(numbers)
            for number in declared:
                left.remove(number)
            if all(counts[number - 1] >= left.count(number) for number in left):
                found[Fix(SCHOOLS[at], numbers, declared)] = None
    return tuple(found)


def _declared(numbers: Numbers, most: int) -> tuple[tuple[int, ...], ...]:
    """The numbers of a formula that innocents may stand for."""
    first, second, third = numbers
    ones = ((first,), (second,), (third,))
    twos = ((first, second), (first, third), (second, third))
    return ones + twos if most >= INNOCENTS else ones


def may_imitate(pile: Pile) -> bool:
    """Whether a formula can be fixed in which some card counts as innocent. Rule: MG-15."""
    parts = parts_of(pile)
    cards = sum(part.count for part in parts)
    if pile >> INNOCENTS_FROM:
        return cards >= 2
    return cards >= 3 and any(part.has_pair for part in parts)


def imitations(pile: Pile) -> tuple[Imitate, ...]:
    """The cards that may count as innocent, so that a formula can be fixed with one. Rule: MG-15."""
    innocents = pile >> INNOCENTS_FROM
    return tuple(
        Imitate(card)
        for part in parts_of(pile)
        for card in part.kinds
        if declares(parts_of(without(pile, card)), innocents + 1)
    )


def without(pile: Pile, card: int) -> Pile:
    """The pile less one of that card, which is no innocent."""
    return pile - (1 << (card // 10 * NUMBERS + card % 10 - 1) * 4)
