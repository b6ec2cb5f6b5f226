"""What one process counts the others know soon; and without Redis each counts alone, and nobody waits for it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
import redis

from service.limits import Asking, Limits, Settings, sharing
from service.limits.settings import ACCOUNT, ADDRESS, Rate, Room
from service.limits.sharing import Sharing
from service.problems import TooMany
from service.run.redis_server import RedisServer
from tests.service.run.redisrun import running

SLOW = 10**9
"""Seconds in which nothing comes back while a test runs."""

SETTINGS = Settings(
    rates=(Rate("things", ADDRESS, 6, SLOW), Rate("things", ACCOUNT, 4, SLOW), Rate("crowds", ADDRESS, 1000, SLOW)),
    rooms=(Room("waits", ADDRESS, 2),),
)
ADA, BOB = Asking("203.0.113.5", "p_ada"), Asking("203.0.113.5", "p_bob")


class Process(Limits):
    """One process's limits; it shares when the test says so."""

    def __init__(self, url: str) -> None:
        super().__init__(SETTINGS)
        self.sharing = sharing = Sharing(url, self.buckets, self.places)
        self.share = sharing.share

    def many(self, name: str, asking: Asking, times: int) -> int:
        """How many of them passed."""
        passed = 0
        for _ in range(times):
            with suppress(TooMany):
                self.count((name,), asking)
                passed += 1
        return passed

    def left(self, name: str, asking: Asking) -> list[int]:
        return [one.left for one in self.standings((name,), asking)]


Pair = tuple[Process, Process]


@pytest.fixture
def pair(server: RedisServer, connection: redis.Redis) -> Iterator[Pair]:
    one, two = Process(server.url), Process(server.url)
    yield one, two
    one.close()
    two.close()


def test_what_one_counts_the_other_knows_once_both_have_shared(pair: Pair) -> None:
    one, two = pair
    assert one.many("things", ADA, 10) == 4
    assert one.share()
    assert two.many("things", BOB, 1) == 1
    assert two.left("things", BOB) == [5, 3]
    assert two.share()
    assert two.left("things", BOB) == [1, 3]
    assert two.many("things", BOB, 10) == 1, "six of one address"
    assert two.share()
    assert one.left("things", BOB) == [2, 4], "it knows of the four alone, until it has asked"
    assert one.share()
    assert one.left("things", BOB) == [0, 2]
    assert one.many("things", BOB, 10) == 0


def test_sharing_while_others_count_loses_nothing_and_counts_nothing_twice(pair: Pair) -> None:
    one, two = pair
    with ThreadPoolExecutor(9) as pool:
        asked = [pool.submit((one, two)[number % 2].many, "crowds", ADA, 50) for number in range(8)]
        shared = pool.submit(lambda: [process.share() for _ in range(20) for process in pair])
        assert sum(one.result() for one in asked) == 400
        assert all(shared.result())
    for process in (one, two, one):
        process.many("crowds", ADA, 1)
        process.share()
    assert one.left("crowds", ADA) == [1000 - 403]


def test_without_redis_each_counts_alone_and_tells_the_rest_when_it_is_back(tmp_path: Path) -> None:
    server = RedisServer(tmp_path)
    one, two = Process(server.url), Process(server.url)
    with running(server):
        assert one.many("things", ADA, 2) == 2
        assert one.share()
    assert not one.share()
    assert one.many("things", ADA, 10) == 2
    assert not one.share()
    assert two.many("things", BOB, 10) == 4
    assert not two.share()
    with running(server):
        assert one.share()
        assert two.share()
        assert two.left("things", BOB) == [0, 0], "Redis had forgotten all"
        assert two.many("things", Asking(ADA.site), 3) == 0
        one.close()
        two.close()
    server.clear()


@pytest.mark.parametrize("shift", [None, -3_600_000, 3_600_000])
def test_a_redis_that_forgets_or_whose_clock_is_set_frees_nobody(
    pair: Pair, connection: redis.Redis, shift: int | None
) -> None:
    one, _ = pair
    one.many("things", ADA, 4)
    one.share()
    for key in connection.keys("foldtable:limits:things-*"):
        connection.delete(key) if shift is None else connection.hincrby(key, "at", -shift)
    one.many("things", BOB, 1)
    one.share()
    assert one.left("things", BOB) == [1, 3]


def test_redis_keeps_nothing_for_ever_and_nothing_that_is_secret(pair: Pair, connection: redis.Redis) -> None:
    one, _ = pair
    for number in range(1200):
        one.many("crowds", Asking(f"site {number}"), 1)
    one.enter("waits", ADA)
    one.share()
    kept = connection.keys("*")
    assert len(kept) == 1201
    assert all(connection.pttl(key) > 0 for key in kept)
    assert not any(b"ft_" in key for key in kept)


def test_who_waits_elsewhere_takes_a_place_here(pair: Pair) -> None:
    one, two = pair
    places = [one.enter("waits", ADA), one.enter("waits", BOB)]
    one.share()
    two.share()
    with pytest.raises(TooMany):
        two.enter("waits", ADA)
    assert two.told(ADA)["at_once"][0]["left"] == 0
    for give_back in places:
        give_back()
    one.share()
    two.share()
    two.enter("waits", ADA)


def test_who_leaves_or_tells_nothing_any_longer_waits_no_more(pair: Pair, connection: redis.Redis) -> None:
    one, two = pair
    for _ in range(2):
        one.enter("waits", ADA)
    one.share()
    (name,) = connection.hkeys("foldtable:limits:places")
    told: Any = connection.hget("foldtable:limits:places", name)
    connection.hset("foldtable:limits:places", name, b"1 " + told.partition(b" ")[2])
    two.share()
    assert connection.hlen("foldtable:limits:places") == 0
    two.enter("waits", ADA)
    one.share()
    two.share()
    with pytest.raises(TooMany):
        two.enter("waits", ADA)
    one.close()
    two.share()
    two.enter("waits", ADA)
    time: Any = connection.time()
    connection.hset("foldtable:limits:places", "other", f"{time[0]} nonsense")
    assert not two.share()
    connection.hset("foldtable:limits:places", "other", "nonsense")
    assert two.share(), "it was too old to count"


def test_nobody_waits_for_a_redis_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "TIMEOUT", 60.0)
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        process = Process(f"redis://127.0.0.1:{listener.getsockname()[1]}")
        process.many("things", ADA, 1)
        shared = pool.submit(process.share)
        caller, _ = listener.accept()
        with closing(caller):
            assert caller.recv(1), "it waits for an answer from now on"
            assert process.many("things", ADA, 10) == 3
            process.enter("waits", ADA)
            assert process.told(ADA)["rates"][0]["left"] == 2
            assert not shared.done()
        assert not shared.result()
        listener.close()
        process.close()
