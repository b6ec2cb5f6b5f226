"""How many times the moves of an earlier release this one makes over HTTP: both in turns, played by the same callers.

Each is served by one web process; the earlier one from its own checkout and by its own environment.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from operator import truediv
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import Figures
from benchmarks.callers import GAME, SEATS
from benchmarks.http import Client, called, serving, sign_up, until_it_answers, worker_token
from benchmarks.places import NotAtHand
from benchmarks.servers import serving_store
from tests.ports import free_port

CALLERS = 16
ROUNDS = 6
SECONDS = 6.0
FIRST = 15.0
"""Seconds in which both are played first: meanwhile this one makes its pages ahead, which it begins after five."""


@contextmanager
def earlier(tree: Path, folder: str, url: str) -> Iterator[int]:
    """The port of the release in that checkout, on the store at the URL, or with "" on one of its own in that folder.

    Raises:  NotAtHand where it can't be started.
    """
    python = tree / ".venv" / "bin" / "python"
    if not python.exists():
        raise NotAtHand(f"there is no {python}: `make setup` there makes it")
    port = free_port()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("FOLDTABLE_", "PYTHON"))}
    env |= {"FOLDTABLE_STORE": url} if url else {}
    command = [str(python), "-m", "service", "web", "--port", str(port), "--data", folder]
    server = subprocess.Popen(command, cwd=tree, env=env, stderr=subprocess.DEVNULL)
    try:
        until_it_answers(port, server)
        yield port
    finally:
        server.terminate()
        server.wait()


def moves(port: int, folder: str, callers: int, seconds: float) -> float:
    """Moves a second of the service there."""
    person = sign_up(port)
    with closing(Client(port, person)) as opener:
        # the first release could not open its first matches all at once
        opener.ask("POST", "/api/matches", {"game": GAME, "seats": SEATS})
    tokens = worker_token(folder), person
    called(port, tokens, callers, min(FIRST, 3 * seconds))
    found = called(port, tokens, callers, seconds)
    return found.moves / found.seconds


def run(
    tree: Path, *, store: str = "sqlite", callers: int = CALLERS, rounds: int = ROUNDS, seconds: float = SECONDS
) -> Figures:
    """What both make on such a store, and how many times as many this one: medians. Raises NotAtHand."""
    before, now = [], []
    for _ in range(rounds):
        with TemporaryDirectory() as folder, serving_store(store) as (url, _), earlier(tree, folder, url) as port:
            before.append(moves(port, folder, callers, seconds))
        with TemporaryDirectory() as folder, serving_store(store) as (url, _), serving(1, folder, url) as (port, _):
            now.append(moves(port, folder, callers, seconds))
    name = f"http_{callers}_callers" + ("" if store == "sqlite" else f"_on_{store}")
    return {
        f"{name}_moves_per_s": {"value": round(median(now)), "unit": "moves/s"},
        f"{name}_moves_per_s_of_the_earlier": {"value": round(median(before)), "unit": "moves/s"},
        f"{name}_ratio": {"value": round(median(map(truediv, now, before)), 2), "unit": "of the earlier one's"},
    }
