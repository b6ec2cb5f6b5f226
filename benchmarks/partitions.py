"""Measures whether appends to different partitions of a PostgreSQL store wait for each other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median
from time import perf_counter

from benchmarks import Figures
from benchmarks.drafts import AT, DRAFTS, MOVES, SECRET
from events import chain
from events.postgres import PostgresRecorder
from events.store import Statement, Write, partition_of

PARTITIONS = 16
WRITERS = 8
MATCHES = 12
"""The matches of each writer."""

HELD = 3.0
"""Seconds for which a transaction holds a partition."""

URL = "FOLDTABLE_BENCHMARK_STORE"
"""The variable with the URL of an empty database to measure in; without it a server of the tests is started."""


@contextmanager
def database() -> Iterator[str]:
    """Yield the URL of an empty database of a server that syncs each commit."""
    if url := os.environ.get(URL):
        yield url
        return
    from tests.postgres import server

    with server(fsync="on") as running:
        yield running.database()


def ids(partition: int, run: str, count: int) -> list[str]:
    """Return so many ids of matches that belong to the partition."""
    found = (f"{run}-{number}" for number in range(1_000_000))
    return [match for match, _ in zip(_of(partition, found), range(count), strict=False)]


def _of(partition: int, found: Iterator[str]) -> Iterator[str]:
    return (match for match in found if partition_of(match, PARTITIONS) == partition)


def play(recorder: PostgresRecorder, matches: list[str]) -> None:
    """Play the matches one after the other; each move is an append of four events, waited for."""
    for match in matches:
        head = chain.Head()
        for drafts in DRAFTS:
            events = chain.seal(head, match, drafts, AT, SECRET)
            recorder.append(match, [Write(match, head.version, events)])
            head = chain.head_of(events)


def rate(recorders: list[PostgresRecorder], partitions: list[int], run: str) -> float:
    """Return the durable moves a second of all writers together. `partitions`: the partition of each writer."""
    shares = [ids(partition, f"{run}-{writer}", MATCHES) for writer, partition in enumerate(partitions)]
    start = perf_counter()
    with ThreadPoolExecutor(len(shares)) as threads:
        list(threads.map(play, recorders, shares))
    return len(shares) * MATCHES * MOVES / (perf_counter() - start)


def run(times: int = 3) -> Figures:
    """Return the medians of a few runs of each case, in turns."""
    found: dict[str, list[float]] = {}
    with database() as url:
        recorders = [PostgresRecorder(url, partitions=PARTITIONS, connections=2) for _ in range(WRITERS + 1)]
        for number in range(times):
            for what, partitions in (
                ("one writer", [0]),
                ("8 writers, one partition", [0] * WRITERS),
                ("8 writers, 8 partitions", list(range(WRITERS))),
            ):
                figure = rate(recorders, partitions, f"{number}-{len(partitions)}-{partitions[-1]}")
                found.setdefault(what, []).append(figure)
            pause = [Statement("SELECT pg_sleep(:seconds)", {"seconds": HELD})]
            with ThreadPoolExecutor(1) as holding:
                (match,) = ids(PARTITIONS - 1, f"held-{number}", 1)
                held = holding.submit(recorders[-1].append, match, [], beside=pause)
                figure = rate(recorders, list(range(WRITERS)), f"{number}-held")
                held.result()
            found.setdefault("8 writers, 8 partitions, a ninth held", []).append(figure)
        for recorder in recorders:
            recorder.close()
    return {f"PostgreSQL: {what}": {"value": round(median(all)), "unit": "moves/s"} for what, all in found.items()}
