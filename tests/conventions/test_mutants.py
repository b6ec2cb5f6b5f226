"""What `make mutants` tries: changes that can be read as Python, drawn by the seed, none twice."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from click import ClickException

from tests.mutants import FAILED, PARTS, ROOT, all_of, equivalents, runs, sample
from tests.mutations import mutations

SOURCE = '''"""No docstring is changed: 1 < 2."""
from typing import Annotated
from domain.secrecy import Hidden, HiddenEach

MOST = 3

class Drawn(Event, frozen=True):
    seat: int
    card: Annotated[int | None, Hidden("seat")]
    asked: Annotated[tuple[bool | None, ...], HiddenEach()] = ()
    due: Annotated[str, Meta(description="A moment.")]
    left: Annotated[int, Meta(ge=0)]

class Phase(StrEnum):
    OPEN = "open"
    OVER = "over"

def decide(table, seat: int = 0):
    assert seat < 9
    if table.left <= 0 and not table.over:
        raise Refusal("a", "b", f"{1 + 1}")
    tell(Drawn(seat=seat))
    table = replace(table, phase=Phase.OPEN, pot=table.pot + 1)
    return table.places[seat], min(1, 2), list(zip((), (), strict=True))

again = lru_cache(maxsize=19)(decide)

def never(table):
    assert_never(table)
'''


@pytest.fixture
def made(tmp_path: Path) -> list[tuple[str, str, str]]:
    """Kind, what stood there and what stands there now."""
    path = tmp_path / "rules" / "turn.py"
    path.parent.mkdir()
    path.write_text(SOURCE, encoding="utf-8")
    for change in mutations(path):
        ast.parse(change.applied(SOURCE.encode()))
    return [(change.kind, change.old, change.new) for change in mutations(path)]


def test_operators_numbers_conditions_and_calls_are_changed(made: list[tuple[str, str, str]]) -> None:
    for change in (
        ("constant", "3", "4"),
        ("constant", "3", "2"),
        ("comparison", "table.left <= 0", "(table.left < 0)"),
        ("and or", "table.left <= 0 and not table.over", "(table.left <= 0 or not table.over)"),
        ("condition", "table.left <= 0 and not table.over", "(not (table.left <= 0 and (not table.over)))"),
        ("not", "not table.over", "(table.over)"),
        ("arithmetic", "table.pot + 1", "(table.pot - 1)"),
        ("call", "min", "max"),
        ("member", "Phase.OPEN", "Phase.OVER"),
    ):
        assert change in made, change


def test_statements_and_changed_fields_are_left_out(made: list[tuple[str, str, str]]) -> None:
    assert ("statement", "tell(Drawn(seat=seat))", "pass") in made
    assert ("statement", 'raise Refusal("a", "b", f"{1 + 1}")', "pass") in made
    assert ("keyword", "phase=Phase.OPEN", "**{}") in made


def test_seats_marks_and_readers_are_changed(made: list[tuple[str, str, str]]) -> None:
    assert ("seat", "seat", "(seat + 1) % 2") in made
    assert ("seat", "seat", "seat - 1") in made
    assert ("mark", 'Annotated[int | None, Hidden("seat")]', "int | None") in made
    assert ("reader", 'Hidden("seat")', "Hidden()") in made
    assert ("mark", "Annotated[tuple[bool | None, ...], HiddenEach()]", "tuple[bool | None, ...]") in made
    assert ("mark", "Annotated[int, Meta(ge=0)]", "int") in made
    assert not [old for _, old, _ in made if "A moment." in old], "a description is no mark"


def test_docstrings_assertions_imports_and_texts_are_left_alone(made: list[tuple[str, str, str]]) -> None:
    assert not [old for _, old, _ in made if "9" in old or "1 < 2" in old or old in ("1 + 1", "True")]
    assert not [old for _, old, _ in made if old.startswith("assert_never")]


@pytest.mark.parametrize(
    "part", ["ttmp", *(pytest.param(part, marks=pytest.mark.soak) for part in PARTS if part != "ttmp")]
)
def test_every_mutant_can_be_read_and_none_is_made_twice(part: str) -> None:
    mutants = all_of(part)
    assert len(mutants) > 300
    assert not [mutant for mutant, times in Counter(mutants).items() if times > 1]
    for mutant in sample((part,), 40, 3):
        ast.parse(mutant.change.applied((ROOT / mutant.path).read_bytes()))


@pytest.mark.parametrize(
    ("files", "wrong"),
    [
        (("domain/matches.py", "domain/match.py"), r"ttmp: no file is called domain/match\.py"),
        (("domain/games/__init__.py",), r"ttmp: there is nothing to change in domain/games/__init__\.py"),
    ],
)
def test_a_part_without_a_file_or_a_mutant_is_an_error(
    monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...], wrong: str
) -> None:
    monkeypatch.setitem(PARTS, "ttmp", PARTS["ttmp"]._replace(files=files))
    with pytest.raises(ClickException, match=wrong):
        all_of("ttmp")


def test_a_file_that_cannot_be_imported_fails_though_a_test_of_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("raise ValueError\n", encoding="utf-8")
    assert runs(tmp_path, ("test_one.py::test_it",), PARTS["accounts"], 60) in FAILED


def test_the_same_seed_draws_the_same_mutants() -> None:
    assert sample(("ttmp",), 10, 5) == sample(("ttmp",), 10, 5) != sample(("ttmp",), 10, 6)


def test_whatever_is_listed_as_equivalent_can_still_be_made_and_has_a_reason() -> None:
    listed = equivalents()
    made = {
        (path, change.text, change.becomes)
        for path in {path for path, *_ in listed}
        for change in mutations(ROOT / path)
    }
    for named, reason in listed.items():
        assert named in made, f"{named} is no mutant any more"
        assert reason.endswith(".")
