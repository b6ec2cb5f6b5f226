"""Two web processes on one socket and one store: what one of them did holds for the other at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.service.web.test_streams import two_processes

pytestmark = pytest.mark.faults

SEATS = [{"bot": "random"}] * 3


class Process:
    """One of the web processes, on a connection that stays with it."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self.tag = ""
        """The ETag of the last answer."""

    def close(self) -> None:
        self._connection.close()

    def ask(self, method: str, path: str, body: Any = None, token: str = "", **headers: str) -> tuple[int, Any]:
        """Status and JSON of the answer."""
        said = {"Content-Type": "application/json", **headers}
        if token:
            said["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body)
        self._connection.request(method, f"/api{path}", data, said)
        answer = self._connection.getresponse()
        text = answer.read()
        self.tag = answer.headers.get("ETag", "")
        return answer.status, json.loads(text) if text else None


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Process, Process]]:
    """A connection to each of two processes."""
    with two_processes(tmp_path) as ports, closing(Process(ports[0])) as first, closing(Process(ports[1])) as second:
        yield first, second


def sign_up(process: Process) -> str:
    status, answer = process.ask("POST", "/players", {"name": "Ann"})
    assert status == 201
    return str(answer["token"])


def test_who_logs_out_at_one_or_has_another_password_is_out_at_the_other_at_once(two: tuple[Process, Process]) -> None:
    first, second = two
    said = {"name": "Ann", "login": "ann", "password": "correct horse battery"}
    assert first.ask("POST", "/players", said)[0] == 201
    login = {"login": "ann", "password": said["password"]}
    one, other, third = (process.ask("POST", "/sessions", login)[1]["token"] for process in (first, second, first))
    for token in (one, other, third):
        assert {process.ask("GET", "/me", token=token)[0] for process in two for _ in range(2)} == {200}
    assert first.ask("DELETE", "/sessions", token=one)[0] == 204
    assert {process.ask("GET", "/me", token=one)[0] for process in two} == {401}
    change = {"old": said["password"], "new": "another horse"}
    assert second.ask("POST", "/me/password", change, other)[0] == 204
    assert [process.ask("GET", "/me", token=third)[0] for process in two] == [401, 401]
    assert [process.ask("GET", "/me", token=other)[0] for process in two] == [200, 200]


def test_a_match_is_played_through_both_by_turns(two: tuple[Process, Process], tmp_path: Path) -> None:
    ann = sign_up(two[0])
    worker = (tmp_path / "worker-token").read_text()
    match = two[1].ask("POST", "/matches", {"game": "three-magic", "seats": SEATS}, ann)[1]["id"]
    for number in range(40):
        one, other = two[number % 2], two[1 - number % 2]
        (due, *_) = one.ask("GET", f"/matches/{match}/bots", token=worker)[1]["decisions"]
        now = other.ask("GET", f"/matches/{match}/moves?seat={due['seat']}", token=worker)[1]
        move = {"seat": due["seat"], "decision": now["decision"], "id": now["moves"][0]["id"]}
        status, moved = one.ask("POST", f"/matches/{match}/moves", move, worker, **{"Idempotency-Key": str(number)})
        assert status == 200, moved
        again = other.ask("POST", f"/matches/{match}/moves", move, worker, **{"Idempotency-Key": str(number)})
        assert (again[0], again[1]["events"]) == (200, moved["events"]), "sent again to the other it is one move"
        assert other.ask("POST", f"/matches/{match}/moves", move, worker)[0] == 409
    versions = {process.ask("GET", f"/matches/{match}")[1]["version"] for process in two}
    assert len(versions) == 1


def test_one_key_given_to_both_at_once_opens_one_match(two: tuple[Process, Process]) -> None:
    ann, wanted = sign_up(two[0]), {"game": "three-magic", "seats": SEATS}
    with ThreadPoolExecutor(2) as pool:
        for number in range(8):
            asked = [
                pool.submit(process.ask, "POST", "/matches", wanted, ann, **{"Idempotency-Key": f"open-{number}"})
                for process in two
            ]
            answers = [one.result() for one in asked]
            assert {status for status, _ in answers} == {201}, answers
            assert len({answer["id"] for _, answer in answers}) == 1


def test_who_waits_at_one_is_told_what_the_other_wrote(two: tuple[Process, Process], tmp_path: Path) -> None:
    first, second = two
    ann = sign_up(first)
    worker = (tmp_path / "worker-token").read_text()
    match = first.ask("POST", "/matches", {"game": "three-magic", "seats": SEATS}, ann)[1]["id"]
    before = first.ask("GET", f"/matches/{match}")[1]["version"]
    with ThreadPoolExecutor(1) as pool:
        # by its tag it is told of the move also when it comes after it
        known = {"If-None-Match": first.tag}
        waiting = pool.submit(first.ask, "GET", f"/matches/{match}?wait=30", **known)
        (due, *_) = second.ask("GET", f"/matches/{match}/bots", token=worker)[1]["decisions"]
        now = second.ask("GET", f"/matches/{match}/moves?seat={due['seat']}", token=worker)[1]
        begun = monotonic()
        sleep(0.3)
        assert not waiting.done()
        move = {"seat": due["seat"], "decision": now["decision"], "id": now["moves"][0]["id"]}
        assert second.ask("POST", f"/matches/{match}/moves", move, worker)[0] == 200
        assert waiting.result(60)[1]["version"] > before
        assert monotonic() - begun < 25, "before the time was up: by the slow look, as there is no Redis here"
