"""Everything in one command, whatever is killed meanwhile."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import httpx2
import pytest

from events.stores import open_to_read
from service.jobs.queue import connect
from tests.service.run.redisrun import redis_url
from tests.service.run.uprun import DEADLINE, Up, processes, running, until, up

pytestmark = pytest.mark.faults

BOTS = [{"bot": "random"}, {"bot": "random"}, {"bot": "greedy"}]


def token_of(service: Up) -> str:
    return (service.data / "demo-token").read_text(encoding="ascii").strip()


def open_match(service: Up) -> str:
    answer = httpx2.post(
        f"{service.url}/api/matches",
        json={"game": "three-magic", "seats": BOTS, "options": {"laps": 1}},
        headers={"Authorization": f"Bearer {token_of(service)}"},
        trust_env=False,
        timeout=DEADLINE,
    )
    assert answer.status_code == 201
    return str(answer.json()["id"])


def grows(service: Up, match_id: str, by: int = 10) -> None:
    before = service.version(match_id)
    until(lambda: service.version(match_id) >= before + by or service.is_finished(match_id), f"{match_id} moves on")


def ends(service: Up, match_id: str) -> None:
    until(lambda: service.is_finished(match_id), f"{match_id} ends")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    # a path that a URL has to quote, and too long for a socket on most machines' temporary folders
    return tmp_path / "a folder"


def test_the_matches_go_on_whatever_is_killed_and_nothing_stays_behind(data: Path) -> None:
    with up(data) as service:
        first, second = service.matches
        assert service.get(f"/api/matches/{first}")["game"] == "three-magic"
        assert service.get(f"/api/matches/{second}")["status"] == "open"
        assert stat.S_IMODE((data / "demo-token").stat().st_mode) == 0o600
        grows(service, first)

        (worker,) = running(data, "service worker")
        os.kill(worker, signal.SIGKILL)
        mine = open_match(service)
        until(lambda: running(data, "service worker") not in ([], [worker]), "another worker")
        grows(service, mine)

        with connect(redis_url(data)) as redis:
            redis.flushall()
        grows(service, mine)

        (redis_server,) = running(data, "valkey-server")
        os.kill(redis_server, signal.SIGKILL)
        until(lambda: running(data, "valkey-server") not in ([], [redis_server]), "another redis")
        another = open_match(service)
        grows(service, another)

        (sweep,) = running(data, "service follow")
        os.kill(sweep, signal.SIGKILL)
        for match_id in (mine, another):
            ends(service, match_id)
        token = token_of(service)
        assert token not in "".join(service.said)
        assert service.stop() == 0
        assert processes(data) == {}

    with up(data) as service:
        assert token_of(service) == token
        assert set(service.matches) == {first, second, mine, another}
        assert token not in "".join(service.said)
        assert any(f"TOKEN=$(cat '{data}/demo-token')" in line for line in service.said)
        service.process.kill()
        until(lambda: not processes(data), "no orphan")


@pytest.mark.postgres
def test_one_setting_has_everything_run_on_postgres(data: Path, postgres_url: str) -> None:
    with up(data, said={"FOLDTABLE_STORE": postgres_url}) as service:
        match = open_match(service)
        ends(service, match)
        assert not (data / "foldtable.db").exists()
        told = service.said
    reader = open_to_read(postgres_url)
    assert match in reader.matches()
    reader.close()
    assert postgres_url not in "".join(told)
