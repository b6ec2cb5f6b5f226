"""Specials counted by disjoint groups, against counting by trying everything. Rules MG-13, MG-14."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.magicative.abilities import (
    AllNumbers,
    AllRuns,
    EqualRuns,
    Group,
    NumberInEverySchool,
    RunInEverySchool,
)
from domain.games.magicative.components import FORMS, RUNS
from domain.games.magicative.pack import Special
from domain.games.magicative.rules.scoring import by_form, completed, makes_one_more, whole_sets
from domain.games.magicative.state import Formula
from tests.games.magicative.table import PACK, formula

Key = tuple[int, int]
"""School and form."""

GROUPS: tuple[Group, ...] = (
    EqualRuns(times=2),
    EqualRuns(times=3),
    RunInEverySchool(),
    NumberInEverySchool(),
    AllNumbers(),
    AllRuns(),
)
MOST = 9


@pytest.mark.parametrize(("form", "are_runs"), [(RUNS - 1, True), (RUNS, False)])
def test_mg_13_the_last_run_567_is_a_run_and_the_first_equal_numbers_111_are_none(form: int, are_runs: bool) -> None:
    assert FORMS[form] == ((5, 6, 7) if are_runs else (1, 1, 1))
    own = tuple(2 if at == form else 2 * (at < RUNS) for at in range(len(FORMS)))
    for group in (EqualRuns(times=2), RunInEverySchool(), AllRuns()):
        assert makes_one_more(group, own, form, 2) is are_runs, group
    assert makes_one_more(NumberInEverySchool(), own, form, 2) is not are_runs


def is_group(group: Group, keys: tuple[Key, ...]) -> bool:
    """Whether these formulas are a group, as the rules say it."""
    schools, forms = {school for school, _ in keys}, {form for _, form in keys}
    are_runs, are_threes = all(form < RUNS for form in forms), all(form >= RUNS for form in forms)
    match group:
        case EqualRuns(times=times):
            return len(keys) == times and len(set(keys)) == 1 and are_runs
        case RunInEverySchool():
            return len(keys) == 3 and len(schools) == 3 and len(forms) == 1 and are_runs
        case NumberInEverySchool():
            return len(keys) == 3 and len(schools) == 3 and len(forms) == 1 and are_threes
        case AllNumbers():
            return len(schools) == 1 and {number for form in forms for number in FORMS[form]} == set(range(1, 8))
        case AllRuns():
            return len(keys) == 5 and len(schools) == 1 and len(forms) == 5 and are_runs


def most_groups(group: Group, keys: tuple[Key, ...]) -> int:
    """The largest number of disjoint groups: every way to take groups out is tried."""
    sets = [taken for taken in range(1, 1 << len(keys)) if is_group(group, chosen(keys, taken))]

    @cache
    def most(left: int) -> int:
        return max((1 + most(left & ~taken) for taken in sets if taken & left == taken), default=0)

    return most((1 << len(keys)) - 1)


def chosen(keys: tuple[Key, ...], taken: int) -> tuple[Key, ...]:
    return tuple(key for place, key in enumerate(keys) if taken >> place & 1)


def formulas_of(keys: tuple[Key, ...]) -> tuple[Formula, ...]:
    return tuple(Formula(school, form, ()) for school, form in keys)


def likely(schools: int, forms: tuple[int, ...]) -> st.SearchStrategy[tuple[Key, ...]]:
    """Formulas of few schools and forms, so that groups are there."""
    one = st.tuples(st.integers(0, schools - 1), st.sampled_from(forms))
    return st.lists(one, min_size=1, max_size=MOST).map(tuple)


runs = tuple(range(RUNS))
threes = tuple(range(RUNS, len(FORMS)))
keys_of = st.one_of(
    likely(1, runs),
    likely(1, (*runs, *threes)),
    likely(1, (0, 2, 4, 5, 8, 11)),
    likely(3, (1, 3)),
    likely(3, (5, 7)),
    likely(3, runs),
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(keys_of)
def test_mg_14_a_formula_adds_what_the_largest_number_of_groups_grows_by(keys: tuple[Key, ...]) -> None:
    *before, last = keys
    specials = tuple(Special(group, 1) for group in GROUPS)
    grown = {group: most_groups(group, keys) - most_groups(group, tuple(before)) for group in GROUPS}
    assert set(grown.values()) <= {0, 1}
    told = completed(specials, formulas_of(tuple(before)), formulas_of((last,))[0])
    assert told == tuple((group, 1) for group in GROUPS if grown[group])


@settings(max_examples=100, deadline=None, derandomize=True)
@given(likely(1, (*runs, *threes)))
def test_mg_14_sets_of_all_numbers_are_as_many_as_can_be_told_apart(keys: tuple[Key, ...]) -> None:
    assert whole_sets(by_form(formulas_of(keys))[0]) == most_groups(AllNumbers(), keys)


@pytest.mark.parametrize(
    ("names", "sets"),
    [
        ("A123 A345 A567", 1),
        ("A123 A456", 0),
        ("A123 A456 A777", 1),
        ("A123 A456 A777 A234 A567 A111", 2),
        ("A123 A123 A345 A345 A567 A567", 2),
        ("A123 A234 A345 A456 A567", 1),
        ("A111 A222 A333 A444 A555 A666 A777", 1),
        ("A123 A123 A456 A456 A777 A567 A345 A123 A567", 3),
    ],
)
def test_mg_13_sets_of_all_numbers(names: str, sets: int) -> None:
    assert whole_sets(by_form(tuple(map(formula, names.split())))[1]) == sets


@pytest.mark.parametrize(
    ("before", "last", "points"),
    [
        ("A123", "A123", [2]),
        ("A123 A123", "A123", [5]),
        ("A123 A123 A123", "A123", [2]),
        ("A123 M123", "S123", [3]),
        ("A123 M123 S123", "S123", [2]),
        ("A123 A123 M123 M123 S123", "S123", [2, 3]),
        ("A444 M444", "S444", [5]),
        ("A444 A444 M444", "S444", [5]),
        ("A444 A444", "A444", []),
        ("A123 A234 A345 A456", "A567", [4, 5]),
        ("A123 M234 A345 A456", "A567", [4]),
        ("A123 A345", "M567", []),
        ("", "A123", []),
    ],
)
def test_mg_13_what_a_formula_completes(before: str, last: str, points: list[int]) -> None:
    told = completed(PACK.specials, tuple(map(formula, before.split())), formula(last))
    assert [gained for _, gained in told] == points
