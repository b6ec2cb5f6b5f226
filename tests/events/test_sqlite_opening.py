"""Opening a store on SQLite: who may write, readers beside them, an error for each thing amiss, what a kill leaves."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from events import opening
from events.sqlite import SqliteReader, SqliteRecorder
from events.store import StoreCorrupt, StoreInUse, StoreUnusable, StoreUnwritable
from tests.events.streams import write
from tests.events.test_files import small_files
from tests.service.run.uprun import small_disk

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


EITHER = (SqliteRecorder, SqliteRecorder.open_to_read)
"""Whoever opens a file: to write, and to read."""


def other_program(path: Path, version: int = 0) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
        connection.execute(f"PRAGMA user_version = {version}")


def damage(path: Path) -> None:
    pages = bytearray(made(path).read_bytes())
    pages[100:4096] = bytes(3996)
    path.write_bytes(pages)


@pytest.mark.parametrize("opens", EITHER)
@pytest.mark.parametrize(
    ("makes", "says"),
    [
        (lambda path: path.mkdir(0o755), "is no file"),
        (lambda path: os.mkfifo(path, 0o755), "is no file"),
        (lambda path: path.write_bytes(b"a letter to the editor\n" * 500), r"store\.db is no database"),
        (damage, r"store\.db is damaged"),
        (other_program, "no store"),
        (lambda path: other_program(path, 1), "no store"),
    ],
)
def test_what_is_no_store_is_told_and_left_alone(
    path: Path, opens: Callable[[Path], object], makes: Callable[[Path], object], says: str
) -> None:
    makes(path)
    mode, content = path.stat().st_mode, path.read_bytes() if path.is_file() else b""
    for _ in range(2):
        with pytest.raises(StoreCorrupt, match=says):
            opens(path)
    if path.is_file():
        assert path.read_bytes()[100:] == content[100:], "but for how SQLite writes, in its header"
        path.unlink()
        made(path)  # who was refused holds nothing
    else:
        assert path.stat().st_mode == mode


@pytest.mark.parametrize(
    ("is_made", "folder", "file", "opens", "error", "says"),
    [
        (False, 0o555, None, SqliteRecorder, StoreUnwritable, "Permission denied"),
        *((True, 0, None, opens, StoreUnusable, r"store\.db can't be .*: Permission denied$") for opens in EITHER),
        (True, 0o777, 0o444, SqliteRecorder, StoreUnusable, r"store\.db can be read only"),
        (True, 0o777, 0o666, SqliteRecorder, StoreUnusable, r"others may read .*store\.db, which can't be changed"),
        (True, 0o777, 0, SqliteRecorder.open_to_read, StoreUnusable, r"store\.db can't be opened"),
    ],
)
def test_what_may_not_be_touched_is_told(
    open_folder: Path,
    is_made: bool,
    folder: int,
    file: int | None,
    opens: Callable[[Path], object],
    error: type[StoreUnusable],
    says: str,
) -> None:
    path = open_folder / "store.db"
    if is_made:
        made(path)
        for suffix in (".lock", ".turn"):
            Path(f"{path}{suffix}").unlink()  # this user's, by which processes take turns
    if file is not None:
        path.chmod(file)
    open_folder.chmod(folder)
    for _ in range(2):
        with as_nobody(), pytest.raises(error, match=says):
            opens(path)
        if file == 0:
            Path(f"{path}-wal").touch()


def test_where_no_file_can_be_made_it_is_told(tmp_path: Path, open_folder: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "nowhere" / "store.db", tmp_path / "file" / "store.db"):
        with pytest.raises(StoreUnwritable, match=r"store\.db can't be made or written to: No"):
            SqliteRecorder(path)
    (tmp_path / "turned.db.turn").mkdir()
    with pytest.raises(StoreUnwritable, match=r"turned\.db can't be made or written to: Is a directory"):
        SqliteRecorder(tmp_path / "turned.db")
    for opens in EITHER:
        with pytest.raises(StoreUnusable, match=r"can't be .*: File name too long$"):
            opens(tmp_path / ("n" * 300))
    with small_files(0), pytest.raises(StoreUnusable, match=r"store\.db can't be opened: disk I/O error"):
        SqliteRecorder(tmp_path / "store.db")
    for name in ("store.db.lock", "store.db.turn"):
        (open_folder / name).touch()
        (open_folder / name).chmod(0o666)
    open_folder.chmod(0o555)
    with as_nobody(), pytest.raises(StoreUnwritable, match=r"store\.db can't be made or written to"):
        SqliteRecorder(open_folder / "store.db")


@pytest.mark.faults
def test_a_full_disk_is_told_as_one_that_can_t_be_written_to(tmp_path: Path) -> None:
    with (
        small_disk(tmp_path / "small", 40),
        pytest.raises(StoreUnwritable, match="written to: database or disk is full"),
    ):
        SqliteRecorder(tmp_path / "small" / "store.db")


@pytest.mark.parametrize("folder", [0o777, 0o555])
def test_what_can_t_be_written_to_may_be_read(open_folder: Path, folder: int) -> None:
    path = made(open_folder / "store.db")
    path.chmod(0o444)
    open_folder.chmod(folder)
    with as_nobody(), closing(SqliteRecorder.open_to_read(path)) as reader:
        assert reader.head("m").version == 3


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True), (True, True)])
def test_who_wants_to_write_alone_has_no_other_writer(path: Path, first: bool, second: bool) -> None:
    recorder = SqliteRecorder(path, alone=first)
    with pytest.raises(StoreInUse, match=r"store\.db is written to by another process$"):
        SqliteRecorder(path, alone=second)
    recorder.close()
    SqliteRecorder(path, alone=second).close()


def test_the_writer_that_is_named_is_one_that_runs_and_none_that_has_ended_since(path: Path) -> None:
    with child(WRITE_ON, str(path)) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        SqliteRecorder(path).close()
        with pytest.raises(StoreInUse, match=f"another process, {writer.pid}$"):
            SqliteRecorder(path, alone=True)
        writer.kill()


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


@pytest.mark.parametrize("acknowledged", [1, 57, 200])
def test_others_read_beside_a_writer_and_if_it_is_killed_it_leaves_all_that_it_acknowledged(
    path: Path, acknowledged: int
) -> None:
    with child(WRITE_ON, str(path)) as process:
        assert process.stdout
        lines = [process.stdout.readline()]
        with closing(SqliteRecorder.open_to_read(path)) as reader:
            assert isinstance(reader, SqliteReader)
            seen = 1
            for _ in range(acknowledged - 1):
                lines.append(process.stdout.readline())
                match, version = lines[-1].split()
                assert reader.head(match).version >= int(version)
                if len(lines) < 30:
                    before, seen = seen, len(reader.read_all(0, 0, 10_000))
                    assert seen >= before
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
    assert [position for position, _ in recorder.read_all(0, 0, 100_000)] == list(range(1, count + 1))
    recorder.append("m0", [write("m0", 1, recorder.head("m0"))])
    recorder.close()
