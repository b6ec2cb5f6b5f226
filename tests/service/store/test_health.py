"""Whether the service can work is found out by working: with the real thing broken it says so, and what it is."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
import redis

from service.config import Config
from service.health import Health
from service.run.redis_server import RedisServer
from tests.events.test_files import small_files
from tests.service.house import Answer, House, build
from tests.service.run.redisrun import running
from tests.service.stored import pragma

pytestmark = pytest.mark.sqlite


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    found = RedisServer(tmp_path / "queue")
    yield found
    found.clear()


@pytest.fixture
def queued(tmp_path: Path, server: RedisServer) -> Iterator[House]:
    """A service that is told of a Redis, which does not run yet, and that looks at each question."""
    found = build(Config(data=tmp_path / "data", redis=server.url))
    found.health.every = 0.0
    yield House(found)
    found.close()


def readiness(house: House) -> Answer:
    answer = house.send("GET", "/readyz")
    assert house.send("GET", "/healthz").status_code == 200, "it lives all the same"
    if answer.status_code != 200:
        assert answer.headers["Retry-After"]
        for secret in (str(house.service.config.data), house.service.config.redis):
            assert not secret or secret not in answer.text, "paths and addresses are the operator's"
    return answer


def wrong(house: House) -> tuple[int, str, list[str]]:
    answer = readiness(house)
    return answer.status_code, answer.json.get("code", ""), answer.json.get("wrong", [])


def test_a_service_that_can_write_is_ready(house: House) -> None:
    answer = readiness(house)
    assert (answer.status_code, answer.json) == (200, {"status": "ready"})


def test_files_that_may_not_grow_are_told(house: House) -> None:
    house.service.health.every = 0.0
    assert readiness(house).status_code == 200
    with small_files(1000):
        assert wrong(house) == (503, "not-ready", ["store"])
    assert readiness(house).status_code == 200


def test_a_store_that_cannot_write_is_told(house: House) -> None:
    """There is room, and the store fails: what is written goes the way of every move."""
    house.service.health.every = 0.0
    pragma(house.service, "query_only = ON")
    assert wrong(house) == (503, "not-ready", ["store"])


def test_a_store_that_another_process_keeps_locked_is_told_and_who_asks_does_not_wait_for_it(house: House) -> None:
    house.service.health.every = 0.0
    assert readiness(house).status_code == 200
    with closing(sqlite3.connect(house.service.config.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert wrong(house) == (503, "not-ready", ["store"])
        assert wrong(house) == (503, "not-ready", ["store"])
        other.execute("ROLLBACK")
    while readiness(house).status_code != 200:
        pass


@pytest.mark.parametrize("is_put_there", [True, False])
def test_a_store_whose_file_is_another_one_is_told_though_it_takes_all_that_is_written(
    house: House, is_put_there: bool
) -> None:
    house.service.health.every = 0.0
    assert readiness(house).status_code == 200
    path = house.service.config.database
    path.rename(path.with_suffix(".away"))
    if is_put_there:
        shutil.copy(path.with_suffix(".away"), path)
    house.player()
    assert wrong(house) == (503, "store-replaced", ["store-replaced"])
    path.with_suffix(".away").replace(path)
    assert readiness(house).status_code == 200


def test_a_redis_that_is_gone_is_told_and_people_play_on(queued: House, server: RedisServer) -> None:
    assert wrong(queued) == (503, "redis-away", ["redis"])
    with running(server):
        assert readiness(queued).status_code == 200
    assert wrong(queued) == (503, "redis-away", ["redis"])
    assert queued.player().open()


def test_a_redis_that_hangs_or_is_full_is_told_though_it_takes_connections(queued: House, server: RedisServer) -> None:
    with running(server), redis.Redis.from_url(server.url) as client:
        client.set("filler", b"x" * 100_000)
        client.config_set("maxmemory", 1)
        assert client.ping()
        assert wrong(queued) == (503, "redis-away", ["redis"])
        client.config_set("maxmemory", 0)
        assert readiness(queued).status_code == 200
        pid = client.info()["process_id"]
        os.kill(pid, signal.SIGSTOP)
        try:
            assert wrong(queued) == (503, "redis-away", ["redis"])
        finally:
            os.kill(pid, signal.SIGCONT)
        assert readiness(queued).status_code == 200


def test_all_that_is_wrong_is_named_at_once(queued: House) -> None:
    with small_files(1000):
        assert wrong(queued) == (503, "not-ready", ["store", "redis"])


def test_one_that_is_about_to_end_says_so_at_once(house: House) -> None:
    assert readiness(house).status_code == 200
    house.service.bells.close()
    assert wrong(house) == (503, "stopping", ["stopping"])


def test_however_often_it_is_asked_it_is_tried_now_and_then_only() -> None:
    tried = []
    health = Health({"it": lambda: tried.append(1)})
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: health.wrong(), range(200))) == {()}
    assert len(tried) == 1


def test_what_was_found_holds_for_a_while_and_is_looked_at_again(capsys: pytest.CaptureFixture[str]) -> None:
    troubles = iter([OSError("full"), OSError("still full"), None, OSError("full again")])

    def fail() -> None:
        if trouble := next(troubles):
            raise trouble

    health = Health({"it": fail}, every=0.0)
    assert [health.wrong() for _ in range(4)] == [("it",), ("it",), (), ("it",)]
    said = capsys.readouterr().out
    assert (said.count("not ready"), said.count("ready again"), said.count("still full")) == (2, 1, 0)


def test_an_attempt_that_hangs_has_failed_is_not_made_twice_and_keeps_no_other_from_being_made() -> None:
    go_on, begun = Event(), []

    def hang() -> None:
        begun.append(1)
        go_on.wait()

    health = Health({"it": hang, "other": lambda: None}, every=0.0)
    assert [health.wrong() for _ in range(2)] == [("it",), ("it",)]
    assert len(begun) == 1
    go_on.set()
    while health.wrong():
        pass
    health.close()
