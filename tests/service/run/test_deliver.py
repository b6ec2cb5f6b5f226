"""`service deliver`: real processes, a real Redis that is lost, and receivers of every kind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from service.jobs.queue import connect
from tests.service.run.redisrun import redis_url
from tests.service.run.uprun import DEADLINE, TREE, Up, environment, running, until, up
from tests.service.webhooks.receivers import receiver

pytestmark = pytest.mark.faults

HERE = {"FOLDTABLE_WEBHOOK_PRIVATE": "127.0.0.0/8"}


class Client:
    """Somebody who asks the service that runs."""

    def __init__(self, service: Up, name: str) -> None:
        self.url = f"{service.url}/api"
        self.headers: dict[str, str] = {}
        token = self.post("/players", {"name": name})["token"]
        self.headers = {"Authorization": f"Bearer {token}"}

    def ask(self, method: str, path: str, body: Any = None) -> httpx2.Response:
        return httpx2.request(
            method, self.url + path, json=body, headers=self.headers, trust_env=False, timeout=DEADLINE
        )

    def post(self, path: str, body: Any = None) -> Any:
        answer = self.ask("POST", path, body)
        assert answer.is_success, answer.text
        return answer.json()

    def get(self, path: str) -> Any:
        answer = self.ask("GET", path)
        assert answer.is_success, answer.text
        return answer.json()

    def hook(self, url: str) -> str:
        return str(self.post("/webhooks", {"url": url, "kinds": ["turn", "match.started"]})["id"])

    def deliveries(self, webhook: str) -> list[dict[str, Any]]:
        return list(self.get(f"/webhooks/{webhook}/deliveries?limit=100")["deliveries"])

    def is_told(self, webhook: str, number: int = 1) -> bool:
        return [one["status"] for one in self.deliveries(webhook)].count("delivered") >= number

    def seat(self) -> str:
        """Sit down against a bot."""
        match = str(self.post("/matches", {"game": "three-magic", "seats": [None, *[{"bot": "random"}] * 2]})["id"])
        self.post(f"/matches/{match}/seats")
        return match


@pytest.mark.soak
def test_a_player_is_told_of_their_turn_beside_receivers_that_are_slow(tmp_path: Path) -> None:
    with receiver() as receiving, up(tmp_path, said=HERE) as service:
        slow, ann = Client(service, "Slow"), Client(service, "Ann")
        silent = slow.hook(receiving.url("/silent"))
        for _ in range(12):
            slow.post(f"/webhooks/{silent}/deliveries")
        until(lambda: len(receiving.heard("/silent")) >= 4, "the slow one is told")
        mine = ann.hook(receiving.url("/ok"))
        match = ann.seat()
        until(lambda: ann.is_told(mine, 1), "she is told")
        until(
            lambda: any(json.loads(one["body"])["data"].get("match") == match for one in receiving.heard("/ok")),
            "and it was sent",
        )
        assert ann.get(f"/matches/{match}")["status"] in {"playing", "finished"}, "nor do bots wait"
        assert service.stop() == 0


def test_nothing_is_lost_with_redis_nor_with_the_process(tmp_path: Path) -> None:
    with receiver() as receiving, up(tmp_path, said=HERE) as service:
        ann = Client(service, "Ann")
        mine = ann.hook(receiving.url("/slow"))
        for _ in range(6):
            ann.post(f"/webhooks/{mine}/deliveries")
        (redis,) = running(tmp_path, "valkey-server")
        os.kill(redis, signal.SIGKILL)
        (deliver,) = running(tmp_path, "service deliver")
        os.kill(deliver, signal.SIGKILL)
        for _ in range(6):
            ann.post(f"/webhooks/{mine}/deliveries")
        until(lambda: ann.is_told(mine, 12), "all of them are told")
        with connect(redis_url(tmp_path)) as found:
            found.flushall()
        ann.post(f"/webhooks/{mine}/deliveries")
        until(lambda: ann.is_told(mine, 13), "that too")
        assert service.stop() == 0


@pytest.mark.soak
def test_two_processes_deliver_each_once(tmp_path: Path) -> None:
    with receiver() as receiving, up(tmp_path, said=HERE) as service:
        ann = Client(service, "Ann")
        mine = ann.hook(receiving.url("/slow"))
        other = subprocess.Popen(
            [sys.executable, "-m", "service", "deliver", "--data", str(tmp_path), "--redis", redis_url(tmp_path)],
            cwd=TREE,
            env={**environment(), **HERE},
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            for _ in range(24):
                ann.post(f"/webhooks/{mine}/deliveries")
            until(lambda: ann.is_told(mine, 24), "all of them are told")
            ids = [one["headers"]["webhook-id"] for one in receiving.heard("/slow")]
            assert (len(ids), len(set(ids))) == (24, 24)
            other.send_signal(signal.SIGTERM)
            assert other.wait(DEADLINE) == 0
            assert other.stderr is not None
            assert "Traceback" not in other.stderr.read()
        finally:
            other.kill()
            other.communicate()
        assert service.stop() == 0


def test_private_addresses_are_refused_by_default(tmp_path: Path) -> None:
    with receiver() as receiving, up(tmp_path) as service:
        ann = Client(service, "Ann")
        for url in (receiving.url("/ok"), f"https://127.0.0.1:{receiving.port}/ok"):
            answer = ann.ask("POST", "/webhooks", {"url": url})
            assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
        mine = ann.hook(f"https://localhost:{receiving.port}/ok")
        ann.post(f"/webhooks/{mine}/deliveries")
        until(lambda: ann.deliveries(mine)[0]["problem"] == "no-address", "it is refused")
        assert receiving.heard() == []
        assert service.stop() == 0
