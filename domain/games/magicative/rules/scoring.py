"""The score of a further formula: the groups of specials that it completes, and aptitude cards.

Rule: MG-13, MG-14, MG-16.
"""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from domain.games.magicative.abilities import (
    AllNumbers,
    AllRuns,
    EqualRuns,
    Group,
    NumberInEverySchool,
    RunInEverySchool,
)
from domain.games.magicative.components import FORMS, NUMBERS, RUNS, SCHOOLS
from domain.games.magicative.pack import Special
from domain.games.magicative.state import Formula, Won, aptitude_points, points

Counts = tuple[int, ...]
"""How many formulas of each form one school has."""


def by_form(formulas: tuple[Formula, ...]) -> tuple[Counts, ...]:
    """Return how many formulas there are of each form, for each school."""
    counts = [[0] * len(FORMS) for _ in SCHOOLS]
    for formula in formulas:
        counts[formula.school][formula.form] += 1
    return tuple(map(tuple, counts))


def completed(
    specials: tuple[Special, ...], formulas: tuple[Formula, ...], formula: Formula
) -> tuple[tuple[Group, int], ...]:
    """Return the specials that a formula completes, with their points, in the pack's order.

    Rule:    MG-13, MG-14: a formula completes at most one more group of each kind.
    """
    if not formulas:
        return ()
    school, form = formula.school, formula.form
    own, alike = [0] * len(FORMS), [0] * len(SCHOOLS)
    for other in formulas:
        if other.school == school:
            own[other.form] += 1
        elif other.form == form:
            alike[other.school] += 1
    own[form] += 1
    del alike[school]
    return _completed(specials, tuple(own), form, min(alike))


@lru_cache(maxsize=1 << 12)
def _completed(specials: tuple[Special, ...], own: Counts, form: int, elsewhere: int) -> tuple[tuple[Group, int], ...]:
    return tuple(
        (special.group, special.points) for special in specials if makes_one_more(special.group, own, form, elsewhere)
    )


def makes_one_more(group: Group, own: Counts, form: int, elsewhere: int) -> bool:
    """Return whether a formula of that form raises the largest number of disjoint groups.

    `own` are the formulas of its school, with this one; each of the other schools has at least `elsewhere` of its form.

    In every kind of group but one, each form occurs equally often. The number of groups is then that of the rarest
    form, and a formula raises it if no other form has fewer.

    Rule:    MG-13, MG-14.
    """
    count = own[form]
    match group:
        case EqualRuns(times=times):
            return form < RUNS and count % times == 0
        case RunInEverySchool():
            return form < RUNS and count <= elsewhere
        case NumberInEverySchool():
            return form >= RUNS and count <= elsewhere
        case AllRuns():
            return form < RUNS and count <= min([own[run] for run in range(RUNS) if run != form])
        case AllNumbers():
            return whole_sets(own) > whole_sets((*own[:form], count - 1, *own[form + 1 :]))
        case _:
            assert_never(group)


HOLDING = tuple(
    tuple(form for form, numbers in enumerate(FORMS) if number in numbers) for number in range(1, NUMBERS + 1)
)
"""By number: the forms that have it."""


def whole_sets(counts: Counts) -> int:
    """Return how many disjoint groups have all numbers from 1 to 7 each: as many as formulas with the rarest number.

    There cannot be more. And there are as many, because every form is a stretch of neighbouring numbers: take the
    formulas by their first number, and give each to the group that reaches least far so far. Then none of n groups
    misses a number that n formulas have.

    Rule:    MG-13, MG-14.
    """
    return min([sum([counts[form] for form in holding]) for holding in HOLDING])


def total_with(won: Won, formula: Formula) -> int:
    """Return the points with a further formula, before its chips: shown aptitude cards count its cards too.

    Rule:    MG-16.
    """
    total = points(won)
    for aptitude in won.aptitudes:
        if aptitude.is_shown:
            total += aptitude_points((formula,), aptitude)
    return total
