"""One name, one thing: a public class name stands for one class in its package, and each word of the glossary is used.

A package is one of the folders at the root; a game's room is one of its own, since every room has the same roles.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from tests.conventions.tree import ROOT, python_files, text_of

PACKAGES = ("domain", "events", "replays", "bots", "service", "benchmarks")
ROOMS = ("domain", "games")
GLOSSARY = ROOT / "docs" / "glossary.md"
TERM = re.compile(r"^\| \*\*(?P<word>[^*]+)\*\* \| .+ \| `(?P<path>[^`]+)`(?: `(?P<name>\w+)`)? \|$", re.MULTILINE)
ROW = re.compile(r"^\| \*\*", re.MULTILINE)

DOUBLE = {
    ("service", name)
    for name in (
        *("Delivery", "Asked", "Caller", "Chair", "ForkWanted", "Health", "Invitations", "Limits"),
        *("Lobby", "Mail", "MatchWanted", "Message", "Moved", "Passes", "Pausing"),
        *("Played", "Problem", "Rate", "Result", "Room", "Turn"),
    )
}
"""Names that still stand for more than one class, by package. Take away what you have renamed; add none."""


def package_of(path: Path) -> str:
    """The package that a file belongs to: a room is one of its own."""
    return "/".join(path.parts[:3]) if path.parts[:2] == ROOMS and len(path.parts) > 3 else path.parts[0]


def test_no_class_name_gets_a_second_meaning_and_what_has_one_is_listed() -> None:
    found = Counter(
        (package_of(path), node.name)
        for path in python_files()
        if path.parts[0] in PACKAGES
        for node in ast.parse(text_of(path) or "").body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    doubles = {name for name, number in found.items() if number > 1}
    assert doubles - DOUBLE == set(), "call it by a word of its own"
    assert DOUBLE - doubles == set(), "take it from DOUBLE"


def test_each_word_of_the_glossary_stands_there_once_and_its_class_is_where_it_says() -> None:
    text = GLOSSARY.read_text(encoding="utf-8")
    terms = list(TERM.finditer(text))
    assert len(terms) == len(ROW.findall(text)) > 0, "each row has a word, a sense and a place"
    words = [term["word"] for term in terms]
    assert sorted(words) == sorted(set(words))
    for term in terms:
        assert (ROOT / term["path"]).exists(), term["path"]
        if term["name"]:
            nodes = ast.parse(text_of(Path(term["path"])) or "").body
            classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
            assert term["name"] in classes, f"{term['path']} has no {term['name']}"
