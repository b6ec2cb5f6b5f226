"""Who waits in this process hears what another one has written: by Redis at once, and by the slow look whatever."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
import redis

from service.run.redis_server import RedisServer
from service.wakeups import CHANNEL, Bells, Listener
from tests.service.run.redisrun import running

NEVER = 3600.0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    found = RedisServer(tmp_path)
    yield found
    found.clear()


def told(url: str, bells: Bells, message: str, match: str) -> bool:
    """Whether who waits for that match is woken by the message, which is told until somebody hears it."""
    bell, end = bells.hang(match), monotonic() + 20
    with redis.Redis.from_url(url) as client:
        while not client.publish(CHANNEL, message) and monotonic() < end:
            Event().wait(0.02)
    rung = bell.wait(20 if match in message else 0.2)
    bell.take_down()
    return rung


def test_what_redis_tells_wakes_who_waits_for_it_and_nobody_else(server: RedisServer) -> None:
    bells = Bells()
    other = bells.hang("m2")
    listener = Listener(server.url, bells, lambda match: 0, NEVER)
    try:
        with running(server):
            assert told(server.url, bells, json.dumps(["m0", "m1"]), "m1")
            assert not other.wait(0)
            assert not told(server.url, bells, "[]", "m1")
            for odd in ("no list", "{}", '"m1"', "[1]"):
                told(server.url, bells, odd, "[]")
            assert told(server.url, bells, '["m1"]', "m1"), "what can't be read ends nothing"
        with running(server):
            assert told(server.url, bells, '["m1"]', "m1"), "it listens again when Redis is there again"
    finally:
        listener.close()


def test_the_slow_look_wakes_those_whose_match_is_at_another_version_than_they_know() -> None:
    bells = Bells()
    there, behind, other = bells.hang("m1"), bells.hang("m1"), bells.hang("m2")
    there.seen, behind.seen, other.seen = 7, 6, 3
    versions = {"m1": 7, "m2": 3}
    listener = Listener("", bells, versions.__getitem__, 0.01)
    try:
        assert behind.wait(20)
        assert not there.wait(0)
        assert not other.wait(0)
        versions["m2"] = 4
        assert other.wait(20)
        assert not there.wait(0)
    finally:
        listener.close()


def test_a_store_that_fails_for_a_while_is_looked_at_again() -> None:
    bells, failed = Bells(), Event()
    bell = bells.hang("m1")

    def version_of(match: str) -> int:
        if not failed.is_set():
            failed.set()
            raise OSError("gone")
        return 5

    listener = Listener("", bells, version_of, 0.01)
    try:
        assert bell.wait(20)
        assert failed.is_set()
    finally:
        listener.close()
