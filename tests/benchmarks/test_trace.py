"""Requests are traced through our own files, and the page on the life of a move names files that they enter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks import trace
from benchmarks.trace import Trace

PAGE = Path(__file__).parents[2] / "docs" / "life-of-a-move.md"
OWN_FILES = re.compile(r"`((?:domain|events|replays|bots|service)/[\w./-]+\.(?:py|j2))`")
HEADINGS = {"bot": "A bot's turn", "mail": "A mailed reply", "table": "The page of a table"}


def named(kind: str) -> set[str]:
    """Files that the page says that a request of the kind enters."""
    text = PAGE.read_text(encoding="utf-8")
    move, _, others = text.partition("## Three other requests")
    if kind == "move":
        return set(OWN_FILES.findall(move))
    (paragraph,) = [one for one in others.split("\n\n") if one.startswith(f"**{HEADINGS[kind]}.**")]
    return set(OWN_FILES.findall(paragraph))


def test_a_file_is_listed_once_and_each_change_between_files_is_counted() -> None:
    traced = Trace(("a.py", "b.py", "a.py", "c.py"))
    assert traced.files == ("a.py", "b.py", "c.py")
    assert traced.changes == 3
    assert Trace(()).changes == 0


@pytest.mark.faults
@pytest.mark.parametrize("kind", ["move", *(pytest.param(kind, marks=pytest.mark.soak) for kind in HEADINGS)])
def test_a_request_enters_the_files_that_the_page_names_and_a_move_is_judged_then_stored_then_answered(
    kind: str,
) -> None:
    assert named(kind)
    files = trace.traced(kind, times=1).files
    assert named(kind) - set(files) == set()
    if kind == "move":
        way = ["service/web/routes/moves.py", "service/matches/change.py", "events/writer.py", "events/keyring.py"]
        assert [file for file in files if file in way] == way
