"""Measures how much a crowd of watchers slows a match: one web process sends a stream of scenes to each watcher."""

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
"""Seconds between two moves, as when people play fast; with 0 moves are made as fast as possible."""

WARM, FIRST = 0.3, 10
"""Play before anybody watches: at most so many seconds and so many moves, so that a short match is not over."""

OPENED = "open"
UNPACKS = "Accept-Encoding: gzip, deflate, br, zstd"
"""The header that browsers send."""


def watch(port: int, path: str, watchers: int) -> None:
    """Open so many streams, print `OPENED`, read them until standard input has a line, print how many bytes came."""
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
    """Return the connection of a stream that has begun. Try again while the service answers 429 or 503."""
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
    """Run so many watchers in another process. After the block the list contains the number of bytes that they got."""
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
    """Opens matches between random bots, and makes their moves over REST."""

    def __init__(self, worker: Client, person: Client, game: str = GAME) -> None:
        self._worker, self._person, self._luck, self._game = worker, person, Random(7), game
        self._seats = Catalogue().rooms[game].game.seats[-1]
        self.match = ""

    def sit(self) -> str:
        """Open a match, and return its id."""
        seats = [{"bot": "random"}] * self._seats
        self.match = self._person.ask("POST", "/api/matches", {"game": self._game, "seats": seats})["id"]
        return self.match

    def move(self) -> float | None:
        """Make one move, and return the seconds that it took; None if the match is over."""
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
        """Return the match's version."""
        return int(self._person.ask("GET", f"/api/matches/{self.match}")["version"])

    def play(self, seconds: float, pace: float, most: int = 1 << 20) -> tuple[list[float], float]:
        """Play for at most so many seconds and moves. Return the seconds of each move, and of all together."""
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
    """Measure moves without watchers and with a crowd of them, at the pace of people and as fast as possible."""
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
