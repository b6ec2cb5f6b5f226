"""Measures how long a start takes with many matches in the store: open, running and finished ones."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from statistics import median
from threading import Event
from time import perf_counter
from typing import Any

import httpx2

from benchmarks import Figures
from benchmarks.record import AT, SECRET, Record
from domain import matches
from domain.catalogue import Catalogue
from domain.matches import Match
from events import chain
from events.chain import Head
from events.sqlite import SqliteRecorder
from events.store import Append, Write
from service import wiring
from service.config import Config
from service.matches.startup import ended_in
from service.matches.states import owed
from service.run.up import TREE
from service.store import PUBLIC, Chair, Entry, listing, lobby, results
from tests.ports import free_port

MATCHES = 2000
GAME = "magicative"
STATUSES = ("open", "playing", "playing", "finished", "finished")
"""The status of one match after the other."""

LOT = 200
"""The number of matches that are stored at once."""


class Pattern:
    """A match that bots have played to its end. Other matches are made of its events, each with its own seals."""

    def __init__(self) -> None:
        self.record = Record(Catalogue().rooms[GAME], "m_played", is_proven=True)
        self.drafts = tuple(self.record.drafts())
        moves = [one.move for one in self.drafts]
        # at the first event of a move
        half = next(number for number in range(len(moves) // 2, len(moves)) if moves[number] > moves[number - 1])
        self.ends = {"open": 1, "playing": half, "finished": len(moves)}
        self._half = self._state_at(half)

    def _state_at(self, version: int) -> Match[Any]:
        game, state = self.record.game, self.record.state
        pack = next(iter(Catalogue().rooms[GAME].packs.values())).pack
        return matches.fold(game, matches.begin(game, pack, state.opened), self.record.events[: version - 1])

    def made(self, id: str, status: str) -> Append:
        """Return the append of a match with that status, with all rows that the service writes for it."""
        game, seats = self.record.game, self.record.game.seats[-1]
        events = chain.seal(Head(), id, self.drafts[: self.ends[status]], AT, SECRET)
        bot = None if status == "open" else "greedy"
        entry = Entry(id, GAME, status, PUBLIC, None, AT, tuple(Chair(seat, bot=bot) for seat in range(seats)))
        beside, ended = lobby.enter(entry), ended_in(events) if entry.is_over else None
        beside += results.end(id, ended) if ended is not None else []
        asked = owed(game, self._half, entry) if status == "playing" else ()
        return Append(id, (Write(id, 0, events),), None, asked, listing.keep(id, beside, is_new=True))


def fill(config: Config, matches: int) -> int:
    """Make a store with so many matches, as the service would make it; return its number of events."""
    wiring.build(config).close()
    pattern, recorder = Pattern(), SqliteRecorder(config.database)
    with closing(recorder):
        for first in range(0, matches, LOT):
            numbers = range(first, min(first + LOT, matches))
            made = [pattern.made(f"m_{number:016}", STATUSES[number % len(STATUSES)]) for number in numbers]
            for result in recorder.append_all(made):
                if isinstance(result, BaseException):
                    raise result
        return int(recorder.reader().execute("SELECT count(*) FROM events").fetchone()[0])


def build(config: Config) -> float:
    """Return the seconds that it takes to make the service's objects, which includes reading the store."""
    start = perf_counter()
    service = wiring.build(config)
    spent = perf_counter() - start
    service.close()
    return spent


def serve(config: Config) -> float:
    """Return the seconds from the start of a web process until it answers.

    Raises:  RuntimeError if it ends instead.
    """
    port = free_port()
    env = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    command = [sys.executable, "-m", "service", "web", "--port", str(port), "--data", str(config.data)]
    start = perf_counter()
    server = subprocess.Popen(command, cwd=TREE, env=env, stderr=subprocess.DEVNULL)
    try:
        while server.poll() is None:
            try:
                httpx2.get(f"http://127.0.0.1:{port}/healthz", trust_env=False).raise_for_status()
                return perf_counter() - start
            except httpx2.TransportError:
                Event().wait(0.02)
        raise RuntimeError("the server has ended")
    finally:
        server.terminate()
        server.wait()


def run(matches: int = MATCHES, times: int = 3) -> Figures:
    """Return the medians of a few starts, after a first one, which may have more to do."""
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
