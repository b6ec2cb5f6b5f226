"""Bot turns in the queue, on a real Redis of our own."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

import pytest
import redis
from rq import SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer

from events.sqlite import SqliteRecorder
from events.store import Decision
from service.bots import queue
from service.bots.queue import Lease, Turn, Turns, connect, job_id, lease_of
from service.bots.sweep import Follower, Outage, sweep
from service.config import Config
from service.run.redis_server import RedisServer
from service.wakeups.publisher import CHANNEL
from tests.service.run.redisrun import running
from tests.service.run.uprun import until

pytestmark = pytest.mark.sqlite

DONE: list[tuple[str, int, int]] = []


def noted(match_id: str, seat: int, decision: int) -> None:
    """A job that only says it was done."""
    DONE.append((match_id, seat, decision))


def failing(match_id: str, seat: int, decision: int) -> None:
    """A job that can't."""
    raise RuntimeError("no")


@pytest.fixture
def turns(connection: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> Turns:
    monkeypatch.setattr(queue, "JOB", f"{__name__}.noted")
    monkeypatch.setattr(Turn, "known", frozenset({f"{__name__}.noted", f"{__name__}.failing"}))
    DONE.clear()
    return Turns(connection)


def due(match: str = "m_a", seat: int = 0, since: int = 5) -> Decision:
    return Decision(match=match, seat=seat, since=since, due="", who="bot:greedy")


def work(turns: Turns) -> None:
    SimpleWorker([turns.queue], connection=turns.connection, job_class=Turn, serializer=JSONSerializer).work(
        burst=True, logging_level="CRITICAL"
    )


def job(turns: Turns, decision: Decision) -> Job:
    return Job.fetch(job_id(decision), turns.connection, JSONSerializer)


def enqueued(turns: Turns, decision: Decision) -> None:
    until(lambda: job_id(decision) in turns.queue.get_job_ids(), "it is enqueued")


def test_a_decision_has_one_job_however_often_it_is_swept(turns: Turns) -> None:
    decisions = (due(), due(seat=1), due("m_b"))
    assert [turns.enqueue(decisions) for _ in range(3)] == [3, 0, 0]
    work(turns)
    assert sorted(DONE) == [("m_a", 0, 5), ("m_a", 1, 5), ("m_b", 0, 5)]


def test_a_job_that_was_done_is_forgotten_and_a_decision_still_open_gets_another(turns: Turns) -> None:
    for _ in range(2):
        assert turns.enqueue((due(),)) == 1
        work(turns)
    assert len(DONE) == 2


def test_nothing_due_is_nothing_enqueued(turns: Turns) -> None:
    assert turns.enqueue(()) == 0


def test_a_decision_that_has_to_wait_is_enqueued_when_it_has(turns: Turns) -> None:
    lease = Lease(turns.connection, "m_a")
    lease.put_off(0, 5, 60)
    lease.put_off(1, 5, 0.2)
    lease.put_off(2, 5, 0)
    decisions = (due(), due(seat=1), due(seat=2), due(seat=0, since=6))
    assert turns.enqueue(decisions) == 2
    assert 0 < turns.soonest < 1
    until(lambda: turns.enqueue(decisions) == 1, "the one that had to wait for a moment")
    assert 1 < turns.soonest <= 60
    assert turns.enqueue(()) == 0
    assert turns.soonest == float("inf")


def test_a_match_that_a_worker_plays_is_left_alone(turns: Turns) -> None:
    lease = Lease(turns.connection, "m_a")
    assert lease.take()
    assert not Lease(turns.connection, "m_a").take()
    assert turns.enqueue((due(), due("m_b"))) == 1
    lease.renew()
    with turns.connection.pubsub(ignore_subscribe_messages=True) as commits:  # type: ignore[no-untyped-call]
        commits.subscribe(CHANNEL)
        lease.give_back()
        told = until(lambda: commits.get_message(timeout=1), "the sweep is woken")
    assert told["data"] == b'["m_a"]'
    assert turns.enqueue((due(), due("m_b"))) == 1


def test_the_lease_of_a_worker_that_was_killed_runs_out(turns: Turns) -> None:
    assert Lease(turns.connection, "m_a").take()
    assert 0 < turns.connection.pttl(lease_of("m_a")) <= queue.LEASE


def test_a_flushed_queue_is_filled_again(turns: Turns) -> None:
    turns.enqueue((due(),))
    turns.connection.flushall()
    assert turns.enqueue((due(),)) == 1


def test_a_job_that_got_lost_on_its_way_is_enqueued_again_after_a_while(
    turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker took it out of the queue and was killed."""
    turns.enqueue((due(),))
    turns.queue.remove(job_id(due()))
    assert turns.enqueue((due(),)) == 0
    monkeypatch.setattr(queue, "GRACE", queue.GRACE * 0)
    assert turns.enqueue((due(),)) == 1
    work(turns)
    assert len(DONE) == 1


def test_a_job_that_fails_waits_longer_each_time(turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "JOB", f"{__name__}.failing")
    monkeypatch.setattr(SimpleWorker, "handle_exception", lambda *_: None)
    for failures in range(3):
        monkeypatch.setattr(queue, "FIRST_WAIT", 0)
        assert turns.enqueue((due(),)) == 1
        work(turns)
        assert job(turns, due()).meta == {"failures": failures}
        # a minute in the end, were it never so short at first
        monkeypatch.setattr(queue, "FIRST_WAIT", 30 / 2**failures)
        assert turns.enqueue((due(),)) == 0


def test_a_job_names_its_decision_in_letters_that_the_queue_takes() -> None:
    assert job_id(due("m_a", 2, 17)) == "m_a-17-2"
    assert job_id(due("m:é/1")) == "m---1-5-0"


def test_only_the_decisions_of_bots_are_swept(turns: Turns, tmp_path: Path) -> None:
    recorder = SqliteRecorder(tmp_path / "foldtable.db")
    mine = Decision(match="m_a", seat=0, since=1, due="", who="player:p_a")
    bots = Decision(match="m_a", seat=1, since=1, due="", who="bot:random")
    recorder.append("m_a", [], decisions=(mine, bots))
    assert sweep(recorder, turns) == 1
    assert turns.queue.get_job_ids() == [job_id(bots)]
    recorder.close()


def test_the_follower_waits_for_the_store_and_is_woken_by_commits(
    server: RedisServer, turns: Turns, tmp_path: Path
) -> None:
    stop = Event()
    follower = Follower(Config(data=tmp_path, redis=server.url), stop)
    thread = Thread(target=follower.run)
    thread.start()
    recorder = SqliteRecorder(tmp_path / "foldtable.db")
    try:
        for since in (1, 2, 3):
            recorder.append("m_a", [], decisions=(due(since=since),))
            turns.connection.publish(CHANNEL, b'["m_a"]')
            enqueued(turns, due(since=since))
    finally:
        stop.set()
        thread.join()
        recorder.close()


def test_the_follower_looks_by_itself_when_no_message_comes_and_outlives_a_redis_that_is_away(
    server: RedisServer, turns: Turns, tmp_path: Path
) -> None:
    recorder = SqliteRecorder(tmp_path / "foldtable.db")
    stop = Event()
    follower = Follower(Config(data=tmp_path, redis=server.url), stop)
    thread = Thread(target=follower.run)
    thread.start()
    try:
        recorder.append("m_a", [], decisions=(due(),))
        until(turns.queue.get_job_ids, "it is enqueued")
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
    outage = Outage("the moon")
    for _ in range(3):
        outage.begins(OSError("dark"))
    outage.ends()
    outage.ends()
    told = capsys.readouterr().out
    assert told.count("does not answer") == 1
    assert told.count("answers again") == 1


def test_redis_keeps_nothing_that_could_be_broken_or_fill_the_disk(tmp_path: Path) -> None:
    found = RedisServer(tmp_path)
    # an earlier release kept one
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
