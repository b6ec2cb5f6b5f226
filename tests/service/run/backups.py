"""What tests of backups need: writers that never rest, and what lies in a folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import structlog

from events.chain import Head, head_of
from events.sqlite import SqliteRecorder
from events.store import Write
from replays.checking import chains
from service.__main__ import main
from tests.events.streams import sealed
from tests.service.run.uprun import handlers_kept, until
from tests.typed import typed

Ack = tuple[str, int, bytes]
"""Stream, version and hash of an event that was acknowledged."""


def service(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, in this process."""
    # the command sets these too for its own process
    before, logging = os.umask(0), structlog.get_config()
    try:
        with handlers_kept():
            return typed(main, "service", *args)
    finally:
        os.umask(before)
        structlog.configure(**logging)


def refused(says: str, *args: str | Path) -> str:
    """The command ends with one line that says so: the line."""
    done = service(*args)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert says in done.stderr
    return done.stderr


def tree(folder: Path) -> dict[str, bytes | None]:
    """What lies in the folder, by name; None is a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if not path.name.endswith((".lock", ".turn", "-shm"))
    }


def check(data: Path, acked: set[Ack]) -> None:
    """All chains of the store hold, and all these events are in it."""
    with closing(SqliteRecorder.open_to_read(data / "foldtable.db")) as reader:
        found = [chains.check(reader, match) for match in reader.matches()]
        assert [one for one in found if one.fault] == []
        for stream, version, hash in acked:
            (event,) = reader.read(stream, version - 1, 1)
            assert event.hash == hash


@contextmanager
def held(data: Path, begin: str) -> Iterator[int]:
    """Another process is in a transaction of the store, which `begin` begins: its process id."""
    code = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "c.execute(sys.argv[2]); print(1, flush=True); input()"
    )
    words = [sys.executable, "-c", code, str(data / "foldtable.db"), begin]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "1\n"
        yield other.pid
        other.communicate("\n")


def damage_pages(data: Path) -> None:
    """Change the beginning of every page of the store's file but the first."""
    path = data / "foldtable.db"
    content = bytearray(path.read_bytes())
    for page in range(4096, len(content), 4096):
        content[page : page + 8] = b"\xff" * 8
    path.write_bytes(content)


class Appending(Thread):
    """Appends to streams of its own, one event after the other, and notes what was acknowledged."""

    def __init__(self, recorder: SqliteRecorder, name: str, stop: Event) -> None:
        super().__init__()
        self.acked: list[Ack] = []
        self._recorder = recorder
        self._stream = name
        self._stop_asked = stop

    def run(self) -> None:
        heads: dict[str, Head] = {}
        while not self._stop_asked.is_set():
            stream = f"{self._stream}{len(self.acked) % 3}"
            head = heads.get(stream, Head())
            events = sealed(stream, 1, head, "x" * 2000)
            self._recorder.append(stream, [Write(stream, head.version, events)])
            heads[stream] = head_of(events)
            self.acked.append((stream, events[-1].version, events[-1].hash))


@contextmanager
def appending(path: Path) -> Iterator[tuple[Appending, Appending]]:
    """Two threads that append to the store as long as the block lasts."""
    stop = Event()
    with closing(SqliteRecorder(path)) as recorder:
        writers = (Appending(recorder, "m_a", stop), Appending(recorder, "m_b", stop))
        for writer in writers:
            writer.start()
        try:
            yield writers
        finally:
            stop.set()
            for writer in writers:
                writer.join()


def after(writer: Any, more: int = 30) -> None:
    then = len(writer.acked) + more
    until(lambda: len(writer.acked) >= then or not writer.is_alive(), "more is acknowledged")
    assert writer.is_alive()
