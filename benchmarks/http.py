"""Measures moves a second over HTTP: real web processes on a new store, and callers that wait for every answer."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import Any

import msgspec

from benchmarks import Figures
from benchmarks.callers import WARM, Found
from benchmarks.servers import busy, serving_store
from service.config import Config
from service.run.up import TREE
from service.sockets import listen

CALLERS = (1, 16, 50, 200)
PROCESSES = 2
SECONDS = 5.0
START = 30.0
"""Seconds within which the server must answer."""


class Client:
    """Sends one request after the other, on one connection."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request, again after 429 and 503; return the JSON of the answer. Raises RuntimeError if refused."""
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


def sign_up(port: int, name: str = "Bench") -> str:
    """Make an account, and return its token."""
    with closing(Client(port, "")) as stranger:
        token: str = stranger.ask("POST", "/api/players", {"name": name})["token"]
        return token


def worker_token(folder: str | Path) -> str:
    """Return the workers' token of the service with this data folder."""
    return (Path(folder) / "worker-token").read_text(encoding="ascii").strip()


@contextmanager
def serving(processes: int, folder: str, url: str = "") -> Iterator[tuple[int, list[int]]]:
    """Run so many web processes, and yield their port and process ids.

    `folder`: the data folder. `url`: the store; "" is the one in the folder.
    """
    listener = listen(Config(port=0))
    port = listener.getsockname()[1]
    env = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    env |= {"FOLDTABLE_STORE": url} if url else {}
    command = [sys.executable, "-m", "service", "web", "--fd", str(listener.fileno()), "--data", folder]
    started: list[subprocess.Popen[str]] = []
    with listener:
        try:
            for _ in range(processes):
                process = subprocess.Popen(
                    command, cwd=TREE, env=env, pass_fds=[listener.fileno()], stderr=subprocess.PIPE, text=True
                )
                started.append(process)
                assert process.stderr is not None
                if not any("event=serving" in line or '"serving"' in line for line in process.stderr):
                    raise RuntimeError("the server does not start")
            yield port, [process.pid for process in started]
        finally:
            for process in started:
                process.terminate()
            for process in started:
                process.communicate()


def run(
    seconds: float = SECONDS,
    callers: tuple[int, ...] = CALLERS,
    processes: int = PROCESSES,
    store: str = "sqlite",
) -> Figures:
    """Return the moves a second, each durable before its answer. The time includes opening matches and listing moves.

    Raises:  NotAtHand if there is no such store.
    """
    with (
        serving_store(store) as (url, kept),
        tempfile.TemporaryDirectory() as folder,
        serving(processes, folder, url) as (port, pids),
    ):
        tokens = worker_token(folder), sign_up(port)
        figures: Figures = {"http_web_processes": {"value": processes, "unit": "processes"}}
        for number in callers:
            figures |= _measure(port, tokens, number, seconds, pids, kept)
        return figures


def called(port: int, tokens: tuple[str, str], callers: int, seconds: float) -> Found:
    """Run so many callers for so many seconds, and return what they measured. `tokens`: the workers' and a player's."""
    command = [sys.executable, "-m", "benchmarks.callers", str(port), str(callers), str(seconds)]
    said = subprocess.run(command, input="\n".join(tokens).encode(), cwd=TREE, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(said.stdout, type=Found)


def _measure(
    port: int, tokens: tuple[str, str], number: int, seconds: float, pids: list[int], kept: Callable[[], float]
) -> Figures:
    before, kept_before = sum(map(busy, pids)), kept()
    found = called(port, tokens, number, seconds)
    served, keeping = sum(map(busy, pids)) - before, kept() - kept_before
    per = max(1, found.moves)
    share = found.seconds / (found.seconds + min(WARM, seconds))
    figures: Figures = {
        f"http_{number}_callers_moves_per_s": {"value": round(found.moves / found.seconds), "unit": "moves/s"},
        f"http_{number}_callers_looks_per_move": {"value": round(found.looks / per, 2), "unit": "looks"},
        f"http_{number}_callers_p50": {"value": found.waited_at_most(0.5), "unit": "ms"},
        f"http_{number}_callers_p99": {"value": found.waited_at_most(0.99), "unit": "ms"},
        f"http_{number}_callers_served": {"value": round(1000 * share * served / per, 2), "unit": "CPU ms/move"},
        f"http_{number}_callers_called": {"value": round(1000 * found.busy / per, 2), "unit": "CPU ms/move"},
    }
    if keeping:
        kept_a_move = round(1000 * share * keeping / per, 2)
        figures[f"http_{number}_callers_store_server"] = {"value": kept_a_move, "unit": "CPU ms/move"}
    return figures


def until_it_answers(port: int, server: subprocess.Popen[bytes]) -> None:
    """Wait until the service answers. Raises RuntimeError if it ends, or does not answer within START seconds."""
    end = perf_counter() + START
    while perf_counter() < end and server.poll() is None:
        try:
            with closing(Client(port, "")) as client:
                client.ask("GET", "/healthz")
                return
        except OSError:
            Event().wait(0.05)
    raise RuntimeError("the server does not answer")
