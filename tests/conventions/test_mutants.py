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


def test_what_may_be_wrong_is_changed_and_what_says_nothing_is_left_alone(made: list[tuple[str, str, str]]) -> None:
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
        ("statement", "tell(Drawn(seat=seat))", "pass"),
        ("statement", 'raise Refusal("a", "b", f"{1 + 1}")', "pass"),
        ("keyword", "phase=Phase.OPEN", "**{}"),
        ("seat", "seat", "(seat + 1) % 2"),
        ("seat", "seat", "seat - 1"),
        ("mark", 'Annotated[int | None, Hidden("seat")]', "int | None"),
        ("reader", 'Hidden("seat")', "Hidden()"),
        ("mark", "Annotated[tuple[bool | None, ...], HiddenEach()]", "tuple[bool | None, ...]"),
        ("mark", "Annotated[int, Meta(ge=0)]", "int"),
    ):
        assert change in made, change
    alone = ("9", "1 < 2", "A moment.", "assert_never")
    assert not [old for _, old, _ in made if any(text in old for text in alone) or old in ("1 + 1", "True")]


@pytest.mark.parametrize(
    "part", ["ttmp", *(pytest.param(part, marks=pytest.mark.soak) for part in PARTS if part != "ttmp")]
)
def test_every_mutant_can_be_read_and_none_is_made_twice(part: str) -> None:
    mutants = all_of(part)
    assert len(mutants) > 150
    assert not [mutant for mutant, times in Counter(mutants).items() if times > 1]
    drawn = sample((part,), 40, 3)
    assert drawn == sample((part,), 40, 3) != sample((part,), 40, 4)
    for mutant in drawn:
        ast.parse(mutant.change.applied((ROOT / mutant.path).read_bytes()))


def test_a_part_without_a_file_or_a_mutant_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for file, wrong in (("domain/match.py", "no file is called"), ("domain/games/__init__.py", "nothing to change in")):
        monkeypatch.setitem(PARTS, "ttmp", PARTS["ttmp"]._replace(files=(file,)))
        with pytest.raises(ClickException, match=f"{wrong} {file}"):
            all_of("ttmp")


def test_a_file_that_cannot_be_imported_fails_though_a_test_of_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("raise ValueError\n", encoding="utf-8")
    assert runs(tmp_path, ("test_one.py::test_it",), PARTS["accounts"], 60) in FAILED


def test_whatever_is_listed_as_equivalent_can_still_be_made_and_has_a_reason() -> None:
    listed = equivalents()
    paths = {path for path, *_ in listed}
    made = {(path, change.text, change.becomes) for path in paths for change in mutations(ROOT / path)}
    for named, reason in listed.items():
        assert named in made, f"{named} is no mutant any more"
        assert reason.endswith(".")
