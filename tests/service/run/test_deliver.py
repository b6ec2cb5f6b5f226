"""`service deliver`: real processes, a real Redis that is lost, and receivers of every kind."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import httpx2
import pytest

from service.jobs.queue import connect
from tests.service.run.redisrun import redis_url
from tests.service.run.uprun import DEADLINE, Up, running, until, up
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
