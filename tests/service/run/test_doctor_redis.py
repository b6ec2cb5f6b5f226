"""What the doctor finds of a Redis: each thing is broken for real, found, and told with what to do."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from freezegun import freeze_time

from service.jobs.queue import connect
from service.run.doctor import surroundings
from service.run.redis_server import RedisServer
from tests.service.run.redisrun import running
from tests.service.run.test_doctor import GOOD, PASSWORD, WARNING, drawn_once, findings, finds
from tests.service.run.uprun import until

pytestmark = [pytest.mark.sqlite, pytest.mark.faults, pytest.mark.usefixtures(drawn_once.__name__)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder in which there is no service yet."""
    return tmp_path / "data"


@pytest.fixture
def server(tmp_path: Path) -> RedisServer:
    return RedisServer(tmp_path / "elsewhere")


def test_a_redis_is_looked_at_and_nothing_is_left_there(data: Path, server: RedisServer) -> None:
    named = ("--redis", server.url)
    with running(server), connect(server.url) as client:
        assert findings(data, *named) == {}
        assert any(
            each.startswith("clock: it agrees with that of Redis") for each in findings(data, *named, level=GOOD)
        )
        with freeze_time(datetime.now(UTC) + timedelta(minutes=5), tick=True):
            finds("ahead of that of Redis", data, *named, do="NTP")
        assert client.keys() == []
    own = data / "redis" / "redis.sock"
    with running(RedisServer(data)):
        assert any("the one of `up`" in each and "can be written to" in each for each in findings(data, level=GOOD))
        os.link(own, data / "left")
    # as a machine that lost its power leaves it
    (data / "left").rename(own)
    finds("does not answer", data, do="start `up`", level=WARNING)


def test_a_redis_that_is_not_there_or_refuses_the_password(data: Path, server: RedisServer) -> None:
    finds("redis://127.0.0.1:1/0 does not answer", data, "--redis", f"redis://:{PASSWORD}@127.0.0.1:1/0", do="start it")
    for url in (f"http://:{PASSWORD}@nowhere", f"redis://:{PASSWORD}@nowhere/0?unknown=1"):
        finds("is no URL", data, "--redis", url, do="redis://HOST:PORT/0")
    with running(server, "--requirepass", PASSWORD, is_there=server.socket.exists):
        finds("refuses", data, "--redis", server.url, do="FOLDTABLE_REDIS")
        finds("refuses", data, "--redis", server.url.replace("unix://", "unix://:wrong@"), do="FOLDTABLE_REDIS")
        assert findings(data, "--redis", server.url.replace("unix://", f"unix://:{PASSWORD}@")) == {}


def test_a_redis_that_can_hold_or_save_no_more(data: Path, server: RedisServer) -> None:
    named = ("--redis", server.url)
    with running(server, "--enable-protected-configs", "yes"), connect(server.url) as client:
        client.config_set("maxmemory", "64mb")
        assert findings(data, *named) == {}
        client.config_set("maxmemory-policy", "allkeys-lru")
        finds("maxmemory-policy is", data, *named, do="noeviction")
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", "1kb")
        finds("can't be written to", data, *named, do="memory")
        finds("MiB are used", data, *named, do="memory", level=WARNING)
        client.config_set("maxmemory", "0")
        client.config_set("dir", "/proc")
        client.bgsave()
        until(lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err", "it has failed to save")
        finds("rdb_last_bgsave_status", data, *named, do="log")


def test_a_redis_that_is_a_replica_or_too_old_or_does_not_let_us(
    data: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = ("--redis", server.url)
    with running(server), connect(server.url) as client:
        with monkeypatch.context() as patched:
            patched.setattr(surroundings, "OLDEST", (99, 0))
            finds("is Redis 7.2", data, *named, do="run 99.0 or later")
        client.replicaof("127.0.0.1", 1)
        finds("is a replica", data, *named, do="follows")
        client.acl_setuser("default", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-info"])
        finds("refuses what it is asked", data, *named, do="ACL")
