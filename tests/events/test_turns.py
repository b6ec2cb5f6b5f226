"""Several processes that write to one SQLite store: each takes its turn, and knows what the others have written."""

from __future__ import annotations

import errno
import fcntl
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

import pytest

from events.sqlite import SqliteRecorder
from events.store import Appended, Command, CommandReused, Span, StaleVersion, StoreError, Write
from tests.events.streams import everything, sealed, write
from tests.events.test_sqlite_opening import child

WRITE = """
import sys

from events.sqlite import SqliteRecorder
from events.store import StaleVersion
from tests.events.streams import write

recorder, name = SqliteRecorder(sys.argv[1]), sys.argv[2]
head = recorder.head("shared")
print("ready", flush=True)
sys.stdin.readline()
for number in range(150):
    own = f"{name}{number % 7}"
    recorder.append(own, [write(own, 2, recorder.head(own))])
    print(own, recorder.head(own).version)
    head = recorder.head("shared") if number else head
    try:
        recorder.append("shared", [write("shared", 1, head, text=f"{name}:")])
        print("shared", head.version + 1)
    except StaleVersion as error:
        assert error.current > head.version
        print("stale", error.current)
recorder.close()
"""


@pytest.mark.faults
def test_processes_write_at_once_to_one_store(path: Path) -> None:
    names = "abcd"
    processes = [child(WRITE, str(path), name) for name in names]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    with ThreadPoolExecutor(len(names)) as threads:
        told = list(threads.map(lambda process: process.communicate("go\n")[0].splitlines(), processes))
    assert [process.returncode for process in processes] == [0] * len(names)
    recorder = SqliteRecorder(path)
    shared = [line for lines in told for line in lines if line.startswith("shared ")]
    assert len(set(shared)) == len(shared) == recorder.head("shared").version, "each version was won by one"
    # for the first one all of them want the same version
    firsts = [next(line for line in lines if line.startswith(("shared", "stale"))) for lines in told]
    assert sorted(line.split()[0] for line in firsts) == ["shared", "stale", "stale", "stale"]
    for name, lines in zip(names, told, strict=True):
        for number in range(7):
            own = [line for line in lines if line.startswith(f"{name}{number} ")]
            assert recorder.head(f"{name}{number}").version == 2 * len(own) == int(own[-1].split()[1])
    found = everything(recorder)
    assert [position for position, _ in found] == list(range(1, len(found) + 1))
    by_stream = sorted((event for _, event in found), key=lambda event: (event.stream, event.version))
    for stream, events in groupby(by_stream, lambda event: event.stream):
        assert tuple(events) == recorder.read(stream)
        assert [event.version for event in recorder.read(stream)] == list(range(1, recorder.head(stream).version + 1))
    recorder.close()


def test_what_another_has_written_or_taken_is_known(path: Path, sqlite: SqliteRecorder) -> None:
    other = SqliteRecorder(path)
    sqlite.append("m", [write("m", 2)], command=Command("c", "d"))
    again = other.append("m", [write("m", 2)], command=Command("c", "d"))
    assert again == Appended((Span("m", 1, 2),), repeated=True)
    with pytest.raises(CommandReused):
        other.append("m", [write("m", 2)], command=Command("c", "e"))
    head = sqlite.head("m")
    other.append("m", [write("m", 1, head)], command=Command("later", "d"))
    with pytest.raises(StaleVersion) as refused:
        sqlite.append("m", [Write("m", 2, sealed("m", 1, head))])
    assert refused.value.current == 3
    assert sqlite.append("m", [write("m", 1)], command=Command("later", "d")).repeated
    sqlite.append("m", [write("m", 1, sqlite.head("m"))])
    other.append("n", [write("n", 1)])
    assert [position for position, _ in everything(sqlite)] == [1, 2, 3, 4, 5]
    other.close()


def test_a_writer_that_was_killed_in_its_turn_holds_up_nobody(path: Path, sqlite: SqliteRecorder) -> None:
    hold = """
import sys

from events.sqlite import SqliteRecorder
from events.store import Append
from tests.events.streams import write

recorder = SqliteRecorder(sys.argv[1])
recorder.submit(Append("m", (write("m", 1),)))
recorder.transact(lambda connection: (print("holds", flush=True), sys.stdin.readline()))
"""
    with child(hold, str(path)) as process:
        assert process.stdout is not None
        while process.stdout.readline() != "holds\n":
            pass
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(sqlite.append, "n", [write("n", 1)])
            assert not waiting.done()
            process.kill()
            assert waiting.result(timeout=30).spans


def test_where_the_lock_cannot_be_asked_for_the_append_is_refused_and_the_next_one_is_tried(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(file: object, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    recorder = SqliteRecorder(path)
    with monkeypatch.context() as broken:
        broken.setattr(fcntl, "flock", flock)
        with pytest.raises(StoreError, match="can't be locked: No locks available"):
            recorder.append("one", [write("one", 1, recorder.head("one"))])
    assert recorder.append("one", [write("one", 1, recorder.head("one"))]).spans == (Span("one", 1, 1),)
    recorder.close()
