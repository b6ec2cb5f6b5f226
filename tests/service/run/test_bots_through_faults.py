"""Bots play on by themselves, whatever happens to Redis, to their worker and to the clock."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
import redis

from service.jobs.queue import connect
from tests.service.run.callers import Caller
from tests.service.run.redisrun import redis_url
from tests.service.run.test_up_serves import ends, grows, open_match
from tests.service.run.uprun import Up, running, until, up

pytestmark = pytest.mark.faults

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
