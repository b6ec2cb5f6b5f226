"""What the pages show is what there is, and each word of the glossary stands for one thing."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

from replays.__main__ import cli as replays
from service.__main__ import cli as service
from tests.conventions.tree import ROOT, python_files, text_of, tracked

PARTS = re.compile(
    r"^<!-- (?P<file>\S+) -->$|^```(?:python|markdown|toml)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
OPERATION = re.compile(r"`(GET|POST|PUT|PATCH|DELETE)\s+([/…][^\s`?]*)")
ABOVE = ("/api/matches/{match_id}", "/api/webhooks/{webhook_id}", "/api/me/bots/{bot_id}")
"""What `…` may stand for at the beginning of a path."""
LINKS = re.compile(r"\]\((?!https?:)(?P<path>[^)#\s]+)")


def shown() -> list[tuple[str, str]]:
    """The pieces of code that the page on adding a game shows, each with the file that it says it is cut out of."""
    found, file = [], ""
    for part in PARTS.finditer((ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")):
        file = part["file"] or file
        if part["code"]:
            found.append((file, part["code"]))
    return found


def test_the_page_on_adding_a_game_shows_every_file_of_the_toy_room() -> None:
    files = {file.rpartition("/")[2] for file, _ in shown()}
    assert files >= {"RULES.md", "pack.py", "moves.py", "events.py", "evolve.py", "rules.py", "bot.py", "laws.toml"}


def test_what_the_page_on_adding_a_game_shows_is_cut_out_of_the_files() -> None:
    others = [(file, code) for file, code in shown() if code not in (ROOT / file).read_text(encoding="utf-8")]
    assert others == []


def test_links_lead_somewhere() -> None:
    pages = [ROOT / path for path in tracked() if path.suffix == ".md"]
    links = [(page, found["path"]) for page in pages for found in LINKS.finditer(page.read_text(encoding="utf-8"))]
    assert [(page, link) for page, link in links if not (page.parent / link).exists()] == []


def test_operations_that_pages_name_are_in_the_contract() -> None:
    paths: dict[str, Any] = msgspec.yaml.decode((ROOT / "openapi.yaml").read_bytes())["paths"]
    named = [
        (page.name, method, path)
        for page in tracked()
        if page.suffix == ".md"
        for method, path in OPERATION.findall((ROOT / page).read_text(encoding="utf-8"))
    ]
    assert len(named) > 50

    def is_there(method: str, path: str) -> bool:
        wanted = [f"{above}{path.removeprefix('…')}" for above in ABOVE] if path.startswith("…") else [path]
        return any(
            method.lower() in operations and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", known), each)
            for each in wanted
            for known, operations in paths.items()
        )

    assert [one for one in named if not is_there(*one[1:])] == []


@pytest.mark.parametrize(
    ("name", "group"), [("service", service), ("replays", replays), ("bots", import_module("service.run.bots").cli)]
)
def test_the_house_s_command_tells_all_commands(name: str, group: click.Group) -> None:
    told = subprocess.run([ROOT / "foldtable", "--help"], capture_output=True, text=True, check=True).stdout
    (line,) = [one for one in told.splitlines() if one.startswith(f"  {name} ")]
    assert set(line.partition(": ")[2].split(", ")) == set(group.commands)


def test_the_page_on_audits_says_which_commands_print_japanese() -> None:
    page = " ".join((ROOT / "docs" / "auditing.md").read_text(encoding="utf-8").split())
    said = page.partition("With `--lang ja`, ")[2].partition(" print everything in Japanese")[0]
    able = {name for name, command in replays.commands.items() if "--lang" in str([one.opts for one in command.params])}
    assert set(re.findall("`(.*?)`", said)) == able


PACKAGES = ("domain", "events", "replays", "bots", "service", "benchmarks")
ROOMS = ("domain", "games")
GLOSSARY = ROOT / "docs" / "glossary.md"
TERM = re.compile(r"^\| \*\*(?P<word>[^*]+)\*\* \| .+ \| `(?P<path>[^`]+)`(?: `(?P<name>\w+)`)? \|$", re.MULTILINE)
ROW = re.compile(r"^\| \*\*", re.MULTILINE)

DOUBLE = {
    ("service", name)
    for name in (
        *("Delivery", "Asked", "Caller", "Chair", "ForkWanted", "Health", "Limits"),
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
