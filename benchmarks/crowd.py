"""What a crowd that watches a table costs who plays there: one web process, and a stream of scenes to each of them."""

from __future__ import annotations

import selectors
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from random import Random
from statistics import median
from threading import Event
from time import perf_counter

from benchmarks import Figures
from benchmarks.http import Client, serving, sign_up, worker_token
from benchmarks.servers import busy
from domain.catalogue import Catalogue
from service.run.up import TREE

GAME = "terraformers"
WATCHERS = 500
SECONDS = 6.0
PACE = 0.25
"""Seconds between two moves, as of a table where people play fast; 0 is as fast as it goes."""

WARM, FIRST = 0.3, 10
"""Seconds of play before anybody watches, and moves at most: a short match would be over."""

OPENED = "open"
UNPACKS = "Accept-Encoding: gzip, deflate, br, zstd"
"""As browsers say it."""


def watch(port: int, path: str, watchers: int) -> None:
    """Open so many streams, say so, and read what comes until told to end."""
    ask = f"GET {path} HTTP/1.1\r\nHost: here\r\nAccept: text/event-stream\r\n{UNPACKS}\r\n\r\n".encode()
    heard = 0
    with selectors.DefaultSelector() as ready:
        for _ in range(watchers):
            reader = _opened(port, ask)
            reader.setblocking(False)
            ready.register(reader, selectors.EVENT_READ)
        print(OPENED, flush=True)
        ready.register(sys.stdin, selectors.EVENT_READ)
        while True:
            for key, _ in ready.select():
                if key.fileobj is sys.stdin:
                    for one in tuple(ready.get_map().values()):
                        if isinstance(one.fileobj, socket.socket):
                            one.fileobj.close()
                    print(heard, flush=True)
                    return
                assert isinstance(key.fileobj, socket.socket)
                part = key.fileobj.recv(1 << 18)
                heard += len(part)
                if not part:
                    ready.unregister(key.fileobj)
                    key.fileobj.close()


def _opened(port: int, ask: bytes) -> socket.socket:
    """A stream that has begun; where there are too many at a time it waits."""
    while True:
        reader = socket.create_connection(("127.0.0.1", port))
        reader.sendall(ask)
        head = reader.recv(1 << 16)
        if head.startswith(b"HTTP/1.1 200"):
            return reader
        reader.close()
        if not head.startswith((b"HTTP/1.1 429", b"HTTP/1.1 503")):
            raise RuntimeError(head.decode(errors="replace"))
        Event().wait(0.2)


@contextmanager
def crowd(port: int, path: str, watchers: int) -> Iterator[list[int]]:
    """So many who watch, in a process of their own; when they have gone, the list has how many bytes they heard."""
    command = [sys.executable, "-m", "benchmarks.crowd", str(port), path, str(watchers)]
    heard: list[int] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=TREE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        if process.stdout.readline().strip() != OPENED:
            raise RuntimeError("the streams do not open")
        yield heard
        process.stdin.write("end\n")
        process.stdin.flush()
        heard.append(int(process.stdout.readline()))


class Table:
    """Bots that play match after match at tables that are opened as they are needed."""

    def __init__(self, worker: Client, person: Client, game: str = GAME) -> None:
        self._worker, self._person, self._luck, self._game = worker, person, Random(7), game
        self._seats = Catalogue().rooms[game].game.seats[-1]
        self.match = ""

    def sit(self) -> str:
        """Begin a match."""
        seats = [{"bot": "random"}] * self._seats
        self.match = self._person.ask("POST", "/api/matches", {"game": self._game, "seats": seats})["id"]
        return self.match

    def move(self) -> float | None:
        """Make one move: the seconds that it took; None once the match is over."""
        path = f"/api/matches/{self.match}"
        asked = self._worker.ask("GET", f"{path}/bots")["decisions"]
        if not asked:
            return None
        seat = asked[0]["seat"]
        now = self._worker.ask("GET", f"{path}/moves?seat={seat}")
        said = {"decision": now["decision"], "id": self._luck.choice(now["moves"])["id"], "seat": seat}
        begun = perf_counter()
        self._worker.ask("POST", f"{path}/moves", said)
        return perf_counter() - begun

    def version(self) -> int:
        """Of its last event."""
        return int(self._person.ask("GET", f"/api/matches/{self.match}")["version"])

    def play(self, seconds: float, pace: float, most: int = 1 << 20) -> tuple[list[float], float]:
        """Play for so long, or so many moves, at most: what each move took, and how long it was in all."""
        took: list[float] = []
        begun = perf_counter()
        while perf_counter() - begun < seconds and len(took) < most:
            next_one = perf_counter() + pace
            spent = self.move()
            if spent is None:
                break
            took.append(spent)
            if pace:
                Event().wait(max(0.0, next_one - perf_counter()))
        return took, perf_counter() - begun


def run(seconds: float = SECONDS, watchers: int = WATCHERS) -> Figures:
    """Moves at a table that nobody watches and at one that a crowd does, at people's pace and as fast as it goes."""
    figures: Figures = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(1, folder) as (port, pids),
        closing(Client(port, worker_token(folder))) as bots,
        closing(Client(port, sign_up(port))) as person,
    ):
        for name, pace in (("paced", PACE), ("fastest", 0.0)):
            for many in (0, watchers):
                figures |= _measured(Table(bots, person), port, f"crowd_{name}_{many}", pace, many, seconds, pids)
    return figures


def _measured(
    table: Table, port: int, name: str, pace: float, watchers: int, seconds: float, pids: list[int]
) -> Figures:
    match = table.sit()
    table.play(WARM, 0.0, FIRST)
    path = f"/api/matches/{match}/events?scenes=true&lang=en&after={table.version()}"
    with crowd(port, path, watchers) as heard:
        before = sum(map(busy, pids))
        took, spent = table.play(seconds, pace)
        cpu = sum(map(busy, pids)) - before
    return {
        f"{name}_p50": {"value": round(1000 * median(took), 2), "unit": "ms"},
        f"{name}_moves": {"value": round(len(took) / spent, 1), "unit": "moves/s"},
        f"{name}_cpu": {"value": round(1000 * cpu / len(took), 2), "unit": "CPU ms/move"},
        f"{name}_heard": {"value": round(heard[0] / len(took) / 1024, 1), "unit": "KiB/move"},
    }


if __name__ == "__main__":
    watch(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
