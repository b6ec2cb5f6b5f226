"""Many log in at once: their passwords are hashed beside the loop, which goes on answering everybody else."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import httpx2
import pytest

from tests.service.web.test_server import serving

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]

WORD = "correct horse battery"
LOGINS = 50


@contextmanager
def client(url: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=f"{url}/api", timeout=60, trust_env=False) as found:
        yield found


def log_in(url: str, login: str, password: str = WORD) -> tuple[int, float]:
    """Status, and when it was answered."""
    with client(url) as own:
        status = own.post("/sessions", json={"login": login, "password": password}).status_code
    return status, monotonic()


def sign_up(own: httpx2.Client, **more: str) -> dict[str, Any]:
    answer = own.post("/players", json={"name": "Ann", **more})
    assert answer.status_code == 201
    return dict(answer.json())


def alternate(url: str, tokens: list[str], match: str, stop: Event) -> list[tuple[float, float]]:
    """Two who move by turns until they are told to stop: when each move was asked for, and when it was answered."""
    made: list[tuple[float, float]] = []
    with client(url) as own:
        while not stop.is_set():
            for token in tokens:
                headers = {"Authorization": f"Bearer {token}"}
                begun = monotonic()
                now = own.get(f"/matches/{match}/moves", headers=headers).json()
                if not now["moves"]:
                    continue
                said = {"decision": now["decision"], "id": now["moves"][0]["id"]}
                own.post(f"/matches/{match}/moves", json=said, headers=headers)
                made.append((begun, monotonic()))
    return made


@pytest.mark.soak
def test_who_plays_does_not_wait_for_those_who_log_in(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, url), client(url) as own, ThreadPoolExecutor(LOGINS + 1) as threads:
        sign_up(own, login="ann", password=WORD)
        bob = sign_up(own)
        own.headers["Authorization"] = f"Bearer {bob['token']}"
        match = own.post("/matches", json={"game": "ttmp", "seats": [None, None]}).json()["id"]
        eve = sign_up(own)
        own.post(f"/matches/{match}/seats", json={"seat": 0})
        own.post(f"/matches/{match}/seats", json={"seat": 1}, headers={"Authorization": f"Bearer {eve['token']}"})
        stop = Event()
        playing = threads.submit(alternate, url, [bob["token"], eve["token"]], match, stop)
        begun = monotonic()
        logins = [threads.submit(log_in, url, "ann") for _ in range(LOGINS)]
        answered = [one.result() for one in logins]
        stop.set()
        moves = [(asked, told) for asked, told in playing.result() if asked >= begun]
        end = max(at for _, at in answered)
        assert {status for status, _ in answered} == {201}
        took = sorted(told - asked for asked, told in moves)
        print(f"{LOGINS} logins in {end - begun:.2f} s, {len(moves)} moves meanwhile, the slowest {took[-1]:.3f} s")
        # on the loop there is time for one request between two logins, and a move takes two
        assert len(moves) > LOGINS * 2 / 3
