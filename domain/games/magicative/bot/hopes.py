"""The worth of formulas not yet fixed, and of a hand by them, in tenths of a point."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import assert_never

from domain.game import Value, total
from domain.games.magicative.abilities import (
    AllNumbers,
    AllRuns,
    EqualRuns,
    Group,
    NumberInEverySchool,
    RunInEverySchool,
)
from domain.games.magicative.components import (
    AWAKENING,
    FORMS,
    FORMULA,
    INNOCENTS_FROM,
    NUMBERS,
    RUNS,
    SCHOOL_BITS,
    SCHOOL_PILE,
    SCHOOLS,
    Pile,
    counts_of,
)
from domain.games.magicative.pack import Pack
from domain.games.magicative.rules.scoring import Counts, by_form, completed
from domain.games.magicative.state import Formula

Weights = tuple[float, ...]
"""By form: what a further formula of a school would bring, chips and progress."""

POINT = 10.0
NEARER = tuple(float(Fraction(0.4) ** missing) for missing in range(NUMBERS + 1))
"""The part of a special's worth that is left, by how many formulas it misses. An audit holds the clock's moves against
worths made of it, so it must be the same on every machine: the last bit of `0.4**missing` is not."""
READY = 0.75
"""The part of its worth that a formula has in hand."""
NEARLY = 0.3
"""The part of its worth that a formula has in hand if one card is missing."""
AWAKENING_WORTH = 10.0
THREE_OF_FOUR = 1.0
"""The worth of three equal cards above that of a formula."""
CARD = 0.4
INNOCENT_WORTH = 4.0


class SchoolProspects(Value, frozen=True, cache_hash=True):
    """What further formulas of a school would bring."""

    weights: Weights
    awakening: float
    """The worth of four equal cards."""
    fourth: float
    """The worth of three equal cards, for the fourth that may come."""


class Prospects(Value, frozen=True):
    """What each further formula would bring."""

    progress: float
    """The worth of the fixed formulas towards specials."""
    schools: tuple[SchoolProspects, ...]


def prospects(
    pack: Pack, formulas: tuple[Formula, ...], awakening: float = AWAKENING_WORTH, fourth: float = 0.0
) -> Prospects:
    """Return what each further formula would bring to a seat that has fixed these."""
    # cards and order don't count, so positions that differ in nothing else are judged once
    plain = sorted((formula.school, formula.form) for formula in formulas)
    now, schools = _weights(pack, tuple(Formula(school, form, ()) for school, form in plain))
    return Prospects(now, tuple(SchoolProspects(weights, awakening, fourth) for weights in schools))


@lru_cache(maxsize=1 << 12)
def _weights(pack: Pack, formulas: tuple[Formula, ...]) -> tuple[float, tuple[Weights, ...]]:
    """Return the worth of these formulas towards specials, and what each further one would bring, by school."""
    now = _progress(pack, by_form(formulas))
    return now, tuple(
        tuple(_weight(pack, formulas, Formula(school, form, ()), now) for form in range(len(FORMS)))
        for school in range(len(SCHOOLS))
    )


def _weight(pack: Pack, formulas: tuple[Formula, ...], formula: Formula, now: float) -> float:
    chips = pack.play.formula + sum([gained for _, gained in completed(pack.specials, formulas, formula)])
    return POINT * chips + _progress(pack, by_form((*formulas, formula))) - now


def _progress(pack: Pack, schools: tuple[Counts, ...]) -> float:
    forms = tuple(zip(*schools, strict=True))
    # an audit holds the clock's moves against these worths, so they are added alike by every Python
    return total(POINT * special.points * NEARER[_missing(special.group, schools, forms)] for special in pack.specials)


def _missing(group: Group, schools: tuple[Counts, ...], forms: tuple[Counts, ...]) -> int:
    """Return about how many formulas are missing to the next group of a special. `forms`: counts by form and school."""
    match group:
        case RunInEverySchool():
            return min(map(_missing_of, forms[:RUNS]))
        case NumberInEverySchool():
            return min(map(_missing_of, forms[RUNS:]))
        case _:
            return min([_missing_in(group, counts) for counts in schools])


@lru_cache(maxsize=1 << 10)
def _missing_in(group: EqualRuns | AllRuns | AllNumbers, counts: Counts) -> int:
    """Return the same for a group of one school."""
    match group:
        case EqualRuns(times=times):
            return min(times - count % times for count in counts[:RUNS])
        case AllRuns():
            return _missing_of(counts[:RUNS])
        case AllNumbers():
            return _missing_numbers(counts)
        case _:
            assert_never(group)


@lru_cache(maxsize=1 << 10)
def _missing_of(counts: Counts) -> int:
    """Return how many formulas it takes to raise the least of these counts by one."""
    return counts.count(min(counts))


def _missing_numbers(counts: Counts) -> int:
    """Return the fewest formulas for the missing numbers; if none is missing, for all numbers."""
    held = {number for numbers, many in zip(FORMS, counts, strict=True) if many for number in numbers}
    missing = NUMBERS - len(held) or NUMBERS
    return -(-missing // FORMULA)


def worth_of_hand(pile: Pile, hoped: Prospects) -> float:
    """Return the worth of the cards in hand by the formulas that they may become."""
    worth = INNOCENT_WORTH * (pile >> INNOCENTS_FROM)
    for school in hoped.schools:
        if part := pile & SCHOOL_PILE:
            worth += _worth_of_part(part, school)
        pile >>= SCHOOL_BITS
    return worth


@lru_cache(maxsize=1 << 16)
def _worth_of_part(part: Pile, school: SchoolProspects) -> float:
    """Return the worth of a school's cards, seen in the best way: as formulas, their parts and single cards."""
    return _best(counts_of(part), 0, school)


@lru_cache(maxsize=1 << 16)
def _best(counts: tuple[int, ...], lowest: int, school: SchoolProspects) -> float:
    """Return the worth of a school's cards from that number on, in the best groups; lower cards are used already."""
    while lowest < NUMBERS and not counts[lowest]:
        lowest += 1
    if lowest == NUMBERS:
        return 0.0
    found = CARD + _best(_less(counts, lowest), lowest, school)
    for cards, worth in _groups(lowest, school):
        if all(counts[place] >= cards.count(place) for place in cards):
            found = max(found, worth + _best(_less(counts, *cards), lowest, school))
    return found


@lru_cache(maxsize=1 << 12)
def _groups(lowest: int, school: SchoolProspects) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return the groups that can be made of a card and higher ones, with their worth."""
    weights = school.weights
    equal = weights[RUNS + lowest]
    found: list[tuple[tuple[int, ...], float]] = [
        ((lowest,) * AWAKENING, school.awakening),
        ((lowest,) * 3, max(READY * equal, school.fourth) + THREE_OF_FOUR),
        ((lowest,) * 2, NEARLY * equal),
    ]
    if lowest < RUNS:
        found.append(((lowest, lowest + 1, lowest + 2), READY * weights[lowest]))
    for above in (1, 2):
        runs = [run for run in range(lowest + above - 2, lowest + 1) if 0 <= run < RUNS]
        if lowest + above < NUMBERS and runs:
            open_ended = 1 + 0.5 * (len(runs) - 1)
            found.append(((lowest, lowest + above), NEARLY * open_ended * max(weights[run] for run in runs)))
    return tuple(found)


def _less(counts: tuple[int, ...], *places: int) -> tuple[int, ...]:
    left = list(counts)
    for place in places:
        left[place] -= 1
    return tuple(left)
