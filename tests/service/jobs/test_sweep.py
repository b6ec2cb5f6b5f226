"""What is due is found by index, and put into the queue so that it tells nothing."""

from __future__ import annotations

from dataclasses import replace
from threading import Event, Thread

import pytest
import redis
from freezegun import freeze_time
from rq import Queue
from rq.serializers import JSONSerializer

from service import work
from service.jobs.queue import CLOCKS_QUEUE, FIRE, FOLLOW, NAME, connect
from service.jobs.sweep import EVERY, TIMEOUT, ClockSweep, Sweep, Sweeper, Tries
from service.run.redis_server import RedisServer
from service.store import Statement, turns
from service.store import clocks as kept
from service.telemetry import metrics
from tests.service.clocks.test_ladder import HOURLY, late, opened
from tests.service.clocks.timing import at
from tests.service.house import House, each
from tests.service.run.uprun import until


def test_each_sort_of_what_is_due_is_found_when_it_is(house: House) -> None:
    waits, _ = opened(house, HOURLY)
    paused, players = opened(house, HOURLY)
    with at("04T12:10:00"):
        each(players, paused, "pause")
    looked = ClockSweep(house.service.recorder)
    with at("04T12:11:00"):
        assert sorted(looked.look()) == sorted([waits, paused]), "once, where nothing is known of what was before"
        assert looked.look() == []
    for moment, due in (("04T12:47:59", []), ("04T12:48:00", [paused, waits])):
        with at(moment):
            assert sorted(looked.look()) == sorted(due), moment
    late(house, "04T12:48:00", waits)
    late(house, "04T12:48:00", paused)
    for moment, due in (("04T12:59:59", []), ("04T13:00:00", [waits])):
        with at(moment):
            assert looked.look() == due, moment
    house.service.recorder.write([Statement("UPDATE pauses SET due = '2126-03-04T12:59:00.000Z'")])
    with at("04T13:00:00"):
        assert paused in looked.look()


def test_after_an_outage_timed_matches_are_looked_at_by_pages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "CLOCKS", 2)
    matches = sorted(opened(house, HOURLY)[0] for _ in range(5))
    house.table()
    with at("04T12:00:01"):
        looked = ClockSweep(house.service.recorder)
        for _ in range(2):
            assert [looked.look() for _ in range(4)] == [matches[:2], matches[2:4], matches[4:], []]
            outage = kept.note_outage("2126-03-04T12:00:00.000Z", "2126-03-04T12:00:01.000Z")
            assert house.service.recorder.write([outage]) == (1,)
    with at("04T13:00:00"):
        looked = ClockSweep(house.service.recorder)
        pages = [looked.look() for _ in range(6)]
    assert {match for page in pages for match in page} == set(matches)
    assert max(map(len, pages)) == 2, "what is due and what is looked at beside it, together"


def test_what_stays_due_is_sent_again_after_twice_as_long_each_time_and_what_is_due_anew_at_once() -> None:
    tries, sent = Tries(), []
    first = {"m_1": "noon", "m_2": "one"}
    with freeze_time(tick=False) as frozen:
        assert [tries.due(first, most) for most in (1, 5, 5)] == [["m_1"], ["m_2"], []]
        assert tries.due({"m_1": "two", "m_2": "one"}, 5) == ["m_1"]
        assert tries.due({}, 5) == []
        assert tries.due(first, 5) == ["m_1", "m_2"]
        for second in range(200):
            if tries.due({"m_3": "noon"}, 5):
                sent.append(second)
            frozen.tick(1)
    assert sent == [0, 1, 3, 7, 15, 31, 63, 123, 183]


def test_a_sweep_queues_one_job_at_a_time_and_a_steady_one_also_without_matches(connection: redis.Redis) -> None:
    own, shared = (Queue(name, connection=connection, serializer=JSONSerializer) for name in ("clocks", "bots"))
    found = [["m_a"], [], ["m_b"]]
    steady = Sweep(lambda: found[0], own, FIRE, is_steady=True)
    other = Sweep(lambda: found.pop(0), shared, FOLLOW)
    with freeze_time(tick=False) as frozen:
        assert (steady.look(), other.look()) == (True, True)
        frozen.tick(EVERY)
        assert (steady.look(), other.look()) == (False, False), "its job waits"
        (job,) = own.get_jobs()
        assert (job.func_name, job.args, job.timeout) == (FIRE, [["m_a"]], TIMEOUT)
        assert (job.result_ttl, job.failure_ttl) == (0, TIMEOUT), "what was done is not kept"
        own.empty()
        shared.empty()
        assert (other.look(), steady.look()) == (False, False), "not before its time"
        frozen.tick(EVERY)
        assert (other.look(), steady.look()) == (False, True)
        assert (own.get_jobs()[0].args, shared.count) == ([["m_b"]], 0), "nothing was found for the other"


@pytest.mark.sqlite
def test_the_sweeper_looks_for_all_that_is_due_and_leaves_nothing_open(house: House, server: RedisServer) -> None:
    match, _ = opened(house, HOURLY)
    house.service.recorder.write([turns.begin_orders(match, 0)])
    stop = Event()
    connection = connect(server.url)
    sweeper = Sweeper(replace(house.service.config, redis=server.url), house.service.recorder, stop)
    thread = Thread(target=sweeper.run)
    before = len(connection.client_list())
    thread.start()
    queues = {name: Queue(name, connection=connection, serializer=JSONSerializer) for name in (NAME, CLOCKS_QUEUE)}
    until(lambda: all(queue.count for queue in queues.values()), "both are queued")
    stop.set()
    thread.join()
    jobs = {name: queue.get_jobs()[0] for name, queue in queues.items()}
    assert {name: (job.func_name, job.args) for name, job in jobs.items()} == {
        NAME: (FOLLOW, [[match]]),
        CLOCKS_QUEUE: (FIRE, [[match]]),
    }
    for name in ("bots", "clocks"):
        assert metrics.REGISTRY.get_sample_value("foldtable_follower_lag_seconds", {"follower": name}) is not None
    assert len(connection.client_list()) == before
    connection.close()
