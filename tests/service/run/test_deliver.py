"""`service deliver`: real processes, a real Redis that is lost, and receivers of every kind."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from service.jobs.queue import connect
from tests.service.run.callers import Caller
from tests.service.run.redisrun import redis_url
from tests.service.run.uprun import running, until, up
from tests.service.webhooks.receivers import receiver

pytestmark = pytest.mark.faults


def test_nothing_is_lost_with_redis_nor_with_the_process(tmp_path: Path) -> None:
    with receiver() as receiving, up(tmp_path, said={"FOLDTABLE_WEBHOOK_PRIVATE": "127.0.0.0/8"}) as service:
        ann = Caller(service.url, "Ann")
        hook = ann.post("/webhooks", {"url": receiving.url("/slow"), "kinds": ["turn", "match.started"]})["id"]

        def are_delivered(number: int) -> bool:
            told = ann.get(f"/webhooks/{hook}/deliveries?limit=100")["deliveries"]
            return [each["status"] for each in told].count("delivered") >= number

        for _ in range(6):
            ann.post(f"/webhooks/{hook}/deliveries")
        for part in ("valkey-server", "service deliver"):
            os.kill(running(tmp_path, part)[0], signal.SIGKILL)
        for _ in range(6):
            ann.post(f"/webhooks/{hook}/deliveries")
        until(lambda: are_delivered(12), "all of them are told")
        with connect(redis_url(tmp_path)) as found:
            found.flushall()
        ann.post(f"/webhooks/{hook}/deliveries")
        until(lambda: are_delivered(13), "that too")
        ann.close()
        assert service.stop() == 0
