"""How many times the moves of an earlier release this one makes over HTTP: both in turns, played by the same callers.

Each is served by one web process; the earlier one from its own checkout and by its own environment.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from operator import truediv
from pathlib import Path
from statistics import median

from benchmarks.callers import GAME, SEATS
from benchmarks.http import Client, Figures, called, serving, until_it_answers
from benchmarks.places import NotAtHand
from tests.ports import free_port

CALLERS = 16
ROUNDS = 6
SECONDS = 6.0
FIRST = 4.0
"""Seconds in which both are played first: this one draws its pages ahead meanwhile."""


@contextmanager
def earlier(tree: Path, folder: str) -> Iterator[int]:
    """The port of the release in that checkout, on a store of its own. Raises NotAtHand where it can't be started."""
    python = tree / ".venv" / "bin" / "python"
    if not python.exists():
        raise NotAtHand(f"there is no {python}: `make setup` there makes it")
    port = free_port()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("FOLDTABLE_", "PYTHON"))}
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
    with closing(Client(port, "")) as stranger:
        person: str = stranger.ask("POST", "/api/players", {"name": "Bench"})["token"]
    with closing(Client(port, person)) as opener:
        # the first release could not open its first matches all at once
        opener.ask("POST", "/api/matches", {"game": GAME, "seats": SEATS})
    tokens = (Path(folder) / "worker-token").read_text(encoding="ascii").strip(), person
    called(port, tokens, callers, min(FIRST, seconds))
    found = called(port, tokens, callers, seconds)
    return found.moves / found.seconds


def run(tree: Path, *, callers: int = CALLERS, rounds: int = ROUNDS, seconds: float = SECONDS) -> Figures:
    """What both make, and how many times as many this one: medians. Raises NotAtHand."""
    before, now = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder, earlier(tree, folder) as port:
            before.append(moves(port, folder, callers, seconds))
        with tempfile.TemporaryDirectory() as folder, serving(1, folder) as (port, _):
            now.append(moves(port, folder, callers, seconds))
    name = f"http_{callers}_callers"
    return {
        f"{name}_moves_per_s": {"value": round(median(now)), "unit": "moves/s"},
        f"{name}_moves_per_s_of_the_earlier": {"value": round(median(before)), "unit": "moves/s"},
        f"{name}_ratio": {"value": round(median(map(truediv, now, before)), 2), "unit": "of the earlier one's"},
    }
