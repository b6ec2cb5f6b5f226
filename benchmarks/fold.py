"""Measures how fast events are folded: from memory, from a store, or only the latest ones; and the size of states."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from itertools import cycle
from pathlib import Path
from time import process_time
from typing import Any

import msgspec

from benchmarks import Figures
from benchmarks.record import Record
from domain import matches
from domain.catalogue import Catalogue
from domain.matches import Match
from events.sqlite import SqliteRecorder
from replays.log import TRUTH, Log, Viewer

GAME = "three-magic"
MATCHES = 40
SECONDS = 2.0
RUNS = 8
BEHIND = 5
"""The number of events that a state is behind before it is brought up to date: about one move."""


def best(measure: Callable[[float], float], seconds: float) -> int:
    """Divide the seconds into some runs of `measure`, which takes processor time; return the best result."""
    return round(max(measure(seconds / RUNS) for _ in range(RUNS)))


def rate(done: Iterable[int], seconds: float) -> float:
    """Return the sum of the numbers for each second of processor time, until so many seconds are over."""
    total, start = 0, process_time()
    for number in done:
        total += number
        if (spent := process_time() - start) > seconds:
            break
    return total / spent


def live(records: Iterable[Record], catalogue: Catalogue, seconds: float) -> float:
    """Return the events a second that are folded from values in memory."""
    found = []
    for record in records:
        pack = catalogue.rooms[GAME].packs[record.state.opened.pack].pack
        found.append((record.game, matches.begin(record.game, pack, record.state.opened), record.events))
    return rate((matches.fold(game, begun, events).version - 1 for game, begun, events in cycle(found)), seconds)


def stored(logs: list[Log], viewer: Viewer, seconds: float) -> float:
    """Return the events a second that are read from the store, decoded and folded."""
    return rate((log.fold(viewer).version for log in cycle(logs)), seconds)


def caught_up(logs: list[Log], seconds: float) -> float:
    """Return the states of a seat a second that are brought up to date, by the last `BEHIND` events of a match."""
    bases = []
    for log in logs:
        last = log.store.head(log.id).version
        bases.append((log, log.fold(0, at=last - BEHIND)))

    def states() -> Iterator[int]:
        for log, base in cycle(bases):
            log.fold(0, base)
            yield 1

    return rate(states(), seconds)


def size(values: Iterable[Any], shared: Iterable[Any] = ()) -> int:
    """Return the bytes of the values and of all objects in them, each counted once, without those in `shared`."""
    seen: set[int] = set()
    total = 0
    waiting = list(shared)
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            waiting.extend(_parts(one))
    waiting = list(values)
    while waiting:
        one = waiting.pop()
        if id(one) in seen or one is None or isinstance(one, bool | Enum) or (isinstance(one, int) and -6 < one < 257):
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        waiting.extend(_parts(one))
    return total


def _parts(one: Any) -> Iterable[Any]:
    if isinstance(one, msgspec.Struct):
        return [getattr(one, name) for name in one.__struct_fields__]
    return one if isinstance(one, tuple) else ()


def kept(log: Log, at: int) -> int:
    """Return the bytes of a cached match at a version: its states for all viewers."""
    states: list[Match[Any]] = [log.fold(viewer, at=at) for viewer in (TRUTH, None, *range(log.opening.seats))]
    return size(states, [log.pack.pack])


def of_every_game(catalogue: Catalogue, matches: int, seconds: float) -> Figures:
    """Return for each game the events a second that are read and folded, for the truth and for one seat."""
    figures: Figures = {}
    for slug in sorted(catalogue.rooms):
        with _stored([Record(catalogue.rooms[slug], f"m_{number}") for number in range(matches)], catalogue) as logs:
            for name, viewer in (("stored", TRUTH), ("stored_seat", 0)):
                rate = best(lambda time, logs=logs, viewer=viewer: stored(logs, viewer, time), seconds)  # type: ignore[misc]
                figures[f"{slug.replace('-', '_')}_{name}_events_per_s"] = {"value": rate, "unit": "events/s"}
    return figures


@contextmanager
def _stored(records: list[Record], catalogue: Catalogue) -> Iterator[list[Log]]:
    with tempfile.TemporaryDirectory() as folder:
        recorder = SqliteRecorder(Path(folder) / "bench.db")
        try:
            for record in records:
                record.store(recorder)
            yield [Log(recorder, record.id, catalogue) for record in records]
        finally:
            recorder.close()


def run(matches: int = MATCHES, seconds: float = SECONDS) -> Figures:
    """Make all measurements on matches of Three Magic, and those of stored events also on every other game."""
    catalogue = Catalogue()
    records = [Record(catalogue.rooms[GAME], f"m_{number}") for number in range(matches)]
    with _stored(records, catalogue) as logs:
        sizes = [kept(log, at) for log in logs[:10] for at in range(50, log.store.head(log.id).version, 50)]
        return {
            "live_events_per_s": {
                "value": best(lambda time: live(records, catalogue, time), seconds),
                "unit": "events/s",
            },
            **of_every_game(catalogue, max(1, matches // 2), seconds),
            "caught_up_per_s": {"value": best(lambda time: caught_up(logs, time), seconds), "unit": "states/s"},
            "cached_match_mean": {"value": round(sum(sizes) / len(sizes) / 1024, 1), "unit": "KiB"},
            "cached_match_max": {"value": round(max(sizes) / 1024, 1), "unit": "KiB"},
        }
