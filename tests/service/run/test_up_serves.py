"""Everything in one command, whatever is killed meanwhile."""

from __future__ import annotations

import os
import re
import signal
import stat
from contextlib import closing
from pathlib import Path

import httpx2
import pytest

from events.stores import open_to_read
from service.jobs.queue import connect
from tests.service.run.callers import Caller
from tests.service.run.redisrun import redis_url
from tests.service.run.uprun import DEADLINE, Up, processes, ran, running, until, up
from tests.service.webhooks.receivers import receiver

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


class Told:
    """Somebody whose program is told: of so many pings as are asked for."""

    def __init__(self, service: Up, url: str) -> None:
        self.ann = Caller(service.url, "Ann")
        made = self.ann.post("/webhooks", {"url": url, "kinds": ["turn", "match.started"]})
        self._path = f"/webhooks/{made['id']}/deliveries"
        self._asked = 0

    def ping(self, times: int) -> None:
        for _ in range(times):
            self.ann.post(self._path)
        self._asked += times

    def close(self) -> None:
        self.ann.close()

    def is_told_all(self) -> bool:
        told = self.ann.get(f"{self._path}?limit=100")["deliveries"]
        return [each["status"] for each in told].count("delivered") >= self._asked


def strike(service: Up, part: str) -> None:
    """Kill the oldest one of that part, and wait for another one."""
    before = running(service.data, part)
    os.kill(before[0], signal.SIGKILL)
    until(lambda: len(set(running(service.data, part)) - {before[0]}) == len(before), f"another {part}")


def flush(service: Up) -> None:
    """Have Redis forget all."""
    with connect(redis_url(service.data)) as redis:
        redis.flushall()


def survive(service: Up, told: Told) -> list[str]:
    """Kill and flush whatever there is while bots play and a webhook is told: the matches that have ended meanwhile."""
    told.ping(6)
    strike(service, "service worker")
    matches = [open_match(service)]
    grows(service, matches[0])
    flush(service)
    grows(service, matches[0])
    os.kill(running(service.data, "service deliver")[0], signal.SIGKILL)
    strike(service, "valkey-server")
    told.ping(6)
    matches.append(open_match(service))
    grows(service, matches[1])
    until(told.is_told_all, "what was under way and what came since is told")
    flush(service)
    told.ping(1)
    until(told.is_told_all, "that too")
    os.kill(running(service.data, "service follow")[0], signal.SIGKILL)
    for match_id in matches:
        ends(service, match_id)
    return matches


def test_all_goes_on_whatever_is_killed_and_nothing_stays_behind(data: Path) -> None:
    with receiver() as receiving, up(data, said={"FOLDTABLE_WEBHOOK_PRIVATE": "127.0.0.0/8"}) as service:
        first, second = service.matches
        assert service.get(f"/api/matches/{first}")["game"] == "three-magic"
        assert service.get(f"/api/matches/{second}")["status"] == "open"
        assert stat.S_IMODE((data / "demo-token").stat().st_mode) == 0o600
        grows(service, first)
        with closing(Told(service, receiving.url("/slow"))) as told:
            mine, another = survive(service, told)
        # the socket is held by `up`: it never goes, and nobody else can take it meanwhile
        for pid in running(data, "service web"):
            os.kill(pid, signal.SIGKILL)
        done = ran("curl", "-s", "--max-time", str(DEADLINE), f"{service.url}/healthz")
        assert (done.returncode, done.stdout) == (0, '{"status":"ok"}'), "whoever calls while they start is answered"
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


def test_who_asks_another_process_ends_before_it(data: Path) -> None:
    with up(data) as service:
        grows(service, service.matches[0])
        assert service.stop() == 0
        assert processes(data) == {}
        troubled = [line for line in service.said if re.search(r'"level":"(warning|error)"', line)]
        assert not troubled


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


def test_a_service_under_nohup_outlives_its_terminal(data: Path) -> None:
    def ignores(pid: int) -> bool:
        (mask,) = re.findall(r"^SigIgn:\s+(\w+)$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
        return bool(int(mask, 16) >> (signal.SIGHUP - 1) & 1)

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with up(data) as service:
            found = [service.process.pid, *running(data, "service web")]
            assert all(map(ignores, found))
            assert len(found) == 3
            service.stop()
    finally:
        signal.signal(signal.SIGHUP, before)
