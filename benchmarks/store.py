"""Measures the stores: durable moves a second, the cost of sealing, and how fast streams are read."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter

import msgspec

from benchmarks import Figures, partitions
from benchmarks.drafts import AT, DRAFTS, MOVES, SECRET
from events import chain
from events.sqlite import SqliteRecorder
from events.store import Append, Appended, Command, Decision, Write
from events.writer import Pending

THREADS = 4
WINDOW = 32
"""How many appends of a thread wait for their commit at the same time, like those of as many requests."""

DUE = "2024-03-04T12:00:00.000Z"


@contextmanager
def store() -> Iterator[SqliteRecorder]:
    """Yield an empty SQLite store, which is deleted after the block."""
    with tempfile.TemporaryDirectory() as folder:
        recorder = SqliteRecorder(Path(folder) / "bench.db")
        try:
            yield recorder
        finally:
            recorder.close()


def play(recorder: SqliteRecorder, matches: range) -> None:
    """Play the matches in turns, move by move: seal and submit each; when WINDOW appends wait, wait for the first."""
    heads = dict.fromkeys(matches, chain.Head())
    waiting: deque[Pending[Appended]] = deque()
    for move, drafts in enumerate(DRAFTS):
        for number in matches:
            match, head = f"match-{number:08}", heads[number]
            events = chain.seal(head, match, drafts, AT, SECRET)
            heads[number] = chain.head_of(events)
            decisions = (Decision(match, move % 4, events[-1].version, DUE, f"player:{number % 997}"),)
            command = Command(f"{match}:{move}:5f0c2a7e9b1d", "0123456789abcdef0123456789abcdef")
            write = Write(match, head.version, events)
            waiting.append(recorder.submit(Append(match, (write,), command, decisions)))
            if len(waiting) >= WINDOW:
                waiting.popleft().result()
    for one in waiting:
        one.result()


def moves(matches: int = 640) -> float:
    """Return the durable moves a second, with sealing. A move has 4 events, a command and a decision."""
    share = matches // THREADS
    with store() as recorder:
        threads = [
            Thread(target=play, args=(recorder, range(i * share, (i + 1) * share)), daemon=True) for i in range(THREADS)
        ]
        start = perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return matches * MOVES / (perf_counter() - start)


def single_commits(count: int = 2000) -> float:
    """Return the durable appends of one event a second, if each waits for its commit."""
    (event,) = chain.seal(chain.Head(), "match", DRAFTS[0][1:2], AT, SECRET)
    events = [msgspec.structs.replace(event, stream=f"match-{i:06}") for i in range(count)]
    with store() as recorder:
        start = perf_counter()
        for event in events:
            recorder.append(event.stream, (Write(event.stream, 0, (event,)),))
        return count / (perf_counter() - start)


def sealing(count: int = 500) -> float:
    """Return the moves of 4 events that are sealed in a second."""
    start = perf_counter()
    for _ in range(count):
        for drafts in DRAFTS:
            chain.seal(chain.Head(), "match-00000001", drafts, AT, SECRET)
    return count * MOVES / (perf_counter() - start)


def reading(matches: int = 320) -> tuple[float, float]:
    """Return the events a second that are read stream by stream: as facts for folding, and as stored events."""
    with store() as recorder:
        play(recorder, range(matches))
        ids = recorder.matches()
        return _rate(recorder.facts, ids), _rate(recorder.read, ids)


def _rate(read: Callable[[str], object], ids: tuple[str, ...]) -> float:
    start = perf_counter()
    for match in ids:
        read(match)
    return len(ids) * MOVES * len(DRAFTS[0]) / (perf_counter() - start)


def run(times: int = 3) -> Figures:
    """Return the medians of a few runs of each measurement."""
    reads = [reading() for _ in range(times)]
    figures = {
        "store: durable moves, sealed": (median(moves() for _ in range(times)), "moves/s"),
        "store: sealing alone": (median(sealing() for _ in range(times)), "moves/s"),
        "store: one-event commits": (median(single_commits() for _ in range(times)), "commits/s"),
        "store: facts for folding": (median(facts for facts, _ in reads), "events/s"),
        "store: stored events": (median(stored for _, stored in reads), "events/s"),
    }
    told: Figures = {name: {"value": round(value), "unit": unit} for name, (value, unit) in figures.items()}
    return told | partitions.run(times)
