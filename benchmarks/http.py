"""Moves a second over HTTP: a real server process on a store of its own, and clients that wait for every answer."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import closing
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import perf_counter
from typing import Any

import msgspec

from service.run.up import TREE
from service.web.sockets import free_port

Figures = dict[str, dict[str, float | str]]

GAME = "three-magic"
SEATS = [{"bot": "random"}] * 3
CLIENTS = 4
SECONDS = 5.0
START = 30.0
"""Seconds within which the server must answer."""


class Client:
    """Plays the bots of one match after the other, by the workers' token, on one connection."""

    def __init__(self, port: int, token: str, seed: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._draw = Random(seed)
        self.moves = 0
        self.slowest = 0.0
        self.error: Exception | None = None

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of the answer, which must be a success."""
        data = None if body is None else msgspec.json.encode(body)
        while True:
            self._connection.request(method, path, data, self._headers)
            answer = self._connection.getresponse()
            text = answer.read()
            if answer.status not in {429, 503}:
                break
            Event().wait(float(answer.headers.get("Retry-After", "1")))
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text.decode(errors='replace')}")
        return msgspec.json.decode(text)

    def play(self, matches: list[str], stop: Event) -> None:
        """Until it is stopped or all matches are over."""
        try:
            for match_id in matches:
                while not stop.is_set() and (dues := self.ask("GET", f"/api/matches/{match_id}/bots")["decisions"]):
                    for due in dues:
                        self._answer(match_id, due["seat"], stop)
        except Exception as error:
            self.error = error
        finally:
            self.close()

    def _answer(self, match_id: str, seat: int, stop: Event) -> None:
        now = self.ask("GET", f"/api/matches/{match_id}/moves?seat={seat}")
        while now["decision"] is not None and not stop.is_set():
            move = self._draw.choice(now["moves"])["id"]
            start = perf_counter()
            now = self.ask(
                "POST",
                f"/api/matches/{match_id}/moves",
                {"decision": now["decision"], "id": move, "seat": seat},
            )
            self.slowest = max(self.slowest, perf_counter() - start)
            self.moves += 1


def run(seconds: float = SECONDS) -> Figures:
    """Moves a second, each durable before it is answered; looking which moves there are is paid for as well."""
    with tempfile.TemporaryDirectory() as folder:
        data, port = Path(folder), free_port("127.0.0.1")
        env = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
        server = subprocess.Popen(
            [sys.executable, "-m", "service", "web", "--port", str(port), "--data", folder],
            cwd=TREE,
            env=env,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait(port, server)
            return _measure(port, data, seconds)
        finally:
            server.terminate()
            server.wait()


def _wait(port: int, server: subprocess.Popen[bytes]) -> None:
    end = perf_counter() + START
    while perf_counter() < end and server.poll() is None:
        try:
            with closing(Client(port, "", 0)) as client:
                client.ask("GET", "/healthz")
                return
        except OSError:
            Event().wait(0.05)
    raise RuntimeError("the server does not answer")


def _measure(port: int, data: Path, seconds: float) -> Figures:
    token = (data / "worker-token").read_text(encoding="ascii").strip()
    with closing(Client(port, "", 0)) as stranger:
        person = stranger.ask("POST", "/api/players", {"name": "Bench"})["token"]
    clients = [Client(port, token, seed) for seed in range(CLIENTS)]
    stop = Event()
    threads = []
    with closing(Client(port, person, 0)) as opener:
        for client in clients:
            matches = [opener.ask("POST", "/api/matches", {"game": GAME, "seats": SEATS})["id"] for _ in range(5)]
            threads.append(Thread(target=client.play, args=(matches, stop), daemon=True))
    start = perf_counter()
    for thread in threads:
        thread.start()
    for _ in count():
        if stop.wait(0.05) or perf_counter() - start > seconds or not any(thread.is_alive() for thread in threads):
            break
    spent = perf_counter() - start
    stop.set()
    for thread in threads:
        thread.join()
    for client in clients:
        if client.error is not None:
            raise client.error
    return {
        "http_moves_per_s": {"value": round(sum(client.moves for client in clients) / spent), "unit": "moves/s"},
        "http_slowest_move": {"value": round(1000 * max(client.slowest for client in clients), 1), "unit": "ms"},
    }
