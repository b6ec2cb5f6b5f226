"""Commits are told to Redis, and a Redis that is gone holds up nobody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest
import redis

from service.config import Config
from service.run.redis_server import RedisServer
from service.wakeups.commits import CHANNEL, Publisher
from tests.service.house import House, build
from tests.service.run.redisrun import running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    found = RedisServer(tmp_path)
    yield found
    found.clear()


@contextmanager
def listening(server: RedisServer) -> Iterator[redis.client.PubSub]:
    client = redis.Redis.from_url(server.url)
    listener = client.pubsub()
    listener.subscribe(CHANNEL)
    assert listener.get_message(timeout=5)["type"] == "subscribe"
    try:
        yield listener
    finally:
        listener.close()
        client.close()


def heard(listener: redis.client.PubSub, match: str, seconds: float = 10) -> bool:
    """Whether the match is told of."""
    end = monotonic() + seconds
    while monotonic() < end:
        message = listener.get_message(timeout=0.2)
        if message and message["type"] == "message" and match in json.loads(message["data"]):
            return True
    return False


def test_commits_are_told_and_an_outage_costs_only_messages(tmp_path: Path, server: RedisServer) -> None:
    service = build(Config(data=tmp_path / "data", redis=server.url))
    house = House(service)
    ann = house.player()
    try:
        with running(server), listening(server) as listener:
            assert heard(listener, ann.open())
        begun = monotonic()
        matches = [ann.open() for _ in range(20)]
        assert monotonic() - begun < 5, "nobody waits for a Redis that is gone"
        assert len(house.stranger.get("/matches").json["matches"]) == 20
        assert matches
        with running(server), listening(server) as listener:
            end = monotonic() + 10
            while not (back := heard(listener, ann.open(), 0.5)) and monotonic() < end:
                pass
            assert back, "told again as soon as it is there again"
    finally:
        service.close()


def test_an_outage_is_logged_once(server: RedisServer, capsys: pytest.CaptureFixture[str]) -> None:
    publisher = Publisher(server.url)
    for number in range(5):
        publisher.publish([f"m_{number}"])
        sleep(0.05)
    publisher.close()
    assert capsys.readouterr().out.count("redis does not answer") == 1
