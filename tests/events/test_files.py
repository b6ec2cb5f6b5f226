"""A file is there whole, or as it was, whoever else writes it and whatever fails."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier

import pytest

from events.files import SMALL, alone, check_room, make_folder, read_small, write_whole

TREE = Path(__file__).parents[2]


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def masked(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def test_a_file_is_ours_alone_unless_it_is_said_otherwise_and_replaced_with_its_mode(tmp_path: Path) -> None:
    own, shared = tmp_path / "own", tmp_path / "shared"
    own.write_bytes(b"before")
    own.chmod(0o644)
    with masked(0o022):
        assert write_whole(own, b"secret")
        assert write_whole(shared, b"open", mode=0o666)
    assert (own.read_bytes(), mode_of(own), mode_of(shared)) == (b"secret", 0o600, 0o644)
    assert {found.name for found in tmp_path.iterdir()} == {"own", "shared"}


def test_what_is_no_small_file_is_not_waited_for_nor_read_without_end(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * SMALL)
    assert read_small(path) == b"x" * SMALL
    path.write_bytes(b"x" * (SMALL + 1))
    os.mkfifo(tmp_path / "pipe")
    for other, why in ((path, "File too large"), (tmp_path, "Is a directory"), (tmp_path / "none", "No such file")):
        with pytest.raises(OSError, match=why):
            read_small(other)
    for other in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(OSError, match="this is no plain file"):
            read_small(other)


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "file")
    write_whole(tmp_path / "link", b"content")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "elsewhere" / "file").read_bytes() == b"content"


def test_a_first_file_is_written_by_whoever_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "file"
    barrier = Barrier(16)

    def write(number: int) -> bool:
        barrier.wait()
        return write_whole(path, b"%d" % number, is_first=True)

    with ThreadPoolExecutor(16) as pool:
        wrote = list(pool.map(write, range(16)))
    assert sum(wrote) == 1
    assert path.read_bytes() == b"%d" % wrote.index(True)
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


@contextmanager
def small_files(most: int) -> Iterator[None]:
    """No file of this process may be larger: what a full disk does."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("is_first", [False, True])
def test_where_there_is_no_room_all_stays_as_it_was(tmp_path: Path, is_first: bool) -> None:
    path = tmp_path / "file"
    if not is_first:
        path.write_bytes(b"before")
    with small_files(1000), pytest.raises(OSError, match="large"):
        write_whole(path, b"x" * 5000, is_first=is_first)
    assert [found.read_bytes() for found in tmp_path.iterdir()] == ([] if is_first else [b"before"])


def test_room_is_found_by_writing(tmp_path: Path) -> None:
    check_room(tmp_path, 5000)
    with small_files(1000), pytest.raises(OSError, match="large"):
        check_room(tmp_path, 5000)
    with pytest.raises(FileNotFoundError):
        check_room(tmp_path / "none", 1)
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "none" / "file", b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_what_is_no_plain_file_is_never_replaced(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "there"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/null")
    before = path.stat()
    with pytest.raises(OSError, match="no plain file"):
        write_whole(path, b"content")
    assert (path.stat().st_ino, path.stat().st_mode) == (before.st_ino, before.st_mode)
    assert [found.name for found in tmp_path.iterdir()] == ["there"]


def test_a_pipe_without_a_name_is_told_as_a_pipe() -> None:
    """As `/dev/stdout` is one where another program reads it."""
    reading, writing = os.pipe()
    with pytest.raises(OSError, match="no plain file"):
        write_whole(Path(f"/proc/self/fd/{writing}"), b"content")
    os.close(reading)
    os.close(writing)


def test_folders_are_made_for_ourselves_with_all_above_them(tmp_path: Path) -> None:
    with masked(0o022):
        make_folder(tmp_path / "a" / "b" / "c")
        make_folder(tmp_path / "a" / "b" / "c")
    assert [mode_of(tmp_path / name) for name in ("a", "a/b", "a/b/c")] == [0o700] * 3
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "file", tmp_path / "file" / "under"):
        with pytest.raises(FileExistsError):
            make_folder(path)


def test_who_is_killed_while_writing_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"0" * 1000)
    code = (
        "import sys\nfrom pathlib import Path\nfrom events.files import write_whole\n"
        "print('ready', flush=True)\nnumber = 0\n"
        "while True:\n    number = (number + 1) % 10\n    write_whole(Path(sys.argv[1]), b'%d' % number * 1000)"
    )
    for _ in range(5):
        with subprocess.Popen(
            [sys.executable, "-c", code, str(path)], cwd=TREE, stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            first = path.read_bytes()
            while path.read_bytes() == first:
                pass
            writer.kill()
        content = path.read_bytes()
        assert content == content[:1] * 1000


def test_who_reads_and_then_writes_does_so_alone(tmp_path: Path) -> None:
    path = tmp_path / "count"
    path.write_bytes(b"0")

    def count(_: int) -> None:
        with alone(tmp_path):
            write_whole(path, b"%d" % (int(path.read_bytes()) + 1))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(count, range(64)))
    assert path.read_bytes() == b"64"
