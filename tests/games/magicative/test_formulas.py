"""Formulas and what they score. Rules MG-9, MG-10, MG-12 to MG-14."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import hypothesis
import pytest
from hypothesis import settings
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
from domain.games.magicative.events import CardsDrawn, ChipsTaken, FormulaFixed, SchoolDeclared, SpecialCompleted
from domain.games.magicative.moves import Awaken, Declare, Discard, Fix
from domain.games.magicative.pack import Special
from domain.games.magicative.rules.scoring import by_form, completed, makes_one_more, whole_sets
from domain.games.magicative.scene import touches, ways
from domain.games.magicative.state import FORMULA, TURN, Formula
from tests.games.magicative.table import (
    ALCHEMY,
    ASTROLOGY,
    LONG_PACK,
    MAGIC,
    ODD_PACK,
    PACK,
    Play,
    card,
    cards,
    formula,
    given,
    won,
)
from tests.rows import each


def fixed(play: Play, numbers: tuple[int, int, int]) -> tuple[int, ...]:
    """The chips of an alchemy formula and of the specials that it completes."""
    play.move(0, Fix(ALCHEMY, numbers))
    return (play.one(ChipsTaken).chips, *(event.chips for event in play.of(SpecialCompleted)))


def test_mg_9_three_cards_stay_on_the_table_two_are_drawn_and_a_chip_taken() -> None:
    play = given("A2 A3 A4 M1", "M2", deck="S1 S2 S3").move(0, Fix(ALCHEMY, (2, 3, 4)))
    assert play.told == (
        FormulaFixed(0, ALCHEMY, (2, 3, 4), cards("A2 A3 A4"), 0, 0),
        CardsDrawn(0, cards("S1 S2")),
        ChipsTaken(0, 1, 1),
    )
    assert play.place(0).won.formulas == (formula("A234"),)
    assert play.hand(0) == cards("M1 S1 S2")
    assert play.points(0) == 1


def test_mg_9_runs_and_equal_numbers_of_one_school_are_formulas() -> None:
    play = given("A1 A2 A3 A4 M4 M4 M4 S5 S7 S6 S1 S3", "M2")
    assert play.legal(0, Fix) == (
        Fix(ALCHEMY, (1, 2, 3)),
        Fix(ALCHEMY, (2, 3, 4)),
        Fix(ASTROLOGY, (5, 6, 7)),
        Fix(MAGIC, (4, 4, 4)),
    )
    assert len(FORMS) == 12
    assert play.refusal(0, Fix(ALCHEMY, (3, 4, 5))) == ("MG-9", "not-in-hand")
    assert play.refusal(0, Fix(MAGIC, (5, 5, 5))) == ("MG-9", "not-in-hand")
    for numbers in ((1, 3, 5), (3, 2, 1), (6, 7, 8), (0, 0, 0)):
        assert play.refusal(0, Fix(ALCHEMY, numbers)) == ("MG-9", "no-formula")


def test_mg_9_chips_that_were_counted_when_a_formula_was_fixed_are_folded_as_they_were() -> None:
    play = given("A2 A3 A4", "M2").fold(FormulaFixed(0, ALCHEMY, (2, 3, 4), cards("A2 A3 A4"), 1, 1))
    assert play.points(0) == 1


def test_mg_10_an_innocent_counts_as_the_number_declared_and_keeps_it() -> None:
    play = given("M2 X M4", "A1").move(0, Declare(MAGIC))
    assert play.told == (SchoolDeclared(0, MAGIC),)
    assert play.table.stage.step is FORMULA
    assert play.legal(0) == (Fix(MAGIC, (2, 3, 4), (3,)),)
    play.move(0, Fix(MAGIC, (2, 3, 4), (3,)))
    assert play.one(FormulaFixed).cards == cards("M2 X M4")
    (fixed,) = play.place(0).won.formulas
    assert (FORMS[fixed.form], fixed.cards) == ((2, 3, 4), cards("M2 X M4"))
    assert play.table.stage.step is TURN


def test_mg_10_every_way_to_lay_innocents_is_a_choice() -> None:
    play = given("M2 M3 M3 X X", "A1").move(0, Declare(MAGIC))
    ways = play.legal(0, Fix)
    assert set(ways) == {
        *(Fix(MAGIC, (1, 2, 3), declared) for declared in ((1,), (1, 2), (1, 3))),
        *(Fix(MAGIC, (2, 3, 4), declared) for declared in ((4,), (2, 4), (3, 4))),
        Fix(MAGIC, (3, 4, 5), (4, 5)),
        Fix(MAGIC, (3, 3, 3), (3,)),
        Fix(MAGIC, (3, 3, 3), (3, 3)),
        Fix(MAGIC, (2, 2, 2), (2, 2)),
    }
    assert len(set(ways)) == len(ways)


def test_mg_13_mg_14_specials_are_told_one_by_one_in_the_packs_order_after_the_two_cards() -> None:
    has = {0: won("A123 A345 M567", chips=3)}
    play = given("A5 A6 A7 S5 S6 S7", "M2", has=has, pack=LONG_PACK).move(0, Fix(ASTROLOGY, (5, 6, 7)))
    assert play.of(SpecialCompleted) == ()
    play.move(0, Fix(ALCHEMY, (5, 6, 7)))
    kinds = [type(event) for event in play.told]
    assert kinds == [FormulaFixed, CardsDrawn, ChipsTaken, SpecialCompleted, SpecialCompleted]
    assert [(event.chips, event.total) for event in play.of(SpecialCompleted)] == [(3, 8), (4, 12)]
    has = {0: won("A123 A123 A123", chips=9)}
    play = given("A1 A2 A3", "M2", has=has, pack=ODD_PACK).move(0, Fix(ALCHEMY, (1, 2, 3)))
    assert play.of(SpecialCompleted) == (SpecialCompleted(0, EqualRuns(times=4), 0, 12),)
    assert play.one(ChipsTaken).chips == 3


def test_mg_10_a_formula_with_innocents_is_announced_and_then_has_one() -> None:
    play = given("M2 M3 M4 X A1 A2 A3", "A1")
    assert play.refusal(0, Fix(MAGIC, (2, 3, 4), (3,))) == ("MG-10", "undeclared")
    play.move(0, Declare(MAGIC))
    assert play.refusal(0, Fix(MAGIC, (2, 3, 4))) == ("MG-10", "declared")
    assert play.refusal(0, Fix(ALCHEMY, (1, 2, 3), (3,))) == ("MG-10", "declared")
    assert play.refusal(0, Fix(MAGIC, (2, 3, 4), (5,))) == ("MG-10", "declared-as")
    assert play.refusal(0, Fix(MAGIC, (2, 3, 4), (3, 2))) == ("MG-10", "declared-as")
    assert play.refusal(0, Fix(MAGIC, (2, 3, 4), (2, 3))) == ("MG-9", "not-in-hand")
    assert play.refusal(0, Fix(MAGIC, (6, 6, 6), (6,))) == ("MG-9", "not-in-hand")
    play.move(0, Fix(MAGIC, (2, 3, 4), (3,)))
    assert card("M3") in play.hand(0)


def test_mg_12_cards_drawn_in_a_turn_make_the_next_formula() -> None:
    play = given("A1 A2 A3 M5 M6", "M2", deck="M7 S2 S3 S4")
    play.move(0, Fix(ALCHEMY, (1, 2, 3)), Fix(MAGIC, (5, 6, 7)), Fix(ASTROLOGY, (2, 3, 4)))
    assert (play.points(0), len(play.hand(0))) == (3, 2)


def test_mg_13_mg_14_example_equal_runs_bring_what_they_complete() -> None:
    play = given(" ".join(["A1 A2 A3"] * 4), "M2", pack=LONG_PACK)
    assert [fixed(play, (1, 2, 3)) for _ in range(4)] == [(1,), (1, 2), (1, 5), (1, 2)]
    assert play.points(0) == 13


def test_mg_20_chips_never_run_out() -> None:
    has = {0: won("A123 A456", chips=900)}
    play = given("M1 M2", "A1", has=has)
    assert play.points(0) == 900
    assert Discard(card("M1")) in play.legal(0)


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
@hypothesis.given(keys_of)
def test_mg_14_a_formula_adds_what_the_largest_number_of_groups_grows_by(keys: tuple[Key, ...]) -> None:
    *before, last = keys
    specials = tuple(Special(group, 1) for group in GROUPS)
    grown = {group: most_groups(group, keys) - most_groups(group, tuple(before)) for group in GROUPS}
    assert set(grown.values()) <= {0, 1}
    told = completed(specials, formulas_of(tuple(before)), formulas_of((last,))[0])
    assert told == tuple((group, 1) for group in GROUPS if grown[group])


def test_mg_10_one_card_is_no_innocent_and_innocents_do_not_awaken() -> None:
    play = given("X X X X M7", "A1")
    assert (play.legal(0, Declare), play.legal(0, Awaken)) == ((Declare(MAGIC),), ())
    assert play.refusal(0, Awaken(0)) == ("MG-10", "innocent")
    for hand, school in each(("X X X X M7", ALCHEMY), ("M1 M2 M3", MAGIC), ("X M1 M4", MAGIC)):
        assert given(hand, "A1").refusal(0, Declare(school)) == ("MG-10", "no-formula")
    play.move(0, Declare(MAGIC))
    assert play.legal(0) == (Fix(MAGIC, (5, 6, 7), (5, 6)), Fix(MAGIC, (7, 7, 7), (7, 7)))
    assert play.refusal(0, Fix(MAGIC, (7, 7, 7), (7, 7, 7))) == ("MG-10", "all-innocent")


def test_mg_13_sets_of_all_numbers() -> None:
    for names, sets in each(
        ("A123 A345 A567", 1),
        ("A123 A456", 0),
        ("A123 A456 A777", 1),
        ("A123 A456 A777 A234 A567 A111", 2),
        ("A123 A123 A345 A345 A567 A567", 2),
        ("A123 A234 A345 A456 A567", 1),
        ("A111 A222 A333 A444 A555 A666 A777", 1),
        ("A123 A123 A456 A456 A777 A567 A345 A123 A567", 3),
    ):
        assert whole_sets(by_form(tuple(map(formula, names.split())))[1]) == sets


def test_mg_13_what_a_formula_completes() -> None:
    for before, last, points in each(
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
    ):
        told = completed(PACK.specials, tuple(map(formula, before.split())), formula(last))
        assert [gained for _, gained in told] == points


def test_mg_9_a_formula_is_begun_at_any_of_its_cards() -> None:
    table = given("A2 A3 A4 M1", "M2").table
    move = Fix(ALCHEMY, (2, 3, 4))
    paths = {touches(table, 0, move), *ways(table, 0, move)}
    assert paths == set(permutations(f"seat.0/hand/alchemy-{number}" for number in (2, 3, 4)))
    assert not ways(given("A2 A2 A2", "M2").table, 0, Fix(ALCHEMY, (2, 2, 2))), "cards that look the same are as good"


def test_mg_10_a_formula_with_an_innocent_is_begun_at_the_innocent_or_any_card_that_it_may_have() -> None:
    table = given("A2 A3 A7 M1 X", "M2").table
    innocent = "seat.0/hand/innocent"
    assert touches(table, 0, Declare(ALCHEMY)) == (innocent, "do/alchemy")
    begun = {path[0] for path in ways(table, 0, Declare(ALCHEMY))}
    assert begun == {"seat.0/hand/alchemy-2", "seat.0/hand/alchemy-3"}, "nothing goes with a seven"
    assert {path[1:] for path in ways(table, 0, Declare(ALCHEMY))} == {(innocent,)}
