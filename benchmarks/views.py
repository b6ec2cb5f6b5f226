"""Measures how long a look at a match and a list of moves take over HTTP, in the middle of matches of each game."""

from __future__ import annotations

import selectors
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from random import Random
from subprocess import PIPE, Popen
from time import perf_counter
from typing import Any

import msgspec

from benchmarks import Figures
from benchmarks.callers import Connection
from benchmarks.http import Client, serving, sign_up, worker_token
from benchmarks.servers import busy, serving_store
from domain.catalogue import Catalogue
from service.run.up import TREE

CALLERS = (1, 16)
MATCHES = 16
"""The matches of each game, which the callers look at in turn."""

MOVES = 40
"""The moves that are made in each match before; no match is over by then."""

SECONDS = 2.0
WARM = 0.3
"""Seconds that are not counted."""


class Reader(Connection):
    """Requests one path after the other, on a connection of its own."""

    def __init__(self, port: int, said: str, paths: Sequence[str], first: int) -> None:
        """`said`: the header that says who asks. `first`: the index of the first path."""
        super().__init__(port)
        head = f"HTTP/1.1\r\nHost: here\r\n{said}\r\n\r\n"
        self._asks = [f"GET {path} {head}".encode() for path in paths]
        self._next = first
        self._begun = 0.0

    def ask(self) -> None:
        self._begun = perf_counter()
        self.socket.sendall(self._asks[self._next % len(self._asks)])
        self._next += 1

    def hear(self) -> float | None:
        """Read what has arrived. Return the answer's seconds if it is complete, else None. Raises RuntimeError."""
        if (answer := self.answer()) is None:
            return None
        if answer[0] != 200:
            raise RuntimeError(f"{self._asks[self._next - 1]!r}: {answer}")
        return perf_counter() - self._begun


def look(port: int, said: str, paths: Sequence[str], callers: int, seconds: float) -> list[float]:
    """Let so many callers look for so many seconds; return the seconds that each answer took, at least one."""
    waited: list[float] = []
    with selectors.DefaultSelector() as ready:
        for first in range(callers):
            reader = Reader(port, said, paths, first)
            ready.register(reader.socket, selectors.EVENT_READ, reader)
            reader.ask()
        begun = perf_counter()
        while (spent := perf_counter() - begun) < seconds + WARM or not waited:
            for key, _ in ready.select(1):
                if (took := key.data.hear()) is not None:
                    if spent > WARM:
                        waited.append(took)
                    key.data.ask()
        for key in tuple(ready.get_map().values()):
            key.data.socket.close()
    return waited


def played(worker: Client, person: Client, game: str, seats: int, moves: int, luck: Random) -> tuple[str, int]:
    """Play so many moves of a match of bots; return its id and a seat that is asked."""
    match = person.ask("POST", "/api/matches", {"game": game, "seats": [{"bot": "random"}] * seats})["id"]
    path, seat, made, now = f"/api/matches/{match}", 0, 0, None
    while made < moves:
        if now is None or now["decision"] is None:
            asked = worker.ask("GET", f"{path}/bots")["decisions"]
            if not asked:
                raise RuntimeError(f"{game} is over after {made} moves")
            seat = asked[0]["seat"]
            now = worker.ask("GET", f"{path}/moves?seat={seat}")
        chosen = luck.choice(now["moves"])["id"]
        now = worker.ask("POST", f"{path}/moves", {"decision": now["decision"], "id": chosen, "seat": seat})
        made += 1
    asked = worker.ask("GET", f"{path}/bots")["decisions"]
    return match, asked[0]["seat"] if asked else seat


def run(
    seconds: float = SECONDS,
    callers: tuple[int, ...] = CALLERS,
    matches: int = MATCHES,
    moves: int = MOVES,
    store: str = "sqlite",
    slugs: Sequence[str] = (),
) -> Figures:
    """Return, by game, the milliseconds of a look at a match and of a seat's list of moves. Nobody moves meanwhile.

    Raises:  NotAtHand if there is no such store.
    """
    figures: Figures = {}
    with (
        serving_store(store) as (url, _),
        tempfile.TemporaryDirectory() as folder,
        serving(1, folder, url) as (port, pids),
    ):
        worker, person, rooms = worker_token(folder), sign_up(port), Catalogue().rooms
        for slug in slugs or sorted(rooms):
            with closing(Client(port, worker)) as bots, closing(Client(port, person)) as opener:
                luck, seats = Random(slug), rooms[slug].game.seats[-1]
                found = [played(bots, opener, slug, seats, moves, luck) for _ in range(matches)]
            views = [f"/api/matches/{match}" for match, _ in found]
            lists = [f"/api/matches/{match}/moves?seat={seat}" for match, seat in found]
            for what, token, paths in (("view", person, views), ("moves", worker, lists)):
                for number in callers:
                    name = f"{slug.replace('-', '_')}_{what}_{number}_callers"
                    said = f"Authorization: Bearer {token}"
                    figures |= measured(name, port, said, paths, number, seconds, pids)
    return figures


def measured(
    name: str, port: int, said: str, paths: Sequence[str], callers: int, seconds: float, pids: list[int]
) -> Figures:
    """Run `look` in another process, and return its figures with the processor time of `pids`. `said`: see `Reader`."""
    told_it: Any = [port, said, paths, callers, seconds]
    before = sum(map(busy, pids))
    with Popen([sys.executable, "-m", "benchmarks.views"], stdin=PIPE, stdout=PIPE, cwd=TREE) as process:
        told, _ = process.communicate(msgspec.json.encode(told_it))
    waited = sorted(msgspec.json.decode(told, type=list[float]))
    cpu = (sum(map(busy, pids)) - before) * seconds / (seconds + WARM)
    return {
        f"{name}_p50": {"value": round(1000 * waited[len(waited) // 2], 2), "unit": "ms"},
        f"{name}_p99": {"value": round(1000 * waited[len(waited) * 99 // 100], 2), "unit": "ms"},
        f"{name}_served": {"value": round(1000 * cpu / len(waited), 2), "unit": "CPU ms/look"},
    }


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(look(*msgspec.json.decode(sys.stdin.buffer.read()))))
