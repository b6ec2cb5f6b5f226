"""What a hand allows, looked up by which cards it holds.

A pile counts each kind in four bits, and no kind but innocents passes 7 (MG-1): adding 7 to each count sets its top bit
where there is one card at least, adding 5 where there are three. Those bits of a school are one of 128 numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from domain.games.magicative.components import (
    FORMS,
    INNOCENTS,
    INNOCENTS_FROM,
    INNOCENTS_PILE,
    NUMBERS,
    ONE,
    RUNS,
    SCHOOL_BITS,
    SCHOOL_PILE,
    SCHOOLS,
    Card,
    Pile,
    School,
    card_of,
)
from domain.games.magicative.moves import Awaken, Declare, Discard, Fix, Give, Imitate, Put

M = TypeVar("M")
Make = Fix | Awaken

Bits = int
"""Of a school or of all three: the top bit of each kind that is there often enough."""

EACH = sum(1 << 4 * place for place in range(3 * NUMBERS))
TOPS = 8 * EACH
SINGLES, PAIRS, THREES, FOURS = 7 * EACH, 6 * EACH, 5 * EACH, 4 * EACH
"""What is added to a pile, so that the top bit of a kind says: one at least, two, three, four."""


def _by_bits(make: Callable[[School, tuple[int, ...]], tuple[M, ...]]) -> tuple[dict[Bits, tuple[M, ...]], ...]:
    """By school, then by the bits of the numbers that are there: what is made of them."""
    tables: list[dict[Bits, tuple[M, ...]]] = []
    for school in SCHOOLS:
        table = {}
        for there in range(1 << NUMBERS):
            numbers = tuple(number for number in range(1, NUMBERS + 1) if there >> number - 1 & 1)
            table[sum(8 << 4 * (number - 1) for number in numbers)] = make(school, numbers)
        tables.append(table)
    return tuple(tables)


def _cards(school: School, numbers: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(card_of(school, number) for number in numbers)


def _discards(school: School, numbers: tuple[int, ...]) -> tuple[Discard, ...]:
    return tuple(map(Discard, _cards(school, numbers)))


def _gives(school: School, numbers: tuple[int, ...]) -> tuple[Give, ...]:
    return tuple(map(Give, _cards(school, numbers)))


def _puts(school: School, numbers: tuple[int, ...]) -> tuple[Put, ...]:
    return tuple(map(Put, _cards(school, numbers)))


def _runs(school: School, numbers: tuple[int, ...]) -> tuple[Make, ...]:
    return tuple(Fix(school, run) for run in FORMS[:RUNS] if all(number in numbers for number in run))


def _threes(school: School, numbers: tuple[int, ...]) -> tuple[Make, ...]:
    return tuple(Fix(school, (number, number, number)) for number in numbers)


def _awakenings(school: School, numbers: tuple[int, ...]) -> tuple[Make, ...]:
    return tuple(map(Awaken, _cards(school, numbers)))


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


CARDS = _by_bits(_cards)
DISCARDS = _by_bits(_discards)
GIVES = _by_bits(_gives)
PUTS = _by_bits(_puts)
RUNS_OF = _by_bits(_runs)
THREES_OF = _by_bits(_threes)
AWAKENINGS_OF = _by_bits(_awakenings)
RUNS_WITH_ONE = _by_bits(_runs_with_one)
THREES_WITH_ONE = _by_bits(_threes_with_one)
WITH_TWO = _by_bits(_with_two)
DISCARD_INNOCENT, GIVE_INNOCENT, PUT_INNOCENT = (Discard(0),), (Give(0),), (Put(0),)
DECLARES = tuple(Declare(school) for school in SCHOOLS)


def of_each(tables: tuple[dict[Bits, tuple[M, ...]], ...], bits: Bits) -> tuple[M, ...]:
    """What the three schools' tables say."""
    a, b, c = tables
    return a[bits & SCHOOL_PILE] + b[bits >> SCHOOL_BITS & SCHOOL_PILE] + c[bits >> 2 * SCHOOL_BITS & SCHOOL_PILE]


def cards_in(pile: Pile) -> tuple[Card, ...]:
    """The kinds of a hand but for innocents, each once."""
    return of_each(CARDS, (pile + SINGLES) & TOPS)


def gives(pile: Pile) -> tuple[Give, ...]:
    """Every kind of the hand. Rule: MG-8."""
    moves = of_each(GIVES, (pile + SINGLES) & TOPS)
    return moves + GIVE_INNOCENT if pile >> INNOCENTS_FROM else moves


def puts(pile: Pile) -> tuple[Put, ...]:
    """Every kind of the hand. Rule: MG-15."""
    moves = of_each(PUTS, (pile + SINGLES) & TOPS)
    return moves + PUT_INNOCENT if pile >> INNOCENTS_FROM else moves


def makes_and_discards(pile: Pile) -> tuple[tuple[Make, ...], tuple[Discard, ...]]:
    """Formulas without innocents and awakenings; and every kind of the hand. Rule: MG-7, MG-9, MG-11."""
    bits = (pile + SINGLES) & TOPS
    a, b, c = bits & SCHOOL_PILE, bits >> SCHOOL_BITS & SCHOOL_PILE, bits >> 2 * SCHOOL_BITS
    moves = RUNS_OF[0][a] + RUNS_OF[1][b] + RUNS_OF[2][c]
    discards = DISCARDS[0][a] + DISCARDS[1][b] + DISCARDS[2][c]
    if pile >> INNOCENTS_FROM:
        discards += DISCARD_INNOCENT
    if threes := (pile + THREES) & TOPS:
        moves += of_each(THREES_OF, threes)
        if fours := (pile + FOURS) & TOPS:
            moves += of_each(AWAKENINGS_OF, fours)
    return moves, discards


def covers(pile: Pile, cards: Pile) -> bool:
    """Whether a hand holds these cards, no innocents and at most three of a kind among them."""
    return (pile & ~INNOCENTS_PILE | TOPS) - cards & TOPS == TOPS


def has_pair(pile: Pile, at: int) -> bool:
    """Whether two cards of the school at that place and an innocent make a formula. Rule: MG-10."""
    bits = (pile + SINGLES) >> at * SCHOOL_BITS & SCHOOL_PILE & TOPS
    if bits & (bits >> 4 | bits >> 8):
        return True
    return (pile + PAIRS) >> at * SCHOOL_BITS & TOPS & SCHOOL_PILE > 0


def declares(pile: Pile, innocents: int) -> tuple[Declare, ...]:
    """The schools of which a formula with innocents can be fixed. Rule: MG-10."""
    if not innocents:
        return ()
    return tuple(
        [
            declare
            for at, declare in enumerate(DECLARES)
            if has_pair(pile, at) or (innocents >= INNOCENTS and pile >> at * SCHOOL_BITS & SCHOOL_PILE)
        ]
    )


def with_innocents(pile: Pile, at: int, innocents: int) -> tuple[Fix, ...]:
    """The formulas of the school at that place with one or two innocents in them, of so many at hand. Rule: MG-10."""
    part = pile >> at * SCHOOL_BITS & SCHOOL_PILE
    bits = part + SINGLES & SCHOOL_PILE & TOPS
    one = RUNS_WITH_ONE[at][bits] + THREES_WITH_ONE[at][part + PAIRS & SCHOOL_PILE & TOPS]
    return one + WITH_TWO[at][bits] if innocents >= INNOCENTS else one


def may_imitate(pile: Pile, size: int) -> bool:
    """Whether a hand of that size makes a formula in which some card counts as innocent. Rule: MG-15."""
    if innocents := pile >> INNOCENTS_FROM:
        return size - innocents >= 2
    return size >= 3 and (has_pair(pile, 0) or has_pair(pile, 1) or has_pair(pile, 2))


def imitations(pile: Pile) -> tuple[Imitate, ...]:
    """The cards that may count as innocent, so that a formula can be fixed with one. Rule: MG-15."""
    innocents = (pile >> INNOCENTS_FROM) + 1
    return tuple([Imitate(card) for card in cards_in(pile) if declares(pile - ONE[card], innocents)])
