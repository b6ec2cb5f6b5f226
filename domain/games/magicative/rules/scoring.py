"""What a further formula scores: specials, of which it adds groups to those made, and aptitude cards.

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
    """How many formulas there are of each form, a school after the other."""
    counts = [[0] * len(FORMS) for _ in SCHOOLS]
    for formula in formulas:
        counts[formula.school][formula.form] += 1
    return tuple(map(tuple, counts))


def completed(
    specials: tuple[Special, ...], formulas: tuple[Formula, ...], formula: Formula
) -> tuple[tuple[Group, int], ...]:
    """The specials that a formula completes, with their points, in the pack's order.

    Rule:    MG-13, MG-14: of no kind does a formula make more than one group more.
    """
    if not formulas:
        return ()
    school, form = formula.school, formula.form
    own, alike = [0] * len(FORMS), [0] * len(SCHOOLS)
    for one in formulas:
        if one.school == school:
            own[one.form] += 1
        elif one.form == form:
            alike[one.school] += 1
    own[form] += 1
    del alike[school]
    return _completed(specials, tuple(own), form, min(alike))


@lru_cache(maxsize=1 << 12)
def _completed(specials: tuple[Special, ...], own: Counts, form: int, elsewhere: int) -> tuple[tuple[Group, int], ...]:
    return tuple(
        (special.group, special.points) for special in specials if makes_one_more(special.group, own, form, elsewhere)
    )


def makes_one_more(group: Group, own: Counts, form: int, elsewhere: int) -> bool:
    """Whether the largest number of disjoint groups is greater by a formula of that form.

    `own` are the formulas of its school, itself counted already; each of the other schools has as many of its form as
    `elsewhere`, or more.

    Of all but one kind a group has as many formulas of each of its forms as any other: the number of groups is that of
    the form there is least of, and grows by a formula where no other form has fewer.

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
"""By number: the forms that hold it."""


def whole_sets(counts: Counts) -> int:
    """How many disjoint groups hold all numbers from 1 to 7 each: as many as there are formulas with the rarest number.

    More there can't be. And so many there are, because every form is a stretch of neighbouring numbers: shared out by
    where they begin, each to the group that so far reaches least, none of n groups misses a number that n of them hold.

    Rule:    MG-13, MG-14.
    """
    return min([sum([counts[form] for form in holding]) for holding in HOLDING])


def total_with(won: Won, formula: Formula) -> int:
    """The points with a further formula, before its chips: shown aptitude cards count its cards too. Rule: MG-16."""
    total = points(won)
    for aptitude in won.aptitudes:
        if aptitude.is_shown:
            total += aptitude_points((formula,), aptitude)
    return total
