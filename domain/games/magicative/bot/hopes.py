"""The worth of formulas not yet fixed, and of a hand by them, in tenths of a point."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from domain.game import Value
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
Equal = tuple[float, float]
"""`Prospects.awakening` and `Prospects.fourth`."""

POINT = 10.0
NEARER = 0.4
"""The part of a special's worth that is left for each formula that it misses."""
READY = 0.75
"""The part of its worth that a formula has in hand."""
NEARLY = 0.3
"""The part of its worth that a formula has in hand if one card is missing."""
AWAKENING_WORTH = 10.0
THREE_OF_FOUR = 1.0
"""The worth of three equal cards above that of a formula."""
CARD = 0.4
INNOCENT_WORTH = 4.0


class Prospects(Value, frozen=True):
    """What each further formula would bring."""

    progress: float
    """The worth of the fixed formulas towards specials."""
    weights: tuple[Weights, ...]
    """By school and form: chips and progress."""
    awakening: float = AWAKENING_WORTH
    """The worth of four equal cards."""
    fourth: float = 0.0
    """The worth of three equal cards, for the fourth that may come."""


@lru_cache(maxsize=1 << 12)
def prospects(pack: Pack, formulas: tuple[Formula, ...]) -> Prospects:
    """Return what each further formula would bring to a seat that has fixed these."""
    now = _progress(pack, by_form(formulas))
    return Prospects(
        progress=now,
        weights=tuple(
            tuple(_weight(pack, formulas, Formula(school, form, ()), now) for form in range(len(FORMS)))
            for school in range(len(SCHOOLS))
        ),
    )


def _weight(pack: Pack, formulas: tuple[Formula, ...], formula: Formula, now: float) -> float:
    chips = pack.play.formula + sum(gained for _, gained in completed(pack.specials, formulas, formula))
    return POINT * chips + _progress(pack, by_form((*formulas, formula))) - now


def _progress(pack: Pack, schools: tuple[Counts, ...]) -> float:
    return sum(POINT * special.points * NEARER ** _missing(special.group, schools) for special in pack.specials)


def _missing(group: Group, schools: tuple[Counts, ...]) -> int:
    """Return about how many formulas are missing to the next group of a special."""
    match group:
        case EqualRuns(times=times):
            return min(times - counts[run] % times for counts in schools for run in range(RUNS))
        case RunInEverySchool():
            return min(_missing_of([counts[run] for counts in schools]) for run in range(RUNS))
        case NumberInEverySchool():
            return min(_missing_of([counts[form] for counts in schools]) for form in range(RUNS, len(FORMS)))
        case AllRuns():
            return min(_missing_of(list(counts[:RUNS])) for counts in schools)
        case AllNumbers():
            return min(map(_missing_numbers, schools))
        case _:
            assert_never(group)


def _missing_of(counts: list[int]) -> int:
    """Return how many formulas it takes to raise the least of these counts by one."""
    least = min(counts)
    return counts.count(least)


def _missing_numbers(counts: Counts) -> int:
    """Return the fewest formulas for the missing numbers; if none is missing, for all numbers."""
    held = {number for numbers, many in zip(FORMS, counts, strict=True) if many for number in numbers}
    missing = NUMBERS - len(held) or NUMBERS
    return -(-missing // FORMULA)


def worth_of_hand(pile: Pile, hoped: Prospects) -> float:
    """Return the worth of the cards in hand by the formulas that they may become."""
    worth = INNOCENT_WORTH * (pile >> INNOCENTS_FROM)
    for at, weights in enumerate(hoped.weights):
        if part := pile >> at * SCHOOL_BITS & SCHOOL_PILE:
            worth += _worth_of_part(part, weights, (hoped.awakening, hoped.fourth))
    return worth


@lru_cache(maxsize=1 << 16)
def _worth_of_part(part: Pile, weights: Weights, equal: Equal) -> float:
    """Return the worth of a school's cards, seen in the best way: as formulas, their parts and single cards."""
    return _best(counts_of(part), 0, weights, equal)


@lru_cache(maxsize=1 << 16)
def _best(counts: tuple[int, ...], lowest: int, weights: Weights, equal: Equal) -> float:
    """Return the worth of a school's cards from that number on, in the best groups; lower cards are used already."""
    while lowest < NUMBERS and not counts[lowest]:
        lowest += 1
    if lowest == NUMBERS:
        return 0.0
    found = CARD + _best(_less(counts, lowest), lowest, weights, equal)
    for cards, worth in _groups(lowest, weights, equal):
        if all(counts[place] >= cards.count(place) for place in cards):
            found = max(found, worth + _best(_less(counts, *cards), lowest, weights, equal))
    return found


@lru_cache(maxsize=1 << 12)
def _groups(lowest: int, weights: Weights, equal_cards: Equal) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return the groups that can be made of a card and higher ones, with their worth."""
    equal = weights[RUNS + lowest]
    awakening, fourth = equal_cards
    found: list[tuple[tuple[int, ...], float]] = [
        ((lowest,) * AWAKENING, awakening),
        ((lowest,) * 3, max(READY * equal, fourth) + THREE_OF_FOUR),
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
