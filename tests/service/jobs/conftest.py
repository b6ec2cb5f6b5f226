"""One Redis for all tests of a process: each finds it empty."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from service.jobs.queue import connect
from service.run.redis_server import RedisServer
from tests.service.run.redisrun import running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    found = RedisServer(tmp_path_factory.mktemp("redis"))
    with running(found):
        yield found
    found.clear()


@pytest.fixture
def connection(server: RedisServer) -> Iterator[redis.Redis]:
    with connect(server.url) as found:
        found.flushall()
        yield found
