"""What is typed wrong is told in one line, and what is not told to do anything tells what it can do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import structlog
from click.testing import CliRunner

import replays.__main__
import service.__main__
import service.run.bots
import tests.typed
from replays.commands import Commands

HOUSE: dict[str, Any] = {"replays": replays.__main__, "bots": service.run.bots, "service": service.__main__}
WRONG = ("--surprise", "--data", "--lang=fr", "--at=x", "--seat=x", "--port=x", "--matches=0")


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    """What the service's command does to its process: its umask, and where its log lines go."""
    mask = os.umask(0o022)
    os.umask(mask)
    yield
    os.umask(mask)
    structlog.reset_defaults()


def typed(*args: str) -> tuple[int, str, str]:
    """The exit code, and what was printed on both."""
    done = tests.typed.typed(HOUSE[args[0]].main, *args)
    return done.returncode, done.stdout, done.stderr


COMMANDS = [(package, name) for package, module in HOUSE.items() for name in module.cli.commands]


@pytest.mark.parametrize("package", HOUSE)
def test_without_a_command_or_with_one_that_there_is_not_it_tells_which_there_are(package: str) -> None:
    code, out, err = typed(package)
    assert (code, out) == (2, "")
    assert err.startswith(f"Usage: ./foldtable {package} [OPTIONS] COMMAND")
    assert all(f"\n  {name} " in err for of, name in COMMANDS if of == package)
    assert typed(package, "nope") == (2, "", "error: No such command 'nope'.\n")


@pytest.mark.parametrize(("package", "name"), COMMANDS)
def test_what_is_typed_wrong_is_told_in_one_line(package: str, name: str) -> None:
    command: click.Command = HOUSE[package].cli.commands[name]
    known = {option for parameter in command.params for option in parameter.opts}
    tried = 0
    for wrong in WRONG:
        option, _, value = wrong.partition("=")
        if (option in known) or option == "--surprise":
            arguments = ["m_x" for one in command.params if isinstance(one, click.Argument)]
            code, out, err = typed(package, name, *arguments, option, *filter(None, [value]))
            assert (code, out, err.count("\n")) == (2, "", 1), wrong
            assert err.startswith("error: "), wrong
            assert option in err
            assert "Usage" not in err
            tried += 1
    assert tried


def test_a_terminal_without_the_letters_shows_question_marks_and_the_rest() -> None:
    group = Commands("house")
    group.command("say")(lambda: click.echo("札 3"))
    said = CliRunner(charset="latin-1").invoke(group, ["say"])
    assert (said.exit_code, said.output) == (0, "? 3\n")


def test_the_document_is_printed_as_its_file_is_whatever_else_is_printed_as() -> None:
    said = CliRunner(charset="latin-1").invoke(service.__main__.cli, ["openapi"])
    assert said.stdout_bytes == (tests.typed.TREE / "openapi.yaml").read_bytes()


@pytest.mark.parametrize(("package", "name"), [("service", "backup"), ("replays", "list")])
def test_an_empty_name_of_the_folder_names_none_and_not_the_one_that_you_are_in(
    package: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "foldtable.db").touch()
    *_, err = typed(package, name, *(["copy"] if name == "backup" else []), "--data", "")
    assert err == "error: data/foldtable.db does not exist\n"
