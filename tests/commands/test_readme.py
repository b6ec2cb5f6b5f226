"""The README: short, with a picture that is real, and commands that do what it says when they are pasted."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from foldtable_client import Bot, Client, For, calls
from tests import readme
from tests.commands.test_usage import HOUSE
from tests.service.run.uprun import DEADLINE, Up, ran, up
from tests.written import ROOT

pytestmark = pytest.mark.faults

LINES = 140
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = {page.name: page.read_text(encoding="utf-8") for page in (readme.README, *sorted((ROOT / "docs").glob("*.md")))}
TYPED = re.compile(r"(?:^|[`(] *)(\./foldtable [^`|\n]*)", re.MULTILINE)

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


def test_it_is_short_and_its_picture_is_what_the_command_above_it_prints_of_a_match_that_audits() -> None:
    text = readme.README.read_text(encoding="utf-8")
    assert text.count("\n") <= LINES
    assert len(readme.PICTURE.findall(text)) == 1
    assert text == readme.drawn(text), "python -m tests.readme --write draws it again"
    done = ran(ROOT / "foldtable", "replays", "audit", "docs/match.jsonl", "--json", cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def house(tmp_path: Path) -> Path:
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
        done = ran("sh", "-eu", "-c", script, cwd=house)
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


def begun(service: Up, player: Client, match: str, *scopes: str) -> tuple[subprocess.Popen[str], Callable[[], object]]:
    """Start the script that plays on, with a token of its own. Returns it, and how the token is revoked."""
    token = player.send(calls.post("/me/tokens", dict[str, Any], {"name": "script", "scopes": scopes}))
    said = {"API": f"{service.url}/api", "JSON": "Content-Type: application/json", "MATCH": match}
    env = {**os.environ, **said, "ME": f"Authorization: Bearer {token['token']}"}
    script = BLOCK.findall(PAGES["clients.md"])[-1]
    process = subprocess.Popen(["sh", "-uc", script], env=env, stderr=subprocess.PIPE, text=True)
    revoked: calls.Call[Any] = calls.Call(method="DELETE", path=f"/me/tokens/{token['id']}", kind=Any)
    return process, lambda: player.send(revoked)


def complaint(process: subprocess.Popen[str]) -> str:
    """Wait until the script has ended by itself: what it complained of."""
    try:
        return process.communicate(timeout=10 * DEADLINE)[1]
    finally:
        process.kill()


def test_the_script_that_plays_on_keeps_to_limits_and_ends_when_nothing_is_left_to_play(tmp_path: Path) -> None:
    slow = {"FOLDTABLE_LIMIT_MOVES_BY_ACCOUNT": "4/2 seconds", "FOLDTABLE_LIMIT_EXEMPT": ""}
    with up(tmp_path / "data", said=slow) as service, Client(service.url) as ann, Client(service.url) as bob:
        ann.sign_up("Ann")
        his = bob.sign_up("Bob").id
        whole = ann.open_match("magicative", [None, Bot("greedy")]).id
        ann.sit(whole)
        assert "error: 403" in complaint(begun(service, ann, whole, "match:read")[0])
        # how often it has to wait depends on how fast this machine is
        told = complaint(begun(service, ann, whole, "match:read", "match:play")[0])
        assert all(line.endswith("error: 429") for line in told.splitlines()), told
        assert ann.match(whole).status == "finished"

        def waiting() -> tuple[str, subprocess.Popen[str], Callable[[], object]]:
            match = ann.open_match("magicative", [None, For(his)]).id
            ann.sit(match)
            bob.accept(match)
            process, revoke = begun(service, ann, match, "match:read", "match:play")
            while bob.moves(match).decision is None:
                bob.match(match, wait=20, until="turn")
            return match, process, revoke

        match, process, _ = waiting()
        for one in (ann, bob):
            one.send(calls.post(f"/matches/{match}/abort", dict))
        assert "error" not in complaint(process)
        assert ann.match(match).status == "aborted"
        match, process, revoke = waiting()
        revoke()
        assert "error: 401" in complaint(process)
        free = ann.open_match("magicative", [None, None]).id
        ann.sit(free)
        process, _ = begun(service, ann, free, "match:read")
        ann.leave(free)
        assert "error" not in complaint(process)


def commands() -> list[tuple[str, str]]:
    """Every command of ours that a page names, with its page."""
    return [(page, command.strip()) for page, text in PAGES.items() for command in TYPED.findall(text)]


def test_commands_on_the_pages_have_the_options_that_they_are_shown_with() -> None:
    assert len(commands()) > 20
    for page, command in commands():
        _, package, *words = shlex.split(command.split(" #", maxsplit=1)[0].rstrip("). "))
        if words:
            found = HOUSE[package].cli.commands.get(words[0])
            assert found is not None, (page, command)
            try:
                # parsed, and not run
                found.make_context(words[0], words[1:]).close() if words[1:] else None
            except click.ClickException as error:
                pytest.fail(f"{page}, {command}: {error.format_message()}")


def test_the_pages_scripts_are_right_to_a_shell_and_name_no_python_that_is_not_there() -> None:
    for page, text in PAGES.items():
        for block in re.findall(r"^```(?:sh)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            assert not re.search(r"^\s*(\$ )?python -m", block, re.MULTILINE), page
        for block in BLOCK.findall(text):
            done = ran("sh", "-nc", block.replace("<game>", "ttmp"))
            assert done.returncode == 0, (page, done.stderr)
    assert os.access(ROOT / "foldtable", os.X_OK)
