"""Compares the moves a second over HTTP with those of an earlier release. Both are measured in turns.

One web process serves each release; the earlier one runs from its own checkout, with its own `.venv`.
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
"""Seconds of play before the measurement. This release uses them to prepare its pages, 5 seconds after its start."""


@contextmanager
def earlier(tree: Path, folder: str, url: str) -> Iterator[int]:
    """Run a web process of the release in `tree`, and yield its port.

    `folder`: its data folder. `url`: its store; "" is a new one in the folder.
    Raises:  NotAtHand if the checkout has no `.venv`.
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
    """Return the moves a second of the service at the port. `folder`: its data folder, with the workers' token."""
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
    """Return the medians of both releases' moves a second on such a store, and of the ratio. Raises NotAtHand."""
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
