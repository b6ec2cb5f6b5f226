"""A follower is woken by what Redis tells, and looks without it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest
import redis

from service.jobs.queue import connect
from service.run.redis_server import RedisServer
from service.wakeups.commits import CHANNEL, Commits
from tests.service.run.redisrun import running
from tests.service.run.uprun import DEADLINE, until

LONG = 2 * DEADLINE
"""Seconds: a test that waits for so long has failed."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    found = RedisServer(tmp_path)
    yield found
    found.clear()


def waiting(commits: Commits) -> Thread:
    """Somebody who waits for a commit."""
    thread = Thread(target=commits.wait, args=(LONG,), daemon=True)
    thread.start()
    return thread


def is_woken(thread: Thread, told: redis.Redis) -> bool:
    """Tell it again: nobody says whether the other listens by now."""
    told.publish(CHANNEL, b"[]")
    return not thread.is_alive()


def test_a_commit_wakes_whoever_waits(server: RedisServer) -> None:
    commits = Commits(server.url, Event())
    with running(server), connect(server.url) as told:
        for _ in range(2):
            thread = waiting(commits)
            until(partial(is_woken, thread, told), "it is woken")
        commits.close()


def test_a_stop_ends_the_waiting_also_without_redis(server: RedisServer) -> None:
    for url in ("", server.url):
        stop = Event()
        commits = Commits(url, stop)
        thread = waiting(commits)
        stop.set()
        thread.join(DEADLINE)
        assert not thread.is_alive()
        commits.close()


def test_redis_is_listened_to_again_when_it_has_come_back(server: RedisServer) -> None:
    commits = Commits(server.url, Event())
    with running(server):
        commits.wait(0.01)
    commits.wait(0.01)
    with running(server), connect(server.url) as told:
        commits.wait(0.01)
        thread = waiting(commits)
        until(partial(is_woken, thread, told), "it is woken")
        commits.close()
