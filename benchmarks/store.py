"""What the stores do: durable moves a second, what sealing costs them, and how fast streams are read back."""

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
"""Appends of a thread that wait for their commit at once: as many requests are being answered side by side."""

DUE = "2024-03-04T12:00:00.000Z"


@contextmanager
def store() -> Iterator[SqliteRecorder]:
    """An empty store that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        recorder = SqliteRecorder(Path(folder) / "bench.db")
        try:
            yield recorder
        finally:
            recorder.close()


def play(recorder: SqliteRecorder, matches: range) -> None:
    """Play the matches side by side, a move of each in turn: seal it, submit it, wait when WINDOW are on their way."""
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
    """Durable moves a second, sealing included: 4 events, a command and a decision each."""
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
    """Durable appends of one event a second, each waited for: a commit each."""
    (event,) = chain.seal(chain.Head(), "match", DRAFTS[0][1:2], AT, SECRET)
    events = [msgspec.structs.replace(event, stream=f"match-{i:06}") for i in range(count)]
    with store() as recorder:
        start = perf_counter()
        for event in events:
            recorder.append(event.stream, (Write(event.stream, 0, (event,)),))
        return count / (perf_counter() - start)


def sealing(count: int = 500) -> float:
    """Moves of 4 events sealed a second."""
    start = perf_counter()
    for _ in range(count):
        for drafts in DRAFTS:
            chain.seal(chain.Head(), "match-00000001", drafts, AT, SECRET)
    return count * MOVES / (perf_counter() - start)


def reading(matches: int = 320) -> tuple[float, float]:
    """Events a second, stream by stream: as facts for folding, and as they are stored."""
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
    """The medians of a few runs."""
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
