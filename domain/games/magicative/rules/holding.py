"""The moves that a hand allows, looked up by the cards that it has.

A pile counts each kind in four bits, and no kind except innocents has more than 7 (MG-1). So adding 7 to each count
sets its top bit if there is at least one card, and adding 5 sets it if there are three. The top bits of a school are
one of 128 numbers. Addition binds closer than `&`, which binds closer than `|`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import TypeVar

from domain.games.magicative.components import (
    AWAKENING,
    BITS_OF,
    CARDS,
    FORMS,
    FORMULA,
    INNOCENT,
    INNOCENTS,
    INNOCENTS_FROM,
    KINDS,
    NUMBERS,
    ONE,
    RUNS,
    SCHOOL_BITS,
    SCHOOL_PILE,
    SCHOOLS,
    SHIFT,
    Card,
    Pile,
    School,
    card_of,
)
from domain.games.magicative.moves import Awaken, Declare, Discard, Fix, Give, Imitate, Put
from domain.games.magicative.state import Hand

M = TypeVar("M")
Make = Fix | Awaken | Declare

Bits = int
"""The top bits of the kinds of which there are enough."""

EACH = sum(ONE[card] for card in CARDS)
TOPS = 8 * EACH
SINGLES, PAIRS, FORMULAS, AWAKENINGS = ((8 - least) * EACH for least in (1, 2, FORMULA, AWAKENING))
"""The numbers to add to a pile, so that the top bit of a kind says: at least one, two, enough for a formula of equal
cards, enough for an awakening."""
assert AWAKENING >= FORMULA, "awakenings are looked for only where there are formulas of equal cards"
PARTS = MAGIC, ALCHEMY, ASTROLOGY = tuple(SCHOOL_PILE << SCHOOL_BITS * at for at in range(len(SCHOOLS)))
"""The bits of each school."""
# A neighbour is of the same school: the last number has none above it, the last two have none next but one.
FROM_NEXT = TOPS & ~sum(8 << SHIFT[card_of(school, NUMBERS)] for school in SCHOOLS)
FROM_NEXT_BUT_ONE = FROM_NEXT & ~sum(8 << SHIFT[card_of(school, NUMBERS - 1)] for school in SCHOOLS)


NUMBERS_THERE = [
    (school, tuple(number for number in range(1, NUMBERS + 1) if there >> number - 1 & 1))
    for school in SCHOOLS
    for there in range(1 << NUMBERS)
]
BITS_THERE = [sum(8 << SHIFT[card_of(school, number)] for number in numbers) for school, numbers in NUMBERS_THERE]
"""Of each school: all sets of numbers that may be there, and their bits."""


def _by_bits(make: Callable[[School, tuple[int, ...]], M]) -> dict[Bits, M]:
    """Return a table: by the bits of a school, in their place, what `make` returns for its numbers that are there."""
    return {bits: make(*there) for bits, there in zip(BITS_THERE, NUMBERS_THERE, strict=True)}


def _cards(school: School, numbers: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(card_of(school, number) for number in numbers)


def _runs(school: School, numbers: tuple[int, ...]) -> tuple[Make, ...]:
    return tuple(Fix(school, run) for run in FORMS[:RUNS] if all(number in numbers for number in run))


def _threes(school: School, numbers: tuple[int, ...]) -> tuple[Make, ...]:
    return tuple(Fix(school, (number, number, number)) for number in numbers)


def _runs_with_one(school: School, numbers: tuple[int, ...]) -> tuple[Fix, ...]:
    return tuple(
        Fix(school, run, (innocent,))
        for run in FORMS[:RUNS]
        for innocent in run
        if all(number in numbers for number in run if number != innocent)
    )


def _threes_with_one(school: School, numbers: tuple[int, ...]) -> tuple[Fix, ...]:
    return tuple(Fix(school, (number, number, number), (number,)) for number in numbers)


def _with_two(school: School, numbers: tuple[int, ...]) -> tuple[Fix, ...]:
    return tuple(
        Fix(school, form, form[:at] + form[at + 1 :])
        for form in FORMS
        for at in range(3 if form[0] != form[1] else 1)
        if form[at] in numbers
    )


def _runs_and_discards(school: School, numbers: tuple[int, ...]) -> tuple[tuple[Make, ...], tuple[Discard, ...]]:
    return _runs(school, numbers), tuple(map(Discard, _cards(school, numbers)))


CARDS_OF = _by_bits(_cards)
GIVES = {bits: tuple(map(Give, cards)) for bits, cards in CARDS_OF.items()}
PUTS = {bits: tuple(map(Put, cards)) for bits, cards in CARDS_OF.items()}
RUNS_AND_DISCARDS = _by_bits(_runs_and_discards)
THREES_OF = _by_bits(_threes)
AWAKENINGS_OF: dict[Bits, tuple[Make, ...]] = {bits: tuple(map(Awaken, cards)) for bits, cards in CARDS_OF.items()}
RUNS_WITH_ONE = _by_bits(_runs_with_one)
THREES_WITH_ONE = _by_bits(_threes_with_one)
WITH_TWO = _by_bits(_with_two)
DISCARD_INNOCENT, GIVE_INNOCENT, PUT_INNOCENT = (Discard(0),), (Give(0),), (Put(0),)
DECLARES = {
    (magic, alchemy, astrology): tuple(compress(map(Declare, SCHOOLS), (magic, alchemy, astrology)))
    for magic in (False, True)
    for alchemy in (False, True)
    for astrology in (False, True)
}
"""The moves, by whether each of the schools is possible."""
IMITATES = {card: Imitate(card) for card in KINDS}


def of_each(table: dict[Bits, tuple[M, ...]], bits: Bits) -> tuple[M, ...]:
    """Return the entries of a table by bits for the three schools, one after the other."""
    return table[bits & MAGIC] + table[bits & ALCHEMY] + table[bits & ASTROLOGY]


def cards_in(pile: Pile) -> tuple[Card, ...]:
    """Return the kinds of a hand without innocents, each once."""
    return of_each(CARDS_OF, pile + SINGLES & TOPS)


def gives(pile: Pile) -> tuple[Give, ...]:
    """Return the moves that give a card of the hand in a swap, one for each kind. Rule: MG-8."""
    moves = of_each(GIVES, pile + SINGLES & TOPS)
    return moves + GIVE_INNOCENT if pile >> INNOCENTS_FROM else moves


def puts(pile: Pile) -> tuple[Put, ...]:
    """Return the moves that put a card of the hand into the row, one for each kind. Rule: MG-15."""
    moves = of_each(PUTS, pile + SINGLES & TOPS)
    return moves + PUT_INNOCENT if pile >> INNOCENTS_FROM else moves


def makes_and_discards(pile: Pile) -> tuple[tuple[Make, ...], tuple[Discard, ...]]:
    """Return the moves that fix, awaken or declare a formula, and those that discard. Rule: MG-7, MG-9 to MG-11."""
    bits = pile + SINGLES & TOPS
    runs, discards = RUNS_AND_DISCARDS[bits & MAGIC]
    more_runs, more_discards = RUNS_AND_DISCARDS[bits & ALCHEMY]
    last_runs, last_discards = RUNS_AND_DISCARDS[bits & ASTROLOGY]
    moves = runs + more_runs + last_runs
    discards += more_discards + last_discards
    if threes := pile + FORMULAS & TOPS:
        moves += of_each(THREES_OF, threes)
        if enough := pile + AWAKENINGS & TOPS:
            moves += of_each(AWAKENINGS_OF, enough)
    if innocents := pile >> INNOCENTS_FROM:
        return moves + declares(pile, innocents), discards + DISCARD_INNOCENT
    return moves, discards


def holds(hand: Hand, card: Card) -> bool:
    """Return whether the hand has that card; False if it is no card."""
    return card in BITS_OF and bool((hand.taken | hand.secret) & BITS_OF[card])  # type: ignore[operator]  # see `held`


def covers(pile: Pile, cards: Pile) -> bool:
    """Return whether a hand has these cards, at most three of a kind."""
    # a missing card of a kind borrows from the kind's top bit; a missing innocent makes the number negative
    left = (pile | TOPS) - cards
    return left >= 0 and left & TOPS == TOPS


def _with_others(pile: Pile, innocents: int) -> Bits:
    """Return some bits of every school of which the hand makes a formula with so many innocents. Rule: MG-10.

    With two innocents any card will do; with one it takes two that are equal, neighbours or next but one.
    """
    if not innocents:
        return 0
    bits = pile + SINGLES & TOPS
    if innocents >= INNOCENTS:
        return bits
    return bits & (bits >> 4 & FROM_NEXT | bits >> 8 & FROM_NEXT_BUT_ONE) | pile + PAIRS & TOPS


def declares(pile: Pile, innocents: int) -> tuple[Declare, ...]:
    """Return the schools of which a formula with innocents can be fixed. Rule: MG-10."""
    bits = _with_others(pile, innocents)
    return DECLARES[bool(bits & MAGIC), bool(bits & ALCHEMY), bool(bits & ASTROLOGY)]


def with_innocents(pile: Pile, at: int, innocents: int) -> tuple[Fix, ...]:
    """Return the formulas of the school `at` with one or two innocents, of so many at hand. Rule: MG-10."""
    part = PARTS[at]
    bits = pile + SINGLES & TOPS & part
    one = RUNS_WITH_ONE[bits] + THREES_WITH_ONE[pile + PAIRS & TOPS & part]
    return one + WITH_TWO[bits] if innocents >= INNOCENTS else one


def may_imitate(pile: Pile, size: int) -> bool:
    """Return whether a hand of that size makes a formula in which one of its cards counts as innocent. Rule: MG-15."""
    if innocents := pile >> INNOCENTS_FROM:
        return size - innocents >= 2  # one that counts as innocent, and another one that is no innocent
    return size >= FORMULA and bool(_with_others(pile, 1))


def imitations(pile: Pile) -> tuple[Imitate, ...]:
    """Return the cards that may count as innocent, so that a formula can be fixed. Rule: MG-15."""
    return tuple([IMITATES[card] for card in cards_in(pile) if imitates(pile, card)])


def imitates(pile: Pile, card: Card) -> bool:
    """Return whether that card of a hand may count as innocent; an innocent is one already. Rule: MG-15."""
    innocents = (pile >> INNOCENTS_FROM) + 1
    return card != INNOCENT and bool(_with_others(pile - ONE[card], innocents))
