"""Whatever happens to disks, processes, Redis or the clock: nothing acknowledged is lost, and all of it goes on."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
import redis

from service.config import Config
from service.jobs.queue import connect
from tests import postgres
from tests.postgres import Server
from tests.service.run.callers import Caller, Pair, moved, playing, reckon
from tests.service.run.redisrun import redis_url
from tests.service.run.test_up import ends, grows, open_match
from tests.service.run.uprun import Up, hang, running, small_disk, until, up

pytestmark = pytest.mark.faults

FAILED = "store-failed"


@contextmanager
def no_room(disk: Path) -> Iterator[None]:
    """A file takes all that is left, and what becomes free meanwhile."""
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))
    try:
        yield
    finally:
        ballast.unlink()


def failed(pairs: list[Pair]) -> int:
    moved(pairs)
    return sum(person.refused.count(FAILED) for pair in pairs for person in pair.people)


def fill_and_go_on(service: Up, config: Config, disk: Path, server: Server | None) -> None:
    with playing(service.url, 3) as pairs:
        service.line("serving", 2)
        until(lambda: moved(pairs) > 30, "they play")
        if server is None:
            # else what SQLite has written ahead is room for many more moves
            with closing(sqlite3.connect(config.database)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with no_room(disk):
            until(lambda: failed(pairs) > 10, "they are told that it can't be stored")
            (first, *_) = running(service.data, "service web")
            os.kill(first, signal.SIGKILL)
            until(lambda: first not in running(service.data, "service web"), "it is gone")
        before = moved(pairs)

        def play_on() -> bool:
            if server is not None:
                server.go_on()  # what ends for want of room may do so only now
            return moved(pairs) > before + 30

        until(play_on, "they play on")
        until(lambda: len(running(service.data, "service web")) == 2, "the one that was killed has come back")
    assert service.process.poll() is None
    reckon(config, pairs)


def test_a_disk_that_is_full_under_the_sqlite_store(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with small_disk(data, 40_000), up(data) as service:
        fill_and_go_on(service, Config(data=data), data, None)


@pytest.mark.soak
def test_a_disk_that_is_full_under_the_postgres_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    with ExitStack() as stack:
        # whoever runs the server may not look into the tests' own folders
        outside = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        outside.chmod(0o755)
        stack.enter_context(small_disk(disk := outside / "disk", 250_000))
        disk.chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", str(disk))
        server = stack.enter_context(postgres.server())
        url = server.database()
        service = stack.enter_context(up(data, said={"FOLDTABLE_STORE": url}))
        fill_and_go_on(service, Config(data=data, store=url), disk, server)


READS = 50
"""At most: a slow machine has not the time for all of them until the process that hangs is ended."""


@pytest.mark.sqlite
@pytest.mark.soak
def test_a_web_process_that_hangs_in_its_turn_is_replaced_and_no_other(tmp_path: Path) -> None:
    config = Config(data=(data := tmp_path / "data"))
    with up(data) as service, ThreadPoolExecutor(1) as thread:
        with playing(service.url, 5) as pairs:
            service.line("serving", 2)
            until(lambda: moved(pairs) > 20, "they play")
            hung, other = running(data, "service web")
            hang(hung, config.database, in_turn=True)
            # all that is asked from here on the other one answers: for this it needs the turn
            eve = thread.submit(Caller, service.url, "Eve")
            answered = 0
            while answered < READS:
                service.version(pairs[0].opened[0])
                has_written = eve.done()
                if hung not in running(data, "service web"):
                    break
                assert not has_written
                answered += 1
            assert answered > 1, "who wants to read is answered meanwhile"
            before = moved(pairs)
            until(lambda: hung not in running(data, "service web"), "it is ended")
            until(lambda: moved(pairs) > before + 20, "they play on")
            eve.result().close()
            assert other in running(data, "service web"), "whoever waits for its turn does not hang"
        reckon(config, pairs)


CLOCK = Path(__file__).parent / "clock.c"


def replaced(service: Up, part: str, before: int) -> None:
    until(lambda: running(service.data, part) not in ([], [before]), f"another {part}")


@pytest.mark.soak
def test_a_full_redis_is_borne_and_what_hangs_is_replaced(tmp_path: Path) -> None:
    with up(tmp_path / "data") as service:
        matches = [open_match(service)]
        grows(service, matches[0], 1)
        with connect(redis_url(service.data)) as client:
            client.config_set("maxmemory", "1")
            with pytest.raises(redis.exceptions.OutOfMemoryError):
                client.set("more", "x")
            matches.append(open_match(service))
            client.config_set("maxmemory", "0")
        for match_id in matches:
            ends(service, match_id)
        hung = {part: running(service.data, part)[0] for part in ("service worker", "service follow", "valkey-server")}
        for process in hung.values():
            os.kill(process, signal.SIGSTOP)
        match_id = open_match(service)
        for part, process in hung.items():
            replaced(service, part, process)
        ends(service, match_id)


@pytest.mark.soak
def test_the_clock_is_set_forward_and_back_while_bots_play(tmp_path: Path) -> None:
    """The time of day of all processes, Redis among them; nobody can set the clock that only goes on."""
    preloaded, said = tmp_path / "clock.so", tmp_path / "wrong"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", preloaded, CLOCK, "-ldl"], check=True)
    said.write_text("0")
    env = {"LD_PRELOAD": str(preloaded), "WRONG_CLOCK": str(said), "FOLDTABLE_BOT_PACE": "0.2"}
    with up(tmp_path / "data", said=env) as service:
        match_id = open_match(service)
        grows(service, match_id, 2)
        for seconds in (3600, -3600):
            said.with_suffix(".new").write_text(str(seconds))
            said.with_suffix(".new").replace(said)
            grows(service, match_id, 2)
            (worker,) = running(service.data, "service worker")
            os.kill(worker, signal.SIGKILL)
            replaced(service, "service worker", worker)
            grows(service, match_id, 2)


def test_a_thinker_that_is_killed_in_mid_thought_loses_no_turn_and_no_review(tmp_path: Path) -> None:
    settings = {"FOLDTABLE_THINK_CORES": "2"}
    with up(tmp_path / "data", said=settings) as service, closing(Caller(service.url, "Ann")) as ann:
        match = ann.post("/matches", {"game": "terraformers", "seats": [None, {"bot": "master"}]})["id"]
        ann.post(f"/matches/{match}/seats")

        def killed() -> None:
            parts = "service think", "spawn_main"
            (thinker, *_), (other, *_) = until(
                lambda: all(found := [running(service.data, part) for part in parts]) and found,
                "it thinks on two cores",
            )
            os.kill(thinker, signal.SIGKILL)
            replaced(service, "service think", thinker)
            until(lambda: other not in running(service.data, "spawn_main"), "what it had started has ended")

        def move() -> bool:
            now = ann.get(f"/matches/{match}/moves")
            if now["moves"]:
                ann.post(f"/matches/{match}/moves", {"decision": now["decision"], "id": now["moves"][0]["id"]})
            return bool(now["moves"])

        until(move, "it is Ann's turn")
        while move():
            pass
        killed()
        until(move, "the master has moved, whoever was killed")
        while not ann.get(f"/matches/{match}")["result"]:
            if not move():
                ann.post(f"/matches/{match}/resign")
        ann.post(f"/matches/{match}/reviews", {"seat": 1})
        review = f"/matches/{match}/reviews/1"
        until(lambda: ann.get(review)["decisions"], "a decision was judged")
        known = ann.get(review)["decisions"]
        killed()
        until(lambda: ann.get(review)["state"] == "done", "it goes on")
        assert ann.get(review)["decisions"][: len(known)] == known


PASS = {"play": [{"type": "Pass"}]}
FIRST = {"play": [{"type": "Discard", "where": [{"of": "at", "relation": "=", "value": 0}]}]}
SAME = {"play": [{"type": "Insert", "where": [{"of": "at", "relation": "=", "value": 0}]}]}


def is_past(service: Up, match: str, version: int) -> bool:
    return service.version(match) > version


@pytest.mark.soak
def test_a_match_goes_on_by_orders_whatever_is_killed(tmp_path: Path) -> None:
    with up(tmp_path, said={"FOLDTABLE_BOT_PAUSE": "0.2"}) as service:
        ann = Caller(service.url, "Ann")
        match = ann.post("/matches", {"game": "three-magic", "seats": [None, *[{"bot": "random"}] * 2]})["id"]
        ann.post(f"/matches/{match}/seats")
        before = service.version(match)
        for rule in (PASS, FIRST, SAME):
            ann.post(f"/matches/{match}/orders", rule)
        until(lambda: service.version(match) > before + 20, "it goes on")
        for part in ("service worker", "service follow", "valkey-server"):
            os.kill(running(tmp_path, part)[0], signal.SIGKILL)
            before = service.version(match)
            until(partial(is_past, service, match, before + 6), f"it goes on without {part}")
        # it may have gone on without any redis: another one is yet to be started
        with connect(redis_url(tmp_path)) as found:
            found.flushall()

        before = service.version(match)
        until(lambda: service.version(match) > before + 6 or service.is_finished(match), "it goes on without a queue")
        kinds = [one["type"] for one in ann.get(f"/matches/{match}/events?private=true&limit=1000")["events"]]
        # the first may be followed before the others are given
        assert [kind for kind in kinds if "Order" in kind] == ["match/OrderGiven"] * 3
        ann.close()
        assert service.stop() == 0
