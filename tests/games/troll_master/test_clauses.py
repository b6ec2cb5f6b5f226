"""Every clause of RULES.md is cited by the room's code and by the name of a test, in both languages."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

ROOM = Path(str(files("domain.games.troll_master")))
TESTS = Path(__file__).parent
CLAUSES = [f"TM-{number}" for number in range(1, 51)]


def clauses(name: str) -> list[str]:
    return re.findall(r"^- (TM-\d+) \[", ROOM.joinpath(name).read_text(encoding="utf-8"), re.MULTILINE)


def test_the_rules_state_50_clauses_in_their_order() -> None:
    assert clauses("RULES.md") == CLAUSES


def test_the_japanese_rules_state_the_same() -> None:
    assert clauses("RULES.ja.md") == CLAUSES


def test_every_clause_is_cited_in_code() -> None:
    cited: set[str] = set()
    for path in ROOM.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        cited.update(re.findall(r"TM-\d+", text))
        for first, last in re.findall(r"TM-(\d+) to TM-(\d+)", text):
            cited.update(f"TM-{number}" for number in range(int(first), int(last) + 1))
    assert set(CLAUSES) <= cited
    assert cited <= set(CLAUSES)


def test_every_clause_has_a_test() -> None:
    names = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.glob("test_*.py"))
    tested = {f"TM-{number}" for number in re.findall(r"^def test_tm_(\d+)_", names, re.MULTILINE)}
    assert set(CLAUSES) == tested
