"""Commits are told to Redis and heard from there; the slow look finds them whatever; Redis holds up nobody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
import redis
from structlog.testing import capture_logs

from service.config import Config
from service.jobs.queue import connect
from service.run.redis_server import RedisServer
from service.store import Growth
from service.wakeups import CHANNEL, Bells, Listener
from service.wakeups.commits import news_of_commits
from tests.service.house import House, build, set_aside
from tests.service.matches.test_receipts import sealing
from tests.service.run.redisrun import running
from tests.service.run.uprun import until

NEVER = 3600.0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    found = RedisServer(tmp_path)
    yield found
    found.clear()


def told(url: str, bells: Bells, message: str, match: str) -> bool:
    """Whether who waits for that match is woken by the message, which is told until somebody hears it."""
    bell, end = bells.hang(match), monotonic() + 60
    with redis.Redis.from_url(url) as client:
        while not client.publish(CHANNEL, message) and monotonic() < end:
            Event().wait(0.02)
    rung = bell.wait(60 if match in message else 0.2)
    bell.take_down()
    return rung


def test_what_redis_tells_wakes_who_waits_for_it_and_nobody_else(server: RedisServer) -> None:
    bells = Bells()
    other = bells.hang("m2")
    listener = Listener(server.url, bells.ring, set, NEVER)
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


def test_the_slow_look_wakes_those_whose_match_has_grown_and_nobody_else(house: House) -> None:
    match, (ann, bob) = house.table(pack="flat")
    other = ann.open()
    grown = Growth(house.service.recorder)
    bells = Bells()
    there, seat, nobody = bells.hang(match), bells.hang(f"{match}/seat:0"), bells.hang(other)
    looks: list[set[str]] = []

    def since() -> set[str]:
        looks.append(grown.since())
        return looks[-1]

    def look() -> None:
        # one may be under way, the next one finds all, and the one after that comes when it was told
        until(partial(lambda before: len(looks) >= before + 3, len(looks)), "it was looked")

    listener = Listener("", bells.ring, since, 0.01)
    try:
        set_aside(match, (ann, bob))
        look()
        assert there.wait(0)
        there.silence()
        assert not seat.wait(0)
        ann.move(match, "raise")
        look()
        assert seat.wait(0), "her answer under seal is hers alone"
        assert not there.wait(0)
        assert not nobody.wait(0)
    finally:
        listener.close()


def test_a_store_that_fails_for_a_while_is_looked_at_again_and_both_are_logged_once() -> None:
    bells, failures = Bells(), iter(range(3))
    bell = bells.hang("m1")

    def grown() -> set[str]:
        if next(failures, None) is not None:
            raise OSError("gone")
        return {"m1"}

    with capture_logs() as logged:
        listener = Listener("", bells.ring, grown, 0.01)
        try:
            assert bell.wait(60)
        finally:
            listener.close()
    assert next(failures, None) is None
    said = ["the store does not answer; trying again until it does", "the store answers again"]
    assert [line["event"] for line in logged] == said


def test_players_and_streams_are_woken_by_their_own_matches_and_private_logs_alone(house: House) -> None:
    house.service.listener.close()  # its slow look may find what has happened before
    match, (ann, bob) = sealing(house)
    eve = house.player("Eve")
    hers, his, eves = (house.service.players.hang(player.id) for player in (ann, bob, eve))
    own, others, everybody = (house.service.bells.hang(f"{match}{seat}") for seat in ("/seat:0", "/seat:1", ""))
    ann.move(match, "raise")
    assert all(bell.wait(60) for bell in (hers, own))
    assert hers.about() == {match}
    assert not any(bell.wait(0.2) for bell in (his, others, everybody))
    ann.open(seats=[None, {"player": eve.id}])
    assert eves.wait(60), "she is kept a seat"
    assert not his.wait(0)
    bob.move(match, "raise")
    assert all(bell.wait(60) for bell in (his, others, everybody)), "the closing concerns all"
    for bell in (hers, his, eves, own, others, everybody):
        bell.take_down()


@contextmanager
def listening(server: RedisServer) -> Iterator[redis.client.PubSub]:
    client = redis.Redis.from_url(server.url)
    listener = client.pubsub()
    listener.subscribe(CHANNEL)
    assert listener.get_message(timeout=60)["type"] == "subscribe"
    try:
        yield listener
    finally:
        listener.close()
        client.close()


def heard(listener: redis.client.PubSub, match: str) -> bool:
    """Return whether the next message that comes soon names the match."""
    message = listener.get_message(timeout=5)
    return message is not None and message["type"] == "message" and match in json.loads(message["data"])


def test_commits_are_told_and_an_outage_costs_only_messages(tmp_path: Path, server: RedisServer) -> None:
    with House(build(Config(data=tmp_path / "data", redis=server.url))) as house:
        ann = house.player()
        for _ in range(2):
            with running(server), listening(server) as listener:
                until(lambda listener=listener: heard(listener, ann.open()), "it is told, again after an outage")  # type: ignore[misc]
            assert [ann.open() for _ in range(5)], "nobody needs a Redis that is gone"


def test_a_commit_that_redis_tells_is_heard_again_when_redis_has_come_back(server: RedisServer) -> None:
    with news_of_commits("") as nothing, news_of_commits(server.url) as news:
        for _ in range(2):
            with running(server), connect(server.url) as told:

                def is_heard(told: redis.Redis = told) -> bool:
                    """Tell it again: nobody says whether the other listens by now."""
                    told.publish(CHANNEL, b"[]")
                    return news.is_set()

                until(is_heard, "it is heard")
                news.clear()
        assert not nothing.is_set()
