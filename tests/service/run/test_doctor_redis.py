"""What the doctor finds of a Redis: each thing is broken for real, found, and told with what to do."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from freezegun import freeze_time

from service.jobs.queue import connect
from service.run.doctor import surroundings
from service.run.redis_server import RedisServer
from tests.service.run.redisrun import running
from tests.service.run.test_doctor import PASSWORD, faults, finds
from tests.service.run.uprun import until

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder in which there is no service yet."""
    return tmp_path / "data"


@pytest.fixture
def server(tmp_path: Path) -> RedisServer:
    return RedisServer(tmp_path / "elsewhere")


@pytest.fixture
def redis(server: RedisServer) -> Iterator[str]:
    with running(server):
        yield server.url


def test_a_redis_that_answers(data: Path, redis: str) -> None:
    assert faults(data, "--redis", redis) == {}
    found = faults(data, "--redis", redis, level="good")
    assert any(one.startswith("clock: it agrees with that of Redis") for one in found)
    with connect(redis) as client:
        assert client.keys() == [], "it leaves nothing there"


def test_the_redis_of_up_is_found(data: Path) -> None:
    with running(RedisServer(data)):
        assert any("the one of `up`" in one and "can be written to" in one for one in faults(data, level="good"))
    if (data / "redis" / "redis.sock").exists():
        finds("does not answer", data, do="start it")


def test_a_redis_that_is_not_there(data: Path) -> None:
    finds("redis://127.0.0.1:1/0 does not answer", data, "--redis", f"redis://:{PASSWORD}@127.0.0.1:1/0", do="start it")
    finds("is no URL", data, "--redis", f"http://:{PASSWORD}@nowhere", do="redis://HOST:PORT/0")


def test_a_redis_that_refuses_the_password(data: Path, server: RedisServer) -> None:
    def is_there() -> bool:
        return server.socket.exists()

    with running(server, "--requirepass", PASSWORD, is_there=is_there):
        finds("refuses", data, "--redis", server.url, do="FOLDTABLE_REDIS")
        wrong = server.url.replace("unix://", "unix://:wrong@")
        finds("refuses", data, "--redis", wrong, do="FOLDTABLE_REDIS")
        right = server.url.replace("unix://", f"unix://:{PASSWORD}@")
        assert faults(data, "--redis", right) == {}


@pytest.mark.parametrize(
    ("settings", "what", "do", "level"),
    [
        ({"maxmemory": "64mb", "maxmemory-policy": "allkeys-lru"}, "maxmemory-policy is", "noeviction", "fault"),
        ({"maxmemory": "1kb"}, "takes nothing", "memory", "fault"),
        ({"maxmemory": "1kb"}, "MiB are used", "memory", "warning"),
    ],
)
def test_a_redis_whose_memory_ends(
    data: Path, redis: str, settings: dict[str, str], what: str, do: str, level: str
) -> None:
    with connect(redis) as client:
        client.config_set("maxmemory", "64mb")
        assert faults(data, "--redis", redis) == {}
        for name, value in settings.items():
            client.config_set(name, value)
        finds(what, data, "--redis", redis, do=do, level=level)


def test_a_redis_that_can_not_save(data: Path, server: RedisServer) -> None:
    with running(server, "--enable-protected-configs", "yes"), connect(server.url) as client:
        client.config_set("dir", "/proc")
        client.bgsave()
        until(lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err", "it has failed to save")
        finds("rdb_last_bgsave_status", data, "--redis", server.url, do="log")


def test_a_redis_that_is_a_replica_or_too_old_or_does_not_let_us(
    data: Path, redis: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(surroundings, "OLDEST", (99, 0))
        finds("is Redis 7.2", data, "--redis", redis, do="run 99.0 or later")
    with connect(redis) as client:
        client.replicaof("127.0.0.1", 1)
        finds("is a replica", data, "--redis", redis, do="follows")
        client.acl_setuser("default", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-info"])
        finds("refuses what it is asked", data, "--redis", redis, do="ACL")


def test_the_clock_by_that_of_redis(data: Path, redis: str) -> None:
    with freeze_time(datetime.now(UTC) + timedelta(minutes=5), tick=True):
        finds("ahead of that of Redis", data, "--redis", redis, do="NTP")
