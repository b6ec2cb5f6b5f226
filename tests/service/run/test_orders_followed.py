"""Standing orders with the real processes: the sweep finds who is asked, and a worker has their orders asked."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import pytest

from service.jobs.queue import connect
from tests.service.run.callers import Caller
from tests.service.run.redisrun import redis_url
from tests.service.run.uprun import Up, running, until, up

pytestmark = pytest.mark.faults

PASS = {"play": [{"type": "Pass"}]}
FIRST = {"play": [{"type": "Discard", "where": [{"of": "at", "relation": "=", "value": 0}]}]}
SAME = {"play": [{"type": "Insert", "where": [{"of": "at", "relation": "=", "value": 0}]}]}


def is_past(service: Up, match: str, version: int) -> bool:
    return service.version(match) > version


@pytest.mark.soak
def test_a_match_goes_on_by_orders_whatever_is_killed(tmp_path: Path) -> None:
    with up(tmp_path, said={"FOLDTABLE_BOT_PAUSE": "0.2"}) as service:
        ann = Caller(service.url, "Ann")
        match = ann.post("/matches", {"game": "three-magic", "seats": [None, *[{"bot": "random"}] * 2]})["id"]
        ann.post(f"/matches/{match}/seats")
        before = service.version(match)
        for rule in (PASS, FIRST, SAME):
            ann.post(f"/matches/{match}/orders", rule)
        until(lambda: service.version(match) > before + 20, "it goes on")
        for part in ("service worker", "service follow", "valkey-server"):
            os.kill(running(tmp_path, part)[0], signal.SIGKILL)
            before = service.version(match)
            until(partial(is_past, service, match, before + 6), f"it goes on without {part}")
        # it may have gone on without any redis: another one is yet to be started
        with connect(redis_url(tmp_path)) as found:
            found.flushall()

        before = service.version(match)
        until(lambda: service.version(match) > before + 6 or service.is_finished(match), "it goes on without a queue")
        kinds = [one["type"] for one in ann.get(f"/matches/{match}/events?private=true&limit=1000")["events"]]
        # the first may be followed before the others are given
        assert [kind for kind in kinds if "Order" in kind] == ["match/OrderGiven"] * 3
        ann.close()
        assert service.stop() == 0
