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

from events.store import StoreError
from service.config import Config
from service.health import Health
from service.run.redis_server import RedisServer
from tests.events.test_files import small_files
from tests.service.house import House, build
from tests.service.run.redisrun import running
from tests.service.stored import pragma

pytestmark = pytest.mark.sqlite

Readiness = tuple[int, str, list[str]]
READY: Readiness = (200, "", [])
NO_STORE: Readiness = (503, "not-ready", ["store"])
NO_REDIS: Readiness = (503, "redis-away", ["redis"])


@pytest.fixture(autouse=True)
def looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service looks at each question."""
    monkeypatch.setattr("service.health.EVERY", 0.0)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    found = RedisServer(tmp_path / "queue")
    yield found
    found.clear()


@pytest.fixture
def queued(tmp_path: Path, server: RedisServer) -> Iterator[House]:
    """The same, told of a Redis which does not run yet."""
    with House(build(Config(data=tmp_path / "data", redis=server.url))) as house:
        yield house


def readiness(house: House) -> Readiness:
    """Status, code and what is wrong."""
    answer = house.send("GET", "/readyz")
    assert house.send("GET", "/healthz").status_code == 200, "it lives all the same"
    if answer.status_code == 200:
        assert answer.json == {"status": "ready"}
        return READY
    assert answer.headers["Retry-After"]
    for secret in (str(house.service.config.data), house.service.config.redis):
        assert not secret or secret not in answer.text, "paths and addresses are the operator's"
    return answer.status_code, answer.json["code"], answer.json["wrong"]


def test_a_store_that_cannot_be_written_to_is_told(house: House) -> None:
    assert readiness(house) == READY
    with small_files(1000):
        assert readiness(house) == NO_STORE
    assert readiness(house) == READY
    # there is room, and the store fails: what is written goes the way of every move
    pragma(house.service, "query_only = ON")
    assert readiness(house) == NO_STORE


def test_a_store_that_cannot_be_asked_for_its_keys_is_no_fault_of_the_keys(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise StoreError("the server takes no connection")

    monkeypatch.setattr("events.keyring.EVERY", 0.0)
    monkeypatch.setattr(type(house.service.recorder), "find", away)
    assert readiness(house) == NO_STORE


def test_a_store_that_stays_locked_is_told_without_a_wait(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert readiness(house) == READY
    monkeypatch.setattr("service.health.WITHIN", 0.2)
    with closing(sqlite3.connect(house.service.config.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert readiness(house) == readiness(house) == NO_STORE
        other.execute("ROLLBACK")
    while readiness(house) != READY:
        pass


def test_a_store_whose_file_is_another_one_is_told_though_it_takes_all_that_is_written(house: House) -> None:
    path = house.service.config.database
    away = path.with_suffix(".away")
    for is_put_there in (True, False):
        assert readiness(house) == READY
        path.rename(away)
        if is_put_there:
            shutil.copy(away, path)
        house.player()
        assert readiness(house) == (503, "store-replaced", ["store-replaced"])
        away.replace(path)


def test_a_redis_that_is_gone_hangs_or_is_full_is_told_and_people_play_on(queued: House, server: RedisServer) -> None:
    with small_files(1000):
        assert readiness(queued) == (503, "not-ready", ["store", "redis"])
    assert readiness(queued) == NO_REDIS
    with running(server), redis.Redis.from_url(server.url) as client:
        assert readiness(queued) == READY
        client.set("filler", b"x" * 100_000)
        client.config_set("maxmemory", 1)
        assert client.ping()
        assert readiness(queued) == NO_REDIS
        client.config_set("maxmemory", 0)
        assert readiness(queued) == READY
        pid = client.info()["process_id"]
        os.kill(pid, signal.SIGSTOP)
        try:
            assert readiness(queued) == NO_REDIS
        finally:
            os.kill(pid, signal.SIGCONT)
        assert readiness(queued) == READY
    assert readiness(queued) == NO_REDIS
    assert queued.player().open()


def test_one_that_is_about_to_end_says_so_at_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.health.EVERY", 60.0)
    assert readiness(house) == READY
    house.service.bells.close()
    assert readiness(house) == (503, "stopping", ["stopping"])
    assert house.send("GET", "/healthz").json == {"status": "ok"}, "but it is alive"


def test_however_often_it_is_asked_it_is_tried_now_and_then_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.health.EVERY", 60.0)
    tried = []
    health = Health({"it": lambda: tried.append(1)})
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: health.wrong(), range(200))) == {()}
    assert len(tried) == 1


def test_a_fault_is_logged_when_it_begins_and_when_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    troubles = iter([OSError("full"), OSError("still full"), None, OSError("full again")])

    def fail() -> None:
        if trouble := next(troubles):
            raise trouble

    health = Health({"it": fail})
    assert [health.wrong() for _ in range(4)] == [("it",), ("it",), (), ("it",)]
    logged = capsys.readouterr().out
    assert (logged.count("not ready"), logged.count("ready again"), logged.count("still full")) == (2, 1, 0)


def test_an_attempt_that_hangs_has_failed_is_made_once_and_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.health.WITHIN", 0.5)
    go_on, begun = Event(), []

    def hang() -> None:
        begun.append(1)
        go_on.wait()

    health = Health({"it": hang, "other": lambda: None})
    assert [health.wrong() for _ in range(2)] == [("it",), ("it",)]
    assert len(begun) == 1
    go_on.set()
    while health.wrong():
        pass
    health.close()
