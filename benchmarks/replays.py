"""Measures how fast the past is read: a position of a long match, playing matches again, an audit."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator
from itertools import count, cycle
from pathlib import Path
from time import perf_counter, process_time

from benchmarks import Figures
from benchmarks.fold import best, rate
from benchmarks.record import AT, Record
from domain.catalogue import Catalogue
from events.keyring import Keyring
from events.sqlite import SqliteRecorder
from replays.checking.audit import audit
from replays.checking.rules import Kind, validate
from replays.files.exports import lines
from replays.files.format import read
from replays.log import TRUTH, Log
from replays.printing import picture

GAME = "three-magic"
LONG = 1000
"""The version at which the long match is shown; the match has at least so many events."""

MATCHES = 8
SECONDS = 1.0


def position(recorder: SqliteRecorder, match_id: str, catalogue: Catalogue) -> float:
    """Return the milliseconds to compute the table at version LONG from the store, without a cache."""
    start = perf_counter()
    Log(recorder, match_id, catalogue).fold(TRUTH, at=LONG)
    return 1000 * (perf_counter() - start)


def drawn(recorder: SqliteRecorder, match_id: str, catalogue: Catalogue) -> float:
    """Return the milliseconds to draw the table at version LONG, with its last events in words."""
    start = perf_counter()
    picture(Log(recorder, match_id, catalogue), 0, LONG, "en")
    return 1000 * (perf_counter() - start)


def least(measure: Callable[[], float], seconds: float) -> float:
    """Call `measure` again and again for so many seconds, and return the least result."""
    end = perf_counter() + seconds
    found = [measure()]
    while perf_counter() < end:
        found.append(measure())
    return round(min(found), 2)


def validated(recorder: SqliteRecorder, ids: list[str], catalogue: Catalogue, seconds: float) -> int:
    """Return the events a second of matches that `validate` reads and plays again, in the best run."""

    def events() -> Iterator[int]:
        for match_id in cycle(ids):
            verdict = validate(recorder, match_id, catalogue)
            assert verdict.kind is Kind.SAME, verdict
            yield verdict.events

    return best(lambda time: rate(events(), time), seconds)


def audited(data: bytes, catalogue: Catalogue) -> float:
    """Return the seconds of processor time for all checks on a thousand events of an export."""
    start = process_time()
    report = audit(read(io.BytesIO(data), "the export"), catalogue)
    spent = process_time() - start
    assert report.ok, report.failures
    return 1000 * spent / report.events


def _long_one(recorder: SqliteRecorder, catalogue: Catalogue) -> str:
    """Store matches until one has at least LONG events, and return its id."""
    for number in count():
        match_id = f"m_long_{number}"
        if Record(catalogue.rooms[GAME], match_id, is_proven=True).store(recorder) >= LONG:
            return match_id
    raise AssertionError("they are counted without an end")


def run(matches: int = MATCHES, seconds: float = SECONDS) -> Figures:
    """Make all measurements on a long match of Three Magic, and `validate` matches of every game."""
    catalogue = Catalogue()
    with tempfile.TemporaryDirectory() as folder:
        recorder = SqliteRecorder(Path(folder) / "bench.db")
        keys = Keyring.open(Path(folder) / "keys", AT)
        try:
            ids: dict[str, list[str]] = {}
            for slug, room in catalogue.rooms.items():
                ids[slug] = [f"m_{slug}_{number}" for number in range(matches)]
                for match_id in ids[slug]:
                    Record(room, match_id, is_proven=True).store(recorder)
            long = _long_one(recorder, catalogue)
            data = b"".join(lines(Log(recorder, long, catalogue), keys))
            figures: Figures = {
                "position_1000": {"value": least(lambda: position(recorder, long, catalogue), seconds), "unit": "ms"},
                "drawn_1000": {"value": least(lambda: drawn(recorder, long, catalogue), seconds), "unit": "ms"},
                "audit_1000_events": {"value": least(lambda: audited(data, catalogue), seconds), "unit": "s"},
            }
            for slug, found in ids.items():
                value = validated(recorder, found, catalogue, seconds)
                figures[f"{slug}_validated_events_per_s"] = {"value": value, "unit": "events/s"}
            return figures
        finally:
            recorder.close()
