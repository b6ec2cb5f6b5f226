"""Whole matches of bots and of people, with all that processes can log and all that they count: no secret is in it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import msgspec
import pytest

from tests.service.run.test_up import ends
from tests.service.run.uprun import DEADLINE, Up, up

pytestmark = pytest.mark.faults

SEATS = [None, None, {"bot": "greedy"}]
LONG = 10
"""Characters from which on a text is a secret of its own, and no word that may stand somewhere by chance."""

MARKS = str.maketrans("", "", " \"'\\")
"""What differs between one way to write a value down and another."""

SAID = {"FOLDTABLE_LOG": "debug", "FOLDTABLE_METRICS": "127.0.0.1:0", "FOLDTABLE_BOT_PAUSE": "0"}


class Person:
    """Somebody who plays over HTTP, and all they know that nobody else may."""

    def __init__(self, service: Up, name: str) -> None:
        self.http = httpx2.Client(base_url=f"{service.url}/api", trust_env=False, timeout=DEADLINE)
        self.token: str = self.http.post("/players", json={"name": name}).json()["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"
        self.secrets = {self.token}

    def step(self, match: str, draw: Random) -> bool:
        """Answer what one is asked, if anything, after some tries that are refused; whether one was."""
        now = self.http.get(f"/matches/{match}/moves").json()
        if now["moves"]:
            chosen, key = draw.choice(now["moves"]), f"key-{draw.getrandbits(64):016x}-of-this-move"
            self.secrets |= {key, json.dumps(chosen["move"]), chosen["text"]}
            for wrong in ({"id": "none"}, {"move": {"type": "Discard", "at": 70}}):
                self.http.post(f"/matches/{match}/moves", json={"decision": now["decision"], **wrong})
            body = {"decision": now["decision"], "move": chosen["move"]}
            answer = self.http.post(f"/matches/{match}/moves", json=body, headers={"Idempotency-Key": key})
            assert answer.status_code in {200, 409}, answer.text
        return bool(now["moves"])

    def wait(self, match: str) -> bool:
        """Until the match moves on; whether it does."""
        answer = self.http.get(f"/matches/{match}", params={"wait": 1}).json()
        return answer["status"] not in {"finished", "aborted"}

    def blunder(self, match: str) -> None:
        """Say the secret where it does not belong."""
        self.http.get(f"/matches/{self.token}")
        self.http.get(f"/{self.token}", params={"token": self.token})
        self.http.get(f"/matches/{match}/moves", params={"seat": self.token, "lang": self.token})
        self.http.post("/players", content=f'{{"name": "{self.token}"'.encode(), headers={"Content-Type": "text/plain"})
        self.http.post("/matches", json={"game": self.token})
        self.http.get("/me", headers={"Authorization": self.token, "X-Request-ID": self.token})


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts(one)


def secrets_of(data: Path) -> set[str]:
    """What lies in the folder that nobody is to be told: tokens, keys, and what the logs of matches hide."""
    found = {(data / name).read_text().strip() for name in ("demo-token", "admin-token", "worker-token")}
    found.add(json.loads((data / "keys").read_text())["private"])
    store = sqlite3.connect(data / "foldtable.db")
    for stream, public, secret in store.execute("SELECT stream, public, secret FROM events"):
        hidden = msgspec.json.decode(secret)
        found.update(texts([one["value"] for one in hidden.values()]))
        found.update(json.dumps(one["value"]) for one in hidden.values())
        if "/" in stream:
            answer = msgspec.json.decode(public)["answer"]
            found.add(json.dumps(answer))
    store.close()
    return found


def plain(found: set[str]) -> set[str]:
    """The secrets as they would be found in whatever way they are written down."""
    return {text for one in found if len(text := one.translate(MARKS)) >= LONG}


def metrics_of(lines: list[dict[str, Any]]) -> dict[str, str]:
    """What the processes answer, by their part; of one part there may be several."""
    told: dict[str, str] = {}
    for line in lines:
        if line["event"] == "metrics":
            answer = httpx2.get(f"http://127.0.0.1:{line['port']}/metrics", trust_env=False).text
            told[line["process"]] = told.get(line["process"], "") + answer
    return told


def logged(text: str) -> list[dict[str, Any]]:
    """The lines of processes; the others are the page that `up` prints."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


@pytest.mark.soak
def test_no_secret_is_logged_or_counted_in_matches_of_bots_and_people(tmp_path: Path) -> None:
    draw = Random(3)
    with up(tmp_path, said=SAID) as service:
        people = [Person(service, name) for name in ("Ann of the logs", "Bob of the logs")]
        opening = {"game": "three-magic", "seats": SEATS, "options": {"laps": 1}}
        match = people[0].http.post("/matches", json=opening).json()["id"]
        for person in people:
            assert person.http.post(f"/matches/{match}/seats").status_code == 200
            person.blunder(match)
        while any(person.step(match, draw) for person in people) or people[0].wait(match):
            pass
        ends(service, service.matches[0])
        told, of_bots = metrics_of(logged(service.said)), service.matches[0]
        assert set(told) == {"web", "worker", "think", "follow", "deliver"}
        for person in people:
            person.http.close()
        assert service.stop() == 0
        text = service.said

    lines = logged(text)
    assert {line["process"] for line in lines} >= {"web", "worker", "think", "follow", "deliver"}
    assert {line["level"] for line in lines} <= {"debug", "info", "warning"}, "nothing failed"
    moves = [line for line in lines if line.get("route") == "/api/matches/{match_id}/moves"]
    assert {line["match"] for line in moves} == {match}, "bots play several in one request"
    assert all(line["request"] and line["status"] and line["seconds"] for line in moves)

    secrets = plain(secrets_of(tmp_path).union(*(person.secrets for person in people)))
    assert len(secrets) > 50
    for where in (text, *told.values()):
        assert [secret for secret in secrets if secret in where.translate(MARKS)] == []
    for where in told.values():
        assert not [name for name in (match, of_bots, "of the logs") if name in where]

    assert 'foldtable_moves_total{game="three-magic"}' in told["web"]
    assert re.search(r'foldtable_refusals_total\{clause="[^"]+",game="three-magic"\} [1-9]', told["web"])
    assert 'foldtable_follower_lag_seconds{follower="bots"}' in told["follow"]
    assert 'foldtable_follower_lag_seconds{follower="statistics"}' in told["follow"]
    assert 'foldtable_follower_behind_events{follower="statistics"}' in told["follow"]
    assert 'foldtable_queue_age_seconds{queue="bots"} 0.0' in told["follow"]
    assert re.search(r'foldtable_bot_seconds_count\{bot="greedy"\} [1-9]', told["worker"])
