"""Specials: how many disjoint groups the fixed formulas make. Rule: MG-13, MG-14."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from domain.games.magicative.components import FORMS, NUMBERS, RUNS, SCHOOLS
from domain.games.magicative.primitives import (
    AllNumbers,
    AllRuns,
    EqualRuns,
    Group,
    NumberInEverySchool,
    RunInEverySchool,
)
from domain.games.magicative.state import Formula

Counts = tuple[int, ...]
"""How many formulas of each form one school has."""


def by_form(formulas: tuple[Formula, ...]) -> tuple[Counts, ...]:
    """The formulas counted, a school after the other."""
    counts = [[0] * len(FORMS) for _ in SCHOOLS]
    for formula in formulas:
        counts[formula.school][formula.form] += 1
    return tuple(map(tuple, counts))


def groups(group: Group, schools: tuple[Counts, ...]) -> int:
    """The largest number of disjoint groups of a special: each formula counts in one of them at most.

    All but one are plain: no two of their groups could share formulas but equal ones, so counting them is enough.

    Rule:    MG-13, MG-14.
    """
    match group:
        case EqualRuns(times=times):
            return sum([counts[run] // times for counts in schools for run in range(RUNS)])
        case RunInEverySchool():
            return sum([min([counts[run] for counts in schools]) for run in range(RUNS)])
        case NumberInEverySchool():
            return sum([min([counts[form] for counts in schools]) for form in range(RUNS, len(FORMS))])
        case AllRuns():
            return sum([min(counts[:RUNS]) for counts in schools])
        case AllNumbers():
            return sum([whole_sets(counts) for counts in schools])
        case _:
            assert_never(group)


HOLDING = tuple(
    tuple(form for form, numbers in enumerate(FORMS) if number in numbers) for number in range(1, NUMBERS + 1)
)
"""By number: the forms that hold it."""


@lru_cache(maxsize=1 << 12)
def whole_sets(counts: Counts) -> int:
    """How many disjoint groups hold all numbers from 1 to 7 each. Rule: MG-13, MG-14."""
    most = min([sum([counts[form] for form in holding]) for holding in HOLDING])
    if most < 2:
        return most
    found = 0
    for whole in _wholes(counts, 0, ()):
        left = tuple(many - whole.count(form) for form, many in enumerate(counts))
        found = max(found, 1 + whole_sets(left))
        if found == most:
            break
    return found


def _wholes(counts: Counts, number: int, chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Groups that hold all numbers from the one at that place on, each formula being there for a number."""
    while number < NUMBERS and any(form in HOLDING[number] for form in chosen):
        number += 1
    if number == NUMBERS:
        return [chosen]
    return [whole for form in HOLDING[number] if counts[form] for whole in _wholes(counts, number + 1, (*chosen, form))]
