"""Bot turns in the queue, on a real Redis of our own: one job an account; nothing lapses by the time of day."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any

import pytest
import redis
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from events.store import Decision, Store
from service import wiring
from service.config import Config
from service.jobs import queue
from service.jobs.queue import PLAYING, BotJob, TurnQueue, WorkerShare, connect
from service.jobs.sweep import OrderSweep, Sweeper, TurnSweep
from service.run.redis_server import RedisServer
from service.store import Entry, lobby
from service.store.turns import Owed, begin_orders
from service.telemetry import OutageLog
from service.wakeups.commits import CHANNEL
from tests.service.run.redisrun import running
from tests.service.run.uprun import until

pytestmark = pytest.mark.sqlite

DONE: list[str] = []


def noted(account: str) -> None:
    """A job that only says it was done."""
    DONE.append(account)


@pytest.fixture
def turns(connection: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> TurnQueue:
    monkeypatch.setattr(queue, "PLAY", f"{__name__}.noted")
    monkeypatch.setattr(BotJob, "known", {**BotJob.known, f"{__name__}.noted": "a job failed"})
    DONE.clear()
    return TurnQueue(connection)


def is_due(turns: TurnQueue, match: str) -> bool:
    return match in due(turns)


def owed(*matches: str, account: str = "p_a") -> tuple[Owed, ...]:
    return tuple(Owed(match, account) for match in matches)


def work(turns: TurnQueue) -> None:
    SimpleWorker([turns.queue], connection=turns.connection, job_class=BotJob, serializer=JSONSerializer).work(
        burst=True, logging_level="CRITICAL"
    )


def due(turns: TurnQueue, account: str = "p_a") -> set[str]:
    found: Any = turns.connection.smembers(turns.due + account)
    return {match.decode() for match in found}


def test_an_account_has_one_job_however_many_matches_it_has_and_however_often_they_are_swept(turns: TurnQueue) -> None:
    found = (*owed("m_a", "m_b", "m_c"), *owed("m_d", account="p_b"), *owed("m_e", account=""))
    assert [turns.enqueue(found) for _ in range(3)] == [3, 0, 0]
    assert due(turns) == {"m_a", "m_b", "m_c"}
    work(turns)
    assert sorted(DONE) == ["", "p_a", "p_b"]


def test_accounts_take_turns_however_many_matches_one_has(turns: TurnQueue) -> None:
    turns.enqueue(owed(*(f"m_{n}" for n in range(40))))
    turns.enqueue(owed("m_b", account="p_b"))
    share = begun(turns, "p_a")
    taken = share.take(4)
    share.close(taken, [], dict.fromkeys(taken, 1))
    assert [job.split("-")[0] for job in turns.queue.get_job_ids()] == ["p_b", "p_a"], "the next of p_a comes after p_b"
    assert len(due(turns)) == 40


def test_accounts_that_wait_or_come_later_are_taken_along_where_there_is_room(turns: TurnQueue) -> None:
    turns.enqueue(owed("m_a", "m_b"))
    turns.enqueue((*owed("m_c", "m_d", "m_e", account="p é:1"), *owed("m_f", account="")))
    jobs = turns.queue.get_job_ids()
    assert all(job.isascii() for job in jobs), "what is queued names no key but the service's own"
    share = begun(turns, "p_a")
    taken = share.take(5)
    assert {"m_a", "m_b", "m_f"} < set(taken)
    assert len(taken) == 4, "of those that come along each has about as many"
    assert turns.queue.get_job_ids() == []
    assert len(turns.connection.keys("rq:job:*")) == 1, "but for the one that runs"
    assert turns.connection.hlen(turns.queued) == 0
    assert set(taken) | set(share.take(6)) == {f"m_{one}" for one in "abcdef"}
    assert turns.enqueue((*owed("m_a"), *owed("m_c", account="p é:1"))) == 0, "they are claimed"
    turns.enqueue((*owed("m_g"), *owed("m_h", account="p_b")))
    assert share.take(4) == {"m_g": "p_a", "m_h": "p_b"}
    share.close(["m_c", "m_a"], ["m_d"], {"m_a": 2, "m_c": 3, "m_e": 4})
    assert turns.connection.hgetall(queue.SPENT) == {b"p_a": b"2", "p é:1".encode(): b"7"}
    assert due(turns) == {"m_a"}
    assert due(turns, "p é:1") == {"m_c"}
    work(turns)
    assert sorted(DONE) == ["p é:1", "p_a"], "who has matches left has a job again, and nobody else"


def begun(turns: TurnQueue, account: str) -> WorkerShare:
    """The share of the account whose job is the next."""
    job = turns.queue.pop_job_id()
    assert job is not None
    assert job.startswith(account)
    return WorkerShare(turns, account)


def test_a_match_that_has_to_wait_is_enqueued_when_it_has(turns: TurnQueue, store: Store) -> None:
    share = WorkerShare(turns, "p_a")
    share.put_off("m_a", 60)
    share.put_off("m_b", 0.2)
    found = owed("m_a", "m_b", "m_c")
    assert turns.enqueue(found) == 1
    assert due(turns) == {"m_c"}
    assert set(turns.waiting) == {"m_a", "m_b"}
    sweep = TurnSweep(store, turns)
    sweep.due = monotonic() + 30
    assert sweep.pause < 1, "the sweep looks again when the first of them is due"
    until(lambda: turns.enqueue(found) or "m_b" in due(turns), "the one that had to wait for a moment")
    assert due(turns) == {"m_b", "m_c"}
    turns.connection.hset(queue.LATER, "m_a", "nonsense")
    turns.enqueue(found)
    assert "m_a" in due(turns), "nobody waits for what can't be read"


def test_a_match_that_a_worker_plays_is_left_alone_until_it_is_given_back(turns: TurnQueue) -> None:
    turns.enqueue(owed("m_a", "m_b"))
    share = begun(turns, "p_a")
    share.take(5)

    def assert_told(give_back: Callable[[], None], match: str) -> None:
        """The sweep is woken by it."""
        with turns.connection.pubsub(ignore_subscribe_messages=True) as commits:
            commits.subscribe(CHANNEL)
            until(lambda: dict(turns.connection.pubsub_numsub(CHANNEL))[CHANNEL.encode()], "it listens")
            give_back()
            message: Any = until(lambda: commits.get_message(timeout=1), "the sweep is woken")
        assert message["data"] == f'["{match}"]'.encode()

    for _ in range(2):
        assert turns.enqueue(owed("m_a", "m_b")) == 0
        share.renew()
    assert_told(lambda: share.release(["m_a"]), "m_a")
    assert turns.enqueue(owed("m_a", "m_b")) == 1
    assert due(turns) == {"m_a"}, "in it no bot was to act, while the other is played"
    assert share.take(5) == {"m_a": "p_a"}
    assert_told(lambda: share.close(["m_b"], [], {"m_a": 2}), "m_a")
    assert due(turns) == {"m_b"}
    assert turns.connection.hget(queue.SPENT, "p_a") == b"2"
    assert turns.enqueue(owed("m_a", "m_b")) == 0, "there is a job"
    assert due(turns) == {"m_a", "m_b"}


def test_lost_claims_and_jobs_are_void_after_a_while(turns: TurnQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    turns.enqueue(owed("m_a"))
    begun(turns, "p_a").take(1)
    assert turns.enqueue(owed("m_a")) == 0
    with monkeypatch.context() as short:
        short.setattr(queue, "CLAIM", 0.2)
        until(lambda: turns.enqueue(owed("m_a")) == 1, "it is enqueued again")
    assert turns.connection.hlen(PLAYING) == 0
    turns.queue.pop_job_id()  # the worker took it out of the queue and was killed
    turns.tidy()
    assert turns.enqueue(owed("m_a")) == 0
    monkeypatch.setattr(queue, "CLAIM", 0.0)
    turns.tidy()
    assert turns.enqueue(owed("m_a")) == 1


def test_a_match_that_fails_waits_longer_each_time_and_no_longer_once_it_was_played(turns: TurnQueue) -> None:
    share, waits = WorkerShare(turns, "p_a"), []
    for _ in range(9):
        share.fail("m_a")
        said: Any = turns.connection.hget(queue.LATER, "m_a")
        waits.append(float(said.rpartition(b":")[2]))
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    share.close([], ["m_a"], {})
    assert turns.connection.hget(queue.FAILED, "m_a") == b"9"
    turns.connection.delete(queue.LATER)
    turns.enqueue(owed("m_a"))
    share = begun(turns, "p_a")
    share.take(1)
    share.close([], [], {})
    assert turns.connection.hget(queue.FAILED, "m_a") is None


def test_an_account_that_made_its_moves_waits_for_a_minute(turns: TurnQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    limited = TurnQueue(turns.connection, moves=100)
    limited.enqueue(owed("m_a", "m_b"))
    share = begun(limited, "p_a")
    taken = share.take(1)
    share.close(taken, [], dict.fromkeys(taken, 100))
    assert limited.queue.get_job_ids() == []
    assert limited.enqueue(owed("m_a", "m_b")) == 0
    assert limited.enqueue(owed("m_c", account="p_b")) == 1, "others are not held up"
    limited.tidy()
    assert limited.enqueue(owed("m_a", "m_b")) == 0
    monkeypatch.setattr(queue, "MINUTE", 0.0)
    limited.tidy()
    assert limited.enqueue(owed("m_a", "m_b")) == 1


def test_a_minute_forgets_claims_and_waits_of_nobody(turns: TurnQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    WorkerShare(turns, "p_a").put_off("m_a", 1)
    turns.connection.hset(PLAYING, "m_b", "somebody:1")
    monkeypatch.setattr(queue, "MINUTE", 0.0)
    turns.tidy()
    assert turns.connection.hlen(PLAYING) == turns.connection.hlen(queue.LATER) == 1
    monkeypatch.setattr(queue, "CLAIM", -1.0)
    monkeypatch.setattr(queue, "LONGEST_WAIT", -1.0)
    turns.tidy()
    assert turns.connection.hlen(PLAYING) == turns.connection.hlen(queue.LATER) == 0


@pytest.fixture
def store(tmp_path: Path) -> Any:
    found = wiring.open_store(Config(data=tmp_path))
    yield found
    found.close()


def asked(match: str, who: str = "bot:random", seat: int = 0) -> Decision:
    return Decision(match=match, seat=seat, since=1, due="", who=who)


def opened(store: Store, match: str, *decisions: Decision, by: str = "p_a") -> None:
    entry = Entry(match, "high-card", "playing", "public", by, "2026-01-01T00:00:00.000Z")
    store.append(match, [], decisions=decisions, beside=lobby.enter(entry))


def test_only_the_matches_of_bots_are_swept_each_for_whom_it_was_opened_by(turns: TurnQueue, store: Store) -> None:
    opened(store, "m_a", asked("m_a", "player:p_a"), asked("m_a", "bot:greedy", seat=1))
    opened(store, "m_b", asked("m_b", "player:p_b"), by="p_b")
    store.append("m_c", [], decisions=(asked("m_c"),))
    assert TurnSweep(store, turns).look() == 2
    assert due(turns) == {"m_a"}
    assert due(turns, "") == {"m_c"}, "nobody of ours opened it"


def test_the_sweep_looks_at_what_it_was_told_of_and_now_and_then_at_all_a_page_each_time(
    turns: TurnQueue, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.jobs.sweep.TURNS_PAGE", 3)
    sweep = TurnSweep(store, turns)
    sweep.look()
    every = {f"m_{n}" for n in range(7)}
    for match in sorted(every):
        opened(store, match, asked(match), asked(match, "bot:greedy", seat=1))
    sweep.tell(["m_5", "m_none"])
    sweep.look()
    assert due(turns) == {"m_5"}
    found = []
    for _ in range(6):
        turns.connection.flushall()
        sweep.due = 0.0
        sweep.look()
        found.append(due(turns))
    assert max(map(len, found)) <= 3
    assert set().union(*found[:5]) == every
    assert found[5], "from the first one on again"


def test_matches_with_orders_are_found_a_page_each_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.work.ORDERS", 2)
    for match in ("m_a", "m_b", "m_c"):
        opened(store, match, asked(match, "player:p_a"))
        store.write([begin_orders(match, 0)])
    sweep = OrderSweep(store)
    assert [sweep.look() for _ in range(3)] == [("m_a", "m_b"), ("m_c",), ("m_a", "m_b")]


def test_the_sweeper_is_woken_or_looks_by_itself(server: RedisServer, turns: TurnQueue, tmp_path: Path) -> None:
    stop, config = Event(), Config(data=tmp_path, redis=server.url)
    recorder = wiring.open_store(config)
    thread = Thread(target=Sweeper(config, recorder, stop).run)
    thread.start()
    try:
        for match in ("m_a", "m_b", "m_c"):
            opened(recorder, match, asked(match))
            turns.connection.publish(CHANNEL, f'["{match}"]')
            turns.connection.publish(CHANNEL, "nonsense")
            until(partial(is_due, turns, match), "it is enqueued")
        turns.connection.flushall()
        for client in turns.connection.client_list():
            if client["cmd"] != "client|list":
                turns.connection.client_kill_filter(_id=client["id"], skipme=True)
        until(turns.queue.get_job_ids, "it is enqueued again")
    finally:
        stop.set()
        thread.join()
        recorder.close()


def test_an_outage_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    outage = OutageLog("the moon")
    for _ in range(3):
        outage.begins(OSError("dark"))
    outage.ends()
    outage.ends()
    told = capsys.readouterr().out
    assert (told.count("does not answer"), told.count("answers again")) == (1, 1)


def test_redis_keeps_nothing_that_could_be_broken_or_fill_the_disk(tmp_path: Path) -> None:
    found = RedisServer(tmp_path)
    # somebody else's
    (found.folder / "appendonly.aof").write_bytes(b"nonsense")
    with running(found), connect(found.url) as client:
        client.set("a", "b" * 100_000)
    found.clear()
    assert {path.name for path in found.folder.iterdir()} <= {"appendonly.aof", "redis.log"}


def test_a_socket_whose_path_would_be_too_long_lies_elsewhere(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100)
    found = RedisServer(deep)
    assert not found.socket.is_relative_to(deep)
    assert found.socket.parent.stat().st_mode & 0o777 == 0o700
    found.clear()
    assert not found.socket.parent.exists()
