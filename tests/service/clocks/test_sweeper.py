"""The sweeper puts one job into the queue at a time, and leaves nothing open behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
import redis
from rq import Queue
from rq.serializers import JSONSerializer
from structlog.testing import capture_logs

from events.store import StoreError
from service.clocks.sweep import JOB, QUEUE, TIMEOUT, ClockSweeper
from service.run.redis_server import RedisServer
from service.telemetry import metrics
from tests.service.clocks.test_ladder import HOURLY, opened
from tests.service.house import House
from tests.service.run.redisrun import running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    found = RedisServer(tmp_path / "redis")
    with running(found):
        yield found
    found.clear()


class Ticks(Event):
    """Stops after so many ticks, which take no time."""

    left = 2

    def wait(self, timeout: float | None = None) -> bool:
        self.left -= 1
        return self.left < 0


def test_that_nothing_can_be_swept_is_said_once(house: House) -> None:
    with capture_logs() as logs:
        ClockSweeper(replace(house.service.config, redis="redis://127.0.0.1:1"), Ticks()).run()
    assert [one["log_level"] for one in logs] == ["warning"]


@pytest.mark.sqlite
def test_one_job_waits_whatever_the_number_of_ticks_and_nothing_stays_open(house: House, server: RedisServer) -> None:
    match, _ = opened(house, HOURLY)
    connection = redis.Redis.from_url(server.url)
    sweeper = ClockSweeper(replace(house.service.config, redis=server.url), Ticks())
    before = len(connection.client_list())
    sweeper.run()
    (job,) = Queue(QUEUE, connection=connection, serializer=JSONSerializer).get_jobs()
    assert (job.func_name, job.args, job.timeout) == (JOB, [[match]], TIMEOUT)
    assert (job.result_ttl, job.failure_ttl) == (0, TIMEOUT), "what was done is not kept"
    assert metrics.REGISTRY.get_sample_value("foldtable_follower_lag_seconds", {"follower": "clocks"}) is not None
    assert len(connection.client_list()) == before
    connection.close()
    assert sweeper._store is not None
    with pytest.raises(StoreError):
        sweeper._store.head(match)
