"""What is printed goes somewhere: into a pipe that is left, a disk that is full, or nowhere at all."""

from __future__ import annotations

import shlex
import signal
import sqlite3
import sys
from pathlib import Path

import pytest

from replays.commands.reading import in_folder, written
from tests.service.run.uprun import handlers_kept, ran

pytestmark = pytest.mark.faults


STORED = [["replays", "list"], ["replays", "export", "m_ttmp"], ["replays", "show", "m_ttmp"], ["service", "doctor"]]
COMMANDS = [*STORED, ["service.run.bots", "play", "ttmp", "--json"]]


def shell(data: Path, words: list[str], into: str) -> tuple[int, str]:
    """The command with its output sent somewhere: its code, and what it says of it."""
    command = shlex.join([sys.executable, "-m", *words, *(["--data", str(data)] if words in STORED else [])])
    done = ran("bash", "-c", f"{command} {into}")
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_reader_who_has_seen_enough_is_no_fault(data: Path, words: list[str]) -> None:
    # `true` has ended long before Python has begun
    code, said = shell(data, words, '| true; exit "${PIPESTATUS[0]}"')
    assert (code in {0, 1} if "doctor" in words else code == 0, said) == (True, "")


@pytest.mark.parametrize("words", ["audit m_ended", "audit m_ended --json", "audit --all-matches", "validate m_ended"])
def test_a_fault_is_told_by_the_code_also_to_a_reader_who_has_left(copied: Path, words: str) -> None:
    with sqlite3.connect(copied / "foldtable.db") as store:
        ((public,),) = store.execute("SELECT public FROM events WHERE stream = 'm_ended' AND version = 2").fetchall()
        other = public.replace(b"abab", b"cdcd")
        store.execute("UPDATE events SET public = ? WHERE stream = 'm_ended' AND version = 2", [other])
    store.close()
    command = ["replays", *words.split(), "--data", str(copied)]
    assert shell(copied, command, '| true; exit "${PIPESTATUS[0]}"') == (1, "")


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_full_disk_is_told_in_one_line(data: Path, words: list[str]) -> None:
    assert shell(data, words, "> /dev/full") == (2, "error: the output can't be written: No space left on device\n")


@pytest.mark.parametrize("words", STORED[:3], ids=" ".join)
def test_where_nothing_can_be_printed_nothing_is(data: Path, words: list[str]) -> None:
    assert shell(data, words, ">&-") == (0, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_is_ended_while_it_writes_leaves_no_draft(tmp_path: Path, number: signal.Signals) -> None:
    def write() -> None:
        with written(tmp_path / "page.html", in_folder(tmp_path)) as draft:
            assert draft.exists()
            signal.raise_signal(number)

    with pytest.raises(SystemExit, match=str(128 + number)):
        write()
    assert [*tmp_path.iterdir()] == []


def test_what_is_to_outlive_its_terminal_writes_to_the_end(tmp_path: Path) -> None:
    """As `nohup` starts it."""
    page = tmp_path / "page.html"
    with handlers_kept():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with written(page, in_folder(tmp_path)) as draft:
            signal.raise_signal(signal.SIGHUP)
            draft.write_text("all of it")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["all of it"]
