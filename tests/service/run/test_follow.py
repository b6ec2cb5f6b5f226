"""`service follow`: any number of processes, what they say of themselves, and what is tried again."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from service.config import Config
from service.store import SetAside, effects, open_effects
from tests.service.house import build
from tests.service.run.redisrun import redis_url
from tests.service.run.uprun import DEADLINE, TREE, Up, environment, running, until, up

pytestmark = pytest.mark.faults

BOTS = [{"bot": "random"}, {"bot": "random"}, {"bot": "greedy"}]
SHORT = {"game": "three-magic", "seats": BOTS, "options": {"laps": 1}}


def follow(data: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service", "follow", "--data", str(data), *args],
        cwd=TREE,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE,
    )


def counted(service: Up) -> int:
    """Finished matches of three seats."""
    tables: list[dict[str, Any]] = service.get("/api/games/three-magic/statistics")["tables"]
    return sum(int(table["matches"]) for table in tables)


def finished(service: Up) -> int:
    """How many matches have ended, the demo's among them."""
    return len(service.get("/api/matches?status=finished&game=three-magic")["matches"])


def open_match(service: Up) -> str:
    token = (service.data / "demo-token").read_text(encoding="ascii").strip()
    headers = {"Authorization": f"Bearer {token}"}
    answer = httpx2.post(f"{service.url}/api/matches", json=SHORT, headers=headers, trust_env=False, timeout=DEADLINE)
    assert answer.status_code == 201
    return str(answer.json()["id"])


@pytest.mark.soak
def test_finished_matches_are_counted_once_by_several_followers_that_are_killed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with up(data) as service:
        url = redis_url(data)
        more = [
            subprocess.Popen(
                [sys.executable, "-m", "service", "follow", "--data", str(data), "--redis", url],
                cwd=TREE,
                env=environment(),
                stderr=subprocess.DEVNULL,
            )
            for _ in range(2)
        ]
        try:
            ends(service)
            os.kill(running(data, "service follow")[0], signal.SIGKILL)
            os.kill(more[0].pid, signal.SIGKILL)
            ends(service)
            until(lambda: counted(service) >= finished(service), "whatever has ended is counted")
            assert counted(service) <= finished(service)
            told = follow(data, "--status")
            assert (told.returncode, told.stderr) == (0, "")
            assert "statistics, partition 0: at " in told.stdout
            assert "nothing is set aside" in told.stdout
        finally:
            for process in more:
                process.kill()
                process.wait()
        assert service.stop() == 0


def ends(service: Up) -> None:
    """Open a match, and wait until it is over and counted."""
    before = counted(service)
    match = open_match(service)
    until(lambda: service.is_finished(match), f"{match} ends")
    until(lambda: counted(service) > before, "it is counted")


def test_what_is_set_aside_is_told_and_marked_to_be_tried_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    build(Config(data=data)).close()
    store = open_effects(f"sqlite:{data / 'foldtable.db'}")
    for match in ("m_a", "m_b"):
        one = SetAside(0, "statistics", match, 3, match, 4, "Broken: so", "2024-03-01T12:00:00.000Z")
        store.commit([], [[effects.set_aside(one)]])
    told = follow(data, "--status")
    assert "statistics: m_a, at version 4 of m_a, 2024-03-01T12:00:00.000Z\n    Broken: so\n" in told.stdout
    wrong = follow(data, "--retry", "m_c")
    assert (wrong.returncode, wrong.stdout, wrong.stderr) == (2, "", "error: m_c is not set aside\n")
    assert follow(data, "--retry", "m_b").stdout.startswith("1 to be tried again")
    assert [(one.match, one.again) for one in store.aside(0)] == [("m_a", False), ("m_b", True)]
    told = follow(data, "--retry", "--status")
    assert told.stdout.startswith("2 to be tried again")
    assert told.stdout.count("to be tried again\n") == 2
    store.close()


def test_a_status_of_no_store_is_said_in_one_line(tmp_path: Path) -> None:
    told = follow(tmp_path, "--status")
    assert (told.returncode, told.stdout, told.stderr.count("\n")) == (1, "", 1)
    assert "does not exist" in told.stderr
    sqlite3.connect(tmp_path / "foldtable.db").close()
    assert follow(tmp_path, "--retry").returncode == 1
