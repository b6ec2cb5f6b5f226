"""The README: short, with a picture that is real, and commands that do what it says when they are pasted."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest

import bots.__main__
import replays.__main__
import service.__main__
from tests import readme
from tests.service.run.uprun import environment, up

pytestmark = pytest.mark.faults

ROOT = readme.ROOT
LINES = 140
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TYPED = re.compile(r"(?:^|[`(] *)(\./foldtable [^`|\n]*)", re.MULTILINE)
HOUSE: dict[str, click.Group] = {
    "replays": replays.__main__.cli,
    "bots": bots.__main__.cli,
    "service": service.__main__.cli,
}

PLAY = r"""
for turn in $(seq 400); do
    look > mine/look
    grep -q . mine/look || exit 3
    id=$(sed -n 's/^    \([^ ]*\) = .*/\1/p' mine/look | tail -n 1)
    if [ -n "$id" ]; then move "$id" > mine/said; continue; fi
    curl -s $API/matches/$MATCH | grep -q '"status":"finished"' && break
done
"""
"""How somebody plays who takes the last of their moves each time."""


def test_it_is_short_and_has_one_picture() -> None:
    text = readme.README.read_text(encoding="utf-8")
    assert text.count("\n") <= LINES
    assert len(readme.PICTURE.findall(text)) == 1


def test_the_picture_is_what_the_command_above_it_prints() -> None:
    text = readme.README.read_text(encoding="utf-8")
    assert text == readme.drawn(text), "python -m tests.readme --write draws it again"


def test_the_match_in_the_picture_audits() -> None:
    done = subprocess.run(
        [ROOT / "foldtable", "replays", "audit", "docs/match.jsonl", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A clone in a folder with a space, set up."""
    folder = tmp_path / "my games"
    folder.mkdir()
    for name in ("foldtable", "domain", "events", "replays", "bots", "service", "docs"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, folder / name)
    (folder / ".venv").symlink_to(ROOT / ".venv")
    return folder


@pytest.mark.soak
def test_what_is_pasted_from_it_ends_in_a_match_played_and_audited(house: Path) -> None:
    text = readme.README.read_text(encoding="utf-8")
    sign_up, reading, play, home, watch = BLOCK.findall(text)
    assert [line.split()[0] for line in play.splitlines()] == ["look", "move", "curl"]
    with up(house / "data", said={"FOLDTABLE_BOT_PACE": "0.2"}) as running:
        served = sign_up.replace("http://127.0.0.1:8000", running.url)
        assert served != sign_up
        rules = play.splitlines()[-1] + " > mine/rules\n"
        script = f"{served}\n{reading}\n{PLAY}\n{rules}\n{home} > mine/shown\n{watch}"
        done = subprocess.run(
            ["sh", "-eu", "-c", script], cwd=house, env=environment(), capture_output=True, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "MG-1" in (house / "mine" / "rules").read_text()
    (kept,) = (house / "mine").glob("*.answers")
    answers = kept.read_text().splitlines()
    held = re.search(r"(\d+) receipts, by the key (\w+)\n", done.stdout)
    assert "finished: " in done.stdout
    assert "all holds:" in done.stdout
    assert held, "and nobody is told to compare keys"
    assert int(held[1]) == len(answers) > 4, "every answer was held against the match; the nonce is no receipt"
    assert "chance: not the service's alone: your nonce is in it (seat 0) and came last" in done.stdout
    assert "no receipt from before" not in done.stdout
    assert "Three Magic, playing" in done.stdout
    assert len(list((house / "mine" / "bots").glob("*.jsonl"))) == 20


def commands() -> list[tuple[str, str]]:
    """Every command of ours that a page names, with its page."""
    return [
        (page.name, command.strip()) for page in PAGES for command in TYPED.findall(page.read_text(encoding="utf-8"))
    ]


def test_commands_on_the_pages_have_the_options_that_they_are_shown_with() -> None:
    assert len(commands()) > 20
    for page, command in commands():
        _, package, *words = shlex.split(command.split(" #", maxsplit=1)[0].rstrip("). "))
        group = HOUSE[package]
        if not words:
            continue
        name, *arguments = words
        found = group.commands.get(name)
        assert found is not None, (page, command)
        if arguments:
            # parsed, and not run
            try:
                found.make_context(name, arguments).close()
            except click.ClickException as error:
                pytest.fail(f"{page}, {command}: {error.format_message()}")


def test_no_page_shows_a_command_by_a_python_that_is_not_there() -> None:
    """What is shown as a command works in a shell as it stands."""
    found = []
    for page in PAGES:
        for block in re.findall(r"^```(?:sh)?\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            found += [f"{page.name}: {line}" for line in block.splitlines() if re.match(r"\s*(\$ )?python -m", line)]
    assert found == []


def test_the_pages_scripts_are_right_to_a_shell() -> None:
    for page in PAGES:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            script = block.replace("<game>", "ttmp")
            done = subprocess.run(["sh", "-n"], input=script, capture_output=True, text=True, check=False)
            assert done.returncode == 0, (page.name, done.stderr)
    assert os.access(ROOT / "foldtable", os.X_OK)
