"""Every clause of the rules is cited by the code and by the name of a test, in both languages the same clauses."""

from __future__ import annotations

import re
from pathlib import Path

from domain.games import terraformers

ROOM = Path(terraformers.__path__[0])
TESTS = Path(__file__).parent
CLAUSES = tuple(f"TF-{number}" for number in range(1, 45))


def stated(file: str) -> list[str]:
    return re.findall(r"^- (TF-\d+) \[[RH]\]", (ROOM / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_the_rules_state_every_clause_once() -> None:
    for file in ("RULES.md", "RULES.ja.md"):
        assert sorted(stated(file)) == sorted(CLAUSES)


def test_every_clause_is_cited_by_code() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in ROOM.rglob("*.py"))
    assert set(re.findall(r"TF-\d+", code)) == set(CLAUSES)


def test_every_clause_is_cited_by_the_name_of_a_test() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.glob("test_*.py"))
    cited = {number for name in re.findall(r"def (test_\w+)", tests) for number in re.findall(r"tf_(\d+)(?!\d)", name)}
    assert {f"TF-{number}" for number in cited} == set(CLAUSES)
