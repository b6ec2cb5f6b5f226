"""Measures how fast bots move, with a real worker and web process, and what a sweep costs by the number of matches."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Event
from time import perf_counter, process_time
from typing import Any, NamedTuple

from benchmarks import Figures
from benchmarks.http import Client, sign_up, until_it_answers
from benchmarks.servers import family_busy
from events.chain import fresh_id
from events.store import Statement
from service.config import Config
from service.jobs.queue import TurnQueue, connect
from service.jobs.sweep import TurnSweep
from service.run.redis_server import RedisServer
from service.run.up import TREE
from service.store import Entry, lobby
from service.wiring import open_store
from tests.ports import free_port

GAME = "three-magic"
SEATS = [{"bot": "random"}] * 3
CROWD: tuple[str, list[dict[str, str]]] = (GAME, SEATS)
THINKING: tuple[str, list[dict[str, str]]] = ("terraformers", [{"bot": "master"}] * 2)
"""The game and the seats of the other matches. A master thinks for two seconds."""
ACCOUNTS, MATCHES = 5, 10
BUSY, MASTERS = 40, 4
LONGEST = 60.0
WARM, SECONDS = 2.0, 6.0
OPEN = (10, 1_000, 50_000)
ASKED = "INSERT INTO decisions (partition, match, seat, since, due, who) VALUES (:partition, :match, 0, 4, '', :who)"


def run(seconds: float = SECONDS) -> Figures:
    """Make all measurements of this module."""
    return {**play(seconds), **wait(), **think(), **sweep()}


@contextmanager
def _process(command: list[str], env: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, cwd=TREE, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


class House(NamedTuple):
    """A running service with one worker. `pids`: the process ids of `worker` and `web`."""

    folder: str
    port: int
    pids: dict[str, int]


@contextmanager
def _house(accounts: int, matches: int, crowd: tuple[str, list[dict[str, str]]] = CROWD) -> Iterator[House]:
    """Run a service in which each of so many `accounts` has opened so many `matches` of bots."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        redis, port = RedisServer(Path(folder)), free_port()
        env = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
        env |= {"FOLDTABLE_REDIS": redis.url, "FOLDTABLE_DATA": folder, "FOLDTABLE_PORT": str(port)}
        env |= {"FOLDTABLE_BOT_MOVES": "0", "FOLDTABLE_BOT_PAUSE": "0"}
        service = [sys.executable, "-m", "service"]
        stack.enter_context(_process(redis.command, env))
        server = stack.enter_context(_process([*service, "web"], env))
        until_it_answers(port, server)
        stack.enter_context(_process([*service, "follow"], env))
        for token in [sign_up(port, f"Bench {number}") for number in range(accounts)]:
            with closing(Client(port, token)) as client:
                for _ in range(matches):
                    client.ask("POST", "/api/matches", {"game": crowd[0], "seats": crowd[1]})
        if crowd is THINKING:
            stack.enter_context(_process([*service, "think"], env))
        worker = stack.enter_context(_process([*service, "worker"], env))
        Event().wait(WARM)
        yield House(folder, port, {"worker": worker.pid, "web": server.pid})


def play(seconds: float) -> Figures:
    """Return the moves a second of one worker in matches of several accounts, and both processes' time a move."""
    with _house(ACCOUNTS, MATCHES) as (folder, _, pids):
        made, spent, start = _made(folder), {name: family_busy(pid) for name, pid in pids.items()}, perf_counter()
        Event().wait(seconds)
        moves, took = _made(folder) - made, perf_counter() - start
        busy = {name: family_busy(pid) - spent[name] for name, pid in pids.items()}
    return {
        "bot_moves_per_s": {"value": round(moves / took), "unit": "moves/s"},
        **{
            f"bot_move_{name}_cpu": {"value": round(1000 * busy[name] / max(1, moves), 3), "unit": "ms"}
            for name in busy
        },
    }


def wait(turns: int = 20) -> Figures:
    """Return how long a person waits for the bots of a match, while bots play forty matches of another account."""
    waits = _waits(turns, BUSY, CROWD)
    return {
        f"wait_beside_{BUSY}_matches_p50": {"value": round(waits[len(waits) // 2]), "unit": "ms"},
        f"wait_beside_{BUSY}_matches_most": {"value": round(waits[-1]), "unit": "ms"},
    }


def think(turns: int = 300) -> Figures:
    """Return how long a person waits for bots, alone and while masters think in four other matches."""
    figures: Figures = {}
    for masters in (0, MASTERS):
        waits = _waits(turns, masters, THINKING)
        for name, at in (("p50", len(waits) // 2), ("p99", len(waits) * 99 // 100)):
            figures[f"wait_beside_{masters}_masters_{name}"] = {"value": round(waits[at]), "unit": "ms"}
    return figures


def _waits(turns: int, others: int, crowd: tuple[str, list[dict[str, str]]]) -> list[float]:
    """Return the milliseconds that a person has waited for the bots after each of `turns` moves, in ascending order."""
    waits: list[float] = []
    with _house(1, others, crowd) as (_, port, _), closing(Client(port, sign_up(port, "Ann"))) as ann:
        while len(waits) < turns:
            match_id = ann.ask("POST", "/api/matches", {"game": GAME, "seats": [None, *SEATS[1:]]})["id"]
            path = f"/api/matches/{match_id}"
            ann.ask("POST", f"{path}/seats", {})
            now = _asked(ann, path)
            while now["moves"] and len(waits) < turns:
                start = perf_counter()
                chosen = {"decision": now["decision"], "id": now["moves"][0]["id"]}
                if ann.ask("POST", f"{path}/moves", chosen)["decision"] is None:
                    now = _asked(ann, path)
                    waits += [1000 * (perf_counter() - start)] if now["moves"] else []
                else:
                    now = ann.ask("GET", f"{path}/moves")
    return sorted(waits)


def _asked(client: Client, path: str) -> Any:
    """Wait until the client's player is asked, and return the moves; there are none if the match is over before."""
    end = perf_counter() + LONGEST
    while not (now := client.ask("GET", f"{path}/moves"))["moves"] and perf_counter() < end:
        if client.ask("GET", path)["status"] != "playing":
            break
        Event().wait(0.01)
    return now


def _made(folder: str) -> int:
    """Return the number of moves in the store, without answers under seal."""
    with closing(sqlite3.connect(f"file:{folder}/foldtable.db?mode=ro", uri=True)) as store:
        return int(store.execute("SELECT count(*) FROM events WHERE type = 'match/MoveMade'").fetchone()[0])


def sweep() -> Figures:
    """Return the milliseconds of processor time of a sweep that is told of one match, and of one over all."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        redis = RedisServer(Path(folder))
        stack.enter_context(_process(redis.command, dict(os.environ)))
        while not redis.answers():
            Event().wait(0.05)
        with closing(open_store(Config(data=Path(folder)))) as store, connect(redis.url) as client:
            made = 0
            for count in OPEN:
                store.write(_filling(made, count))
                made = count
                looks = TurnSweep(store, TurnQueue(client))
                looks.look()
                figures[f"sweep_told_of_one_{count}"] = _cost(looks, 200, is_told=True)
                figures[f"sweep_of_all_{count}"] = _cost(looks, 20, is_told=False)
    return figures


def _filling(first: int, last: int) -> list[Statement]:
    """Return the statements that store these matches. In the first ten a bot is asked, in the others a person."""
    found: list[Statement] = []
    for number in range(first, last):
        match_id = f"m_{number:08}"
        entry = Entry(match_id, GAME, "playing", "public", f"p_{number % 100}", "2026-01-01T00:00:00.000Z")
        who = "bot:random" if number < 10 else f"player:{fresh_id('p')}"
        found += [*lobby.enter(entry), Statement(ASKED, {"match": match_id, "who": who}, match_id)]
    return found


def _cost(looks: TurnSweep, times: int, *, is_told: bool) -> dict[str, float | str]:
    start = process_time()
    for number in range(times):
        if is_told:
            looks.tell([f"m_{number % 10:08}"])
        else:
            looks.due = 0.0
        looks.look()
    return {"value": round(1000 * (process_time() - start) / times, 3), "unit": "ms"}
