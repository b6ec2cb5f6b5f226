"""Bots play on by themselves, whatever happens to Redis, to their worker and to the clock."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.service.run.redisrun import redis_url
from tests.service.run.test_up_serves import ends, grows, open_match
from tests.service.run.uprun import Up, running, until, up

pytestmark = pytest.mark.faults

CLOCK = Path(__file__).parent / "clock.c"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """One for all faults but those of the clock: what one leaves behind the next has to bear."""
    with up(tmp_path_factory.mktemp("faults") / "data") as found:
        yield found


@pytest.fixture
def client(service: Up) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url(service.data), socket_timeout=5) as found:
        yield found


def replaced(service: Up, part: str, before: int) -> None:
    until(lambda: running(service.data, part) not in ([], [before]), f"another {part}")


@pytest.mark.soak
def test_redis_is_full(service: Up, client: redis.Redis) -> None:
    match_id = open_match(service)
    grows(service, match_id, 1)
    client.config_set("maxmemory", "1")
    with pytest.raises(redis.exceptions.OutOfMemoryError):
        client.set("more", "x")
    another = open_match(service)
    until(lambda: client.info("clients")["connected_clients"], "it is there")
    client.config_set("maxmemory", "0")
    for one in (match_id, another):
        ends(service, one)


@pytest.mark.soak
def test_what_hangs_is_replaced(service: Up) -> None:
    ends(service, open_match(service))  # so all of them are at work
    hung = {part: running(service.data, part)[0] for part in ("service worker", "service follow", "valkey-server")}
    for process in hung.values():
        os.kill(process, signal.SIGSTOP)
    match_id = open_match(service)
    for part, process in hung.items():
        replaced(service, part, process)
    ends(service, match_id)


@pytest.mark.soak
def test_a_web_process_that_hangs_is_replaced_while_another_serves(service: Up) -> None:
    match_id = open_match(service)
    while sum("serving" in line for line in service.said) < 2:
        service.line("serving")
    hung, other = until(lambda: two(running(service.data, "service web")), "two web processes")
    os.kill(hung, signal.SIGSTOP)
    until(lambda: hung not in running(service.data, "service web"), "it is ended")
    assert other in running(service.data, "service web")
    until(lambda: two(running(service.data, "service web")), "another one in its place")
    ends(service, match_id)


def two(processes: list[int]) -> list[int]:
    return processes if len(processes) == 2 else []


@pytest.fixture(scope="module")
def preloaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("clock") / "clock.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, CLOCK, "-ldl"], check=True)
    return library


@pytest.mark.soak
def test_the_clock_is_set_forward_and_back_while_bots_play(tmp_path: Path, preloaded: Path) -> None:
    """The time of day of all processes, Redis among them; nobody can set the clock that only goes on."""
    said = tmp_path / "wrong"
    said.write_text("0")
    env = {"LD_PRELOAD": str(preloaded), "WRONG_CLOCK": str(said), "FOLDTABLE_BOT_PACE": "0.2"}
    with up(tmp_path / "data", said=env) as service:
        match_id = open_match(service)
        grows(service, match_id, 2)
        for seconds in (3600, -3600):
            set_to(said, seconds)
            grows(service, match_id, 2)
            (worker,) = running(service.data, "service worker")
            os.kill(worker, signal.SIGKILL)
            replaced(service, "service worker", worker)
            grows(service, match_id, 2)


def set_to(said: Path, seconds: int) -> None:
    fresh = said.with_suffix(".new")
    fresh.write_text(str(seconds))
    fresh.replace(said)
