"""Opening a store: who may write, readers beside them, a clear error for each thing amiss, what a kill leaves."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from events import opening
from events.queries import StoreOlder
from events.sqlite import SqliteReader, SqliteRecorder
from events.store import (
    Decision,
    Statement,
    StoreCorrupt,
    StoreInUse,
    StoreMissing,
    StoreNewer,
    StoreReadOnly,
    StoreUnusable,
    StoreUnwritable,
)
from tests.events.streams import write
from tests.events.test_files import small_files

ROOT = Path(__file__).parents[2]
NOBODY = 65534

WRITE_ON = """
import sys

from events.sqlite import SqliteRecorder
from tests.events.streams import write

recorder = SqliteRecorder(sys.argv[1])
while True:
    for number in range(40):
        match, private = f"m{number}", f"m{number}/seat:0"
        writes = [write(match, 3, recorder.head(match)), write(private, 1, recorder.head(private))]
        recorder.append(match, writes)
        print(match, recorder.head(match).version, flush=True)
"""


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_told_and_keeps_its_mode(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "store"
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    path.chmod(0o755)
    for opens in (SqliteRecorder, SqliteRecorder.open_to_read):
        with pytest.raises(StoreCorrupt, match="is no file"):
            opens(path)
    assert path.stat().st_mode & 0o777 == 0o755


def child(script: str, *arguments: str) -> subprocess.Popen[str]:
    """Another Python that runs the script."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anybody may write in, whose parents anybody may pass."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without root's rights, for whom nothing is forbidden."""
    if os.geteuid():
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def made(path: Path) -> Path:
    """A closed store with a match."""
    recorder = SqliteRecorder(path)
    recorder.append("m", [write("m", 3)])
    recorder.close()
    return path


def let_go(path: Path) -> None:
    """The files by which processes take turns are this user's."""
    for suffix in (".lock", ".turn"):
        Path(f"{path}{suffix}").unlink()


def test_a_store_that_is_not_there_is_made_for_writing_only(path: Path) -> None:
    with pytest.raises(StoreMissing, match=r"store\.db does not exist"):
        SqliteRecorder.open_to_read(path)
    assert not path.exists()
    made(path)
    reader = SqliteRecorder.open_to_read(path)
    assert reader.head("m").version == 3
    reader.close()


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "nowhere" / "store.db", tmp_path / "file" / "store.db"):
        with pytest.raises(StoreUnwritable, match=r"store\.db can't be made or written to: No"):
            SqliteRecorder(path)


def test_a_folder_that_can_t_be_written_in_is_told(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with as_nobody(), pytest.raises(StoreUnwritable, match="Permission denied"):
        SqliteRecorder(open_folder / "store.db")


@pytest.mark.parametrize("opens", [SqliteRecorder, SqliteRecorder.open_to_read])
def test_a_folder_that_is_not_for_us_and_a_name_that_is_too_long_are_told(
    open_folder: Path, opens: Callable[[Path], object]
) -> None:
    let_go(made(open_folder / "store.db"))
    open_folder.chmod(0)
    with as_nobody(), pytest.raises(StoreUnusable, match=r"store\.db can't be .*: Permission denied$"):
        opens(open_folder / "store.db")
    with pytest.raises(StoreUnusable, match=r"can't be .*: File name too long$"):
        opens(open_folder / ("n" * 300))


def test_a_file_that_can_t_be_written_to_is_told_and_may_be_read(open_folder: Path) -> None:
    path = made(open_folder / "store.db")
    let_go(path)
    path.chmod(0o444)
    with as_nobody():
        with pytest.raises(StoreReadOnly, match=r"store\.db can be read only"):
            SqliteRecorder(path)
        assert SqliteRecorder.open_to_read(path).head("m").version == 3


def test_a_file_that_others_may_read_and_that_can_t_be_shut_is_told(open_folder: Path) -> None:
    path = made(open_folder / "store.db")
    let_go(path)
    path.chmod(0o666)
    with as_nobody(), pytest.raises(StoreUnusable, match=r"others may read .*store\.db, which can't be changed"):
        SqliteRecorder(path)


def test_a_file_that_can_t_be_made_is_told(open_folder: Path) -> None:
    for name in ("store.db.lock", "store.db.turn"):
        (open_folder / name).touch()
        (open_folder / name).chmod(0o666)
    open_folder.chmod(0o555)
    with as_nobody(), pytest.raises(StoreUnwritable, match=r"store\.db can't be made or written to"):
        SqliteRecorder(open_folder / "store.db")


def test_a_lock_that_there_is_no_room_for_is_told(tmp_path: Path) -> None:
    with small_files(0), pytest.raises(StoreUnwritable, match=r"store\.db can't be made or written to: File too large"):
        SqliteRecorder(tmp_path / "store.db")


def test_a_store_in_a_folder_that_can_t_be_written_in_may_be_read(open_folder: Path) -> None:
    path = made(open_folder / "store.db")
    path.chmod(0o444)
    open_folder.chmod(0o555)
    with as_nobody():
        reader = SqliteRecorder.open_to_read(path)
        assert reader.head("m").version == 3
        reader.close()


def test_a_file_that_can_t_be_opened_is_told(open_folder: Path) -> None:
    path = made(open_folder / "store.db")
    path.chmod(0)
    with as_nobody(), pytest.raises(StoreUnusable, match=r"store\.db can't be opened"):
        SqliteRecorder.open_to_read(path)
    Path(f"{path}-wal").touch()
    with as_nobody(), pytest.raises(StoreUnusable, match=r"store\.db can't be opened"):
        SqliteRecorder.open_to_read(path)


@pytest.mark.parametrize("opens", [SqliteRecorder, SqliteRecorder.open_to_read])
def test_what_is_no_database_is_told_and_left_alone(path: Path, opens: Callable[[Path], object]) -> None:
    path.write_bytes(b"a letter to the editor\n" * 500)
    with pytest.raises(StoreCorrupt, match=r"store\.db is no database"):
        opens(path)
    assert path.read_bytes().startswith(b"a letter")


@pytest.mark.parametrize("opens", [SqliteRecorder, SqliteRecorder.open_to_read])
def test_a_damaged_store_is_told(path: Path, opens: Callable[[Path], object]) -> None:
    made(path)
    pages = bytearray(path.read_bytes())
    pages[100:4096] = bytes(3996)
    path.write_bytes(pages)
    with pytest.raises(StoreCorrupt, match=r"store\.db is damaged"):
        opens(path)


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize("opens", [SqliteRecorder, SqliteRecorder.open_to_read])
def test_another_program_s_database_is_no_store(path: Path, opens: Callable[[Path], object], version: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name)")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    with pytest.raises(StoreCorrupt, match="no store"):
        opens(path)


@pytest.mark.parametrize("opens", [SqliteRecorder, SqliteRecorder.open_to_read])
def test_a_later_release_s_store_is_left_alone(path: Path, opens: Callable[[Path], object]) -> None:
    made(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreNewer, match=f"schema 99, known is {max(opening.SCHEMA)}"):
        opens(path)


@pytest.mark.parametrize("opens", [SqliteRecorder, SqliteRecorder.open_to_read])
def test_a_store_of_before_the_first_release_is_refused_and_left_as_it_is(
    path: Path, opens: Callable[[Path], object]
) -> None:
    recorder = SqliteRecorder(path)
    asked = (Decision("m", 1, 2, "", "bot:greedy"), Decision("m", 0, 2, "", "player:7"))
    recorder.append("m", [write("m", 2)], decisions=asked)
    recorder.append("n", [write("n", 2)], decisions=(Decision("n", 0, 2, "", "player:7"),))
    recorder.close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 3")
    connection.close()
    before = path.read_bytes()
    said = r"before the first release \(schema 3, the first is 4\): 2 running matches can't go on here; bring it up to"
    with pytest.raises(StoreOlder, match=said):
        opens(path)
    assert path.read_bytes() == before


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """A script that makes the version after the last one."""
    return tmp_path / f"{max(opening.SCHEMA) + 1:04}_later.sql"


LATER = """
import sys
from pathlib import Path

from events import opening
from events.sqlite import SqliteRecorder

opening.SCHEMA |= {max(opening.SCHEMA) + 1: Path(sys.argv[2])}
print("ready", flush=True)
sys.stdin.readline()
SqliteRecorder(sys.argv[1]).close()
print("done", flush=True)
"""


def test_two_processes_at_once_run_a_script_that_is_missing_once(path: Path, later: Path) -> None:
    made(path)
    later.write_text("CREATE TABLE later (x INTEGER) STRICT; INSERT INTO later VALUES (1);")
    with child(LATER, str(path), str(later)) as one, child(LATER, str(path), str(later)) as other:
        both = one, other
        assert [process.stdout.readline() for process in both if process.stdout] == ["ready\n", "ready\n"]
        for process in both:
            assert process.stdin
            process.stdin.write("\n")
            process.stdin.flush()
        assert [process.communicate()[0] for process in both] == ["done\n", "done\n"]
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM later").fetchone() == (1,)
    assert connection.execute("PRAGMA user_version").fetchone() == (max(opening.SCHEMA) + 1,)
    connection.close()
    with pytest.raises(StoreNewer):
        SqliteRecorder(path)


def test_a_script_that_fails_in_the_middle_leaves_the_store_as_it_was(
    path: Path, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(path)
    later.write_text("CREATE TABLE later (x INTEGER) STRICT; INSERT INTO nowhere VALUES (1);")
    with monkeypatch.context() as patched:
        patched.setattr(opening, "SCHEMA", {**opening.SCHEMA, max(opening.SCHEMA) + 1: later})
        with pytest.raises(StoreUnusable, match="nowhere"):
            SqliteRecorder(path)
    recorder = SqliteRecorder(path)
    assert recorder.head("m").version == 3
    assert recorder.find(Statement("SELECT name FROM sqlite_schema WHERE name = 'later'")) == []
    recorder.close()


def test_a_refused_opening_lets_go_of_the_store(path: Path) -> None:
    path.write_bytes(b"x" * 5000)
    for _ in range(2):
        with pytest.raises(StoreCorrupt):
            SqliteRecorder(path)
    path.unlink()
    made(path)


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True), (True, True)])
def test_who_wants_to_write_alone_has_no_other_writer(path: Path, first: bool, second: bool) -> None:
    recorder = SqliteRecorder(path, alone=first)
    with pytest.raises(StoreInUse, match=f"another process, {os.getpid()}"):
        SqliteRecorder(path, alone=second)
    recorder.close()
    SqliteRecorder(path, alone=second).close()


def test_the_store_is_durable_and_keeps_a_log_of_writes(path: Path) -> None:
    recorder = SqliteRecorder(path)
    (synchronous, journal, schema) = recorder.transact(
        lambda connection: tuple(
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("synchronous", "journal_mode", "user_version")
        )
    )
    recorder.close()
    assert (synchronous, journal, schema) == (2, "wal", max(opening.SCHEMA))


def test_other_processes_read_while_one_writes(path: Path) -> None:
    with child(WRITE_ON, str(path)) as process:
        try:
            assert process.stdout
            match, version = process.stdout.readline().split()
            with pytest.raises(StoreInUse, match=str(process.pid)):
                SqliteRecorder(path, alone=True)
            reader = SqliteRecorder.open_to_read(path)
            assert isinstance(reader, SqliteReader)
            seen = 1
            for line in (process.stdout.readline() for _ in range(30)):
                match, version = line.split()
                assert reader.head(match).version >= int(version)
                now = len(reader.read_all(0, 0, 10_000))
                assert now >= seen > 0
                seen = now
            reader.close()
        finally:
            process.kill()


@pytest.mark.parametrize("acknowledged", [1, 57, 200])
def test_a_killed_writer_leaves_all_that_it_acknowledged(path: Path, acknowledged: int) -> None:
    with child(WRITE_ON, str(path)) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(acknowledged)]
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
    recorder = SqliteRecorder(path)
    for line in lines:
        match, version = line.split()
        assert recorder.head(match).version >= int(version)
    count = 0
    for match in recorder.matches():
        versions = [event.version for event in recorder.read(match)]
        # an append of both streams, or nothing of it
        assert versions == list(range(1, 3 * len(recorder.read(f"{match}/seat:0")) + 1))
        count += len(versions) * 4 // 3
    everything = recorder.read_all(0, 0, 100_000)
    assert [position for position, _ in everything] == list(range(1, count + 1))
    recorder.append("m0", [write("m0", 1, recorder.head("m0"))])
    recorder.close()
