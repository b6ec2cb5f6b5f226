"""How long a start takes with many matches in the store: open ones, some that are played, and some that are over."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from threading import Event
from time import perf_counter

import httpx

from benchmarks.record import AT, Record
from domain.catalogue import Catalogue
from events.sqlite import SqliteRecorder
from service import wiring
from service.config import Config
from service.run.up import TREE
from service.store import PUBLIC, Chair, Entry, lobby
from tests.ports import free_port

Figures = dict[str, dict[str, float | str]]

MATCHES = 2000
GAME = "magicative"
STATUSES = ("open", "playing", "playing", "finished", "finished")
"""What becomes of one match after the other."""

MORE = """
INSERT INTO events SELECT partition, :id, version, type, schema, at, actor, move, public, secret, commits, hash,
    version + (SELECT max(position) FROM events WHERE partition = 0) FROM events
WHERE partition = 0 AND stream = :of AND version <= :last
"""
ASK = "INSERT INTO decisions VALUES (0, :id, 0, :last, '', 'bot:greedy')"


def fill(config: Config, matches: int) -> int:
    """Make a store with so many matches; how many events it has.

    One match is played, and all others are its beginnings under other ids: nothing that a start looks at tells them
    from matches of their own, but their chains don't hold.
    """
    wiring.build(config).close()
    played = Record(Catalogue().rooms[GAME], "m_played")
    recorder = SqliteRecorder(config.database)
    ends = {"open": 1, "playing": played.store(recorder) // 2, "finished": len(played.events)}

    def enter(numbers: range, connection: sqlite3.Connection) -> None:
        for number in numbers:
            status = STATUSES[number % len(STATUSES)]
            id = f"m_{number:016}"
            said = {"id": id, "of": played.id, "last": ends[status]}
            connection.execute(MORE, said).close()
            if status == "playing":
                connection.execute(ASK, said).close()
            chairs = tuple(Chair(seat, bot="greedy") for seat in range(3))
            for statement in lobby.enter(Entry(id, GAME, status, PUBLIC, None, AT, chairs)):
                connection.execute(statement.sql, statement.bound(recorder.partitions)).close()

    with closing(recorder):
        for first in range(0, matches, 500):
            recorder.transact(partial(enter, range(first, min(first + 500, matches))))
        return int(recorder.reader().execute("SELECT count(*) FROM events").fetchone()[0])


def build(config: Config) -> float:
    """Seconds that the service's objects take, the look at what lies in the store among them."""
    start = perf_counter()
    service = wiring.build(config)
    spent = perf_counter() - start
    service.close()
    return spent


def serve(config: Config) -> float:
    """Seconds from the start of a web process until it answers.

    Raises:  RuntimeError when it ends instead.
    """
    port = free_port()
    env = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    command = [sys.executable, "-m", "service", "web", "--port", str(port), "--data", str(config.data)]
    start = perf_counter()
    server = subprocess.Popen(command, cwd=TREE, env=env, stderr=subprocess.DEVNULL)
    try:
        while server.poll() is None:
            try:
                httpx.get(f"http://127.0.0.1:{port}/healthz", trust_env=False).raise_for_status()
                return perf_counter() - start
            except httpx.TransportError:
                Event().wait(0.02)
        raise RuntimeError("the server has ended")
    finally:
        server.terminate()
        server.wait()


def run(matches: int = MATCHES, times: int = 3) -> Figures:
    """The medians of a few starts, after the one that enters what it doesn't know."""
    with tempfile.TemporaryDirectory() as folder:
        config = Config(data=Path(folder) / "data")
        events = fill(config, matches)
        build(config)
        built, served = (median(measure(config) for _ in range(times)) for measure in (build, serve))
    return {
        "start_matches": {"value": matches, "unit": "matches"},
        "start_events": {"value": events, "unit": "events"},
        "start_build": {"value": round(built, 2), "unit": "s"},
        "start_until_it_answers": {"value": round(served, 2), "unit": "s"},
    }
