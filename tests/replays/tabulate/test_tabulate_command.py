"""`./foldtable replays tabulate`, as it is typed."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import pytest

from replays.commands.reading import BATCH
from tests.events.test_files import small_files
from tests.replays.commands.typed import TREE, as_json, exported, printed, refused, replays, stored
from tests.replays.exported import export, finished, stage
from tests.replays.tabulate.databases import asked
from tests.replays.timed import stage as timed
from tests.service.run.uprun import until

pytestmark = pytest.mark.faults


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with matches of two games that are over, that run and that were broken off."""
    folder = tmp_path_factory.mktemp("data")
    with stored(folder) as recorder:
        for number in range(3):
            timed(recorder, "magicative", f"m_over_{number}")
        timed(recorder, "ttmp", "m_ttmp")
        timed(recorder, "ttmp", "m_runs", 5)
        timed(recorder, "ttmp", "m_broken", 5).abort()
    return folder


def read_by_somebody(pipe: Path) -> BinaryIO | None:
    """The pipe to write into, once somebody reads it."""
    with suppress(OSError):
        return os.fdopen(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK), "wb")
    return None


def tabulated(output: Path, *args: str | Path) -> dict[str, str]:
    """Whose knowledge of which matches is written."""
    told = printed("tabulate", *args, "-o", output, "--force")
    rows = {row["match"]: row["viewer"] for row in asked(output, "SELECT match, viewer FROM matches ORDER BY rowid")}
    events = asked(output, "SELECT count(*) AS events FROM events")[0]["events"]
    matches = "1 match" if len(rows) == 1 else f"{len(rows)} matches"
    assert told == f"{output}: {matches}, {events} events\n"
    return rows


OVER = {f"m_over_{number}": "all" for number in range(3)} | {"m_ttmp": "all"}


def test_the_finished_matches_are_written_and_others_when_they_are_asked_for(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.db"
    assert tabulated(out, "--data", data) == OVER
    assert tabulated(out, "--data", data, "--game", "ttmp") == {"m_ttmp": "all"}
    assert tabulated(out, "--data", data, "--status", "playing") == {"m_runs": "anybody"}
    assert tabulated(out, "--data", data, "--status", "open") == {}
    both = tabulated(out, "--data", data, "--status", "playing", "--status", "aborted", "--seat", "1")
    assert both == {"m_broken": "seat:1", "m_runs": "seat:1"}


def test_matches_and_files_are_written_that_are_named(data: Path, tmp_path: Path) -> None:
    out, file = tmp_path / "t.db", tmp_path / "runs.jsonl"
    exported(data, "m_runs", file, "--seat", "2")
    assert tabulated(out, "m_broken", file, "--data", data) == {"m_broken": "all", "m_runs": "seat:2"}
    assert tabulated(out, "m_runs", "m_ttmp", "--data", data, "--seat", "0") == {"m_runs": "seat:0", "m_ttmp": "seat:0"}
    refused("not what seat 1 does", "tabulate", file, "--seat", "1", "-o", tmp_path / "no.db")
    refused("m_runs is named twice", "tabulate", file, "m_runs", "--data", data, "-o", tmp_path / "no.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs.jsonl", "t.db"]
    (row,) = asked(out, "SELECT count(*) AS events FROM events")
    told = {"output": str(out), "matches": 2, "events": row["events"], "left_out": []}
    assert as_json("tabulate", "m_runs", "m_ttmp", "--data", data, "--seat", "0", "-o", out, "--force") == told


@pytest.mark.soak
def test_the_same_matches_are_the_same_file_to_the_byte_by_many_processes_too(tmp_path: Path) -> None:
    with stored(tmp_path) as recorder:
        names = [timed(recorder, "ttmp", f"m_{number:02}").id for number in range(3 * BATCH)]
    assert list(tabulated(tmp_path / "picked.db", "--data", tmp_path)) == names
    tabulated(tmp_path / "named.db", *names, "--data", tmp_path)
    assert (tmp_path / "picked.db").read_bytes() == (tmp_path / "named.db").read_bytes()


def test_what_cannot_be_read_of_the_store_is_left_out_and_told(data: Path, tmp_path: Path) -> None:
    (tmp_path / "foldtable.db").write_bytes((data / "foldtable.db").read_bytes())
    with sqlite3.connect(tmp_path / "foldtable.db") as store:
        store.execute(
            "UPDATE events SET public = CAST(replace(CAST(public AS TEXT), '\"ttmp\"', '\"chess\"') AS BLOB)"
            " WHERE stream = 'm_ttmp' AND version = 1"
        )
        store.execute("UPDATE events SET public = x'7b7d' WHERE stream = 'm_over_2' AND version = 20")
    store.close()
    done = replays("tabulate", "--data", tmp_path, "-o", tmp_path / "t.db")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert [line.partition(" is left out: ")[0] for line in lines] == ["m_over_2", "m_ttmp"]
    assert "a match of chess, version 1, which is not available here" in lines[1]
    assert done.stdout.startswith(f"{tmp_path / 't.db'}: 2 matches, ")
    # whoever doesn't ask for it is not told of it
    assert tabulated(tmp_path / "u.db", "--data", tmp_path, "--game", "magicative", "--status", "playing") == {}
    done = replays("tabulate", "--data", tmp_path, "-o", tmp_path / "v.db", "--seat", "3")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 4)
    assert asked(tmp_path / "v.db", "SELECT * FROM matches") == []


def test_nonsense_is_told_in_one_line_and_nothing_is_written(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.db"
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(finished("ttmp")[:5000])
    refused("There is no match m_none", "tabulate", "m_none", "--data", data, "-o", out)
    refused("There is no game 'chess'", "tabulate", "--game", "chess", "--data", data, "-o", out)
    refused("name matches, or", "tabulate", "m_ttmp", "--game", "ttmp", "--data", data, "-o", out)
    refused("there is no seat 7", "tabulate", "m_ttmp", "--seat", "7", "--data", data, "-o", out)
    refused("there is no seat -1", "tabulate", "m_ttmp", "--seat", "-1", "--data", data, "-o", out)
    refused("foldtable.db does not exist", "tabulate", "--data", tmp_path, "-o", out)
    refused("cut off", "tabulate", "m_ttmp", damaged, "--data", data, "-o", out)
    refused("no-folder", "tabulate", "m_ttmp", "--data", data, "-o", tmp_path / "no-folder" / "t.db")
    refused("plain file", "tabulate", "m_ttmp", "--data", data, "-o", tmp_path, "--force")
    refused("is there already", "tabulate", "m_ttmp", "--data", data, "-o", "/dev/null")
    assert [path.name for path in tmp_path.iterdir()] == ["damaged.jsonl"]


@pytest.mark.parametrize("most", [1000, 60_000, 120_000])
def test_where_there_is_no_room_all_stays_as_it_was(data: Path, tmp_path: Path, most: int) -> None:
    out = tmp_path / "t.db"
    out.write_text("mine")
    with small_files(most):
        refused(f"{out}: ", "tabulate", "m_ttmp", "--data", data, "-o", out, "--force")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_run_that_is_interrupted_leaves_nothing(tmp_path: Path, number: signal.Signals, code: int) -> None:
    first, second, folder = tmp_path / "first.jsonl", tmp_path / "second.jsonl", tmp_path / "out"
    first.write_bytes(export(stage("ttmp")))
    os.mkfifo(second)
    folder.mkdir()
    command = [sys.executable, "-m", "replays", "tabulate", str(first), str(second), "-o", str(folder / "t.db")]
    with subprocess.Popen(command, cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        # it opens the second file when the first one is in, and waits for what it says
        with until(lambda: read_by_somebody(second), "it reads the second file"):
            assert [path.suffix for path in folder.iterdir()] == [".new"]
            process.send_signal(number)
        # a signal between opening and reading is seen only when the reading ends: so the pipe is closed first
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err.strip()) == (code, b"", b"")
    assert list(folder.iterdir()) == []
