"""What the pages show is what there is."""

from __future__ import annotations

import re
import subprocess
from importlib import import_module

import click
import pytest

from replays.__main__ import cli as replays
from service.__main__ import cli as service
from tests.conventions.tree import ROOT, tracked

PARTS = re.compile(
    r"^<!-- (?P<file>\S+) -->$|^```(?:python|markdown|toml)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
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


@pytest.mark.parametrize(
    ("name", "group"), [("service", service), ("replays", replays), ("bots", import_module("service.run.bots").cli)]
)
def test_the_house_s_command_tells_all_commands(name: str, group: click.Group) -> None:
    told = subprocess.run([ROOT / "foldtable", "--help"], capture_output=True, text=True, check=True).stdout
    (line,) = [one for one in told.splitlines() if one.startswith(f"  {name} ")]
    assert set(line.partition(": ")[2].split(", ")) == set(group.commands)
