"""The web process with many who wait, send slowly, do not listen or do not hang up: the others are served meanwhile."""

from __future__ import annotations

import json
import re
import select
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.service.run.uprun import until
from tests.service.web.test_server import serving

pytestmark = pytest.mark.faults

SEATS = [{"bot": "random"}] * 3
WAIT = "GET /api/matches/{match}?wait=30 HTTP/1.1\r\nHost: here\r\nIf-None-Match: {tag}\r\n\r\n"


class Guest(httpx2.Client):
    """Somebody who asks one thing after the other, on one connection."""

    def __init__(self, address: tuple[str, int], token: str = "") -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        super().__init__(base_url="http://{}:{}/api".format(*address), headers=headers, trust_env=False, timeout=60)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json()


class House:
    """The web process, an opener of matches, and the workers' hand."""

    def __init__(self, address: tuple[str, int], data: Path, stack: ExitStack) -> None:
        self.address = address
        self._stack = stack
        self.person = self.guest(self.guest().ask("POST", "/players", {"name": "Ann"})["token"])
        self.worker = self.guest((data / "worker-token").read_text())

    def guest(self, token: str = "") -> Guest:
        return self._stack.enter_context(Guest(self.address, token))

    def open(self) -> str:
        opened = self.person.ask("POST", "/matches", {"game": "three-magic", "seats": SEATS})
        return str(opened["id"])

    def choice(self, match: str) -> dict[str, Any]:
        (due, *_) = self.worker.ask("GET", f"/matches/{match}/bots")["decisions"]
        now = self.worker.ask("GET", f"/matches/{match}/moves?seat={due['seat']}")
        return {"seat": due["seat"], "decision": now["decision"], "id": now["moves"][0]["id"]}

    def version(self, match: str) -> int:
        return int(self.person.ask("GET", f"/matches/{match}")["version"])

    def move(self, match: str) -> int:
        """A bot moves: the version of the match before."""
        move, before = self.choice(match), self.version(match)
        self.worker.ask("POST", f"/matches/{match}/moves", move)
        return before

    def send(self, text: str, buffer: int = 0) -> socket.socket:
        """Somebody who says that, whether it is a request or not. `buffer`: bytes that may wait for them."""
        caller = socket.socket()
        self._stack.callback(caller.close)
        caller.settimeout(30)
        if buffer:
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        caller.connect(self.address)
        caller.sendall(text.encode())
        return caller

    def tag(self, match: str) -> str:
        """What a stranger has seen of it."""
        return str(self.guest().get(f"/matches/{match}").headers["ETag"])


def heard(caller: socket.socket) -> tuple[int, str]:
    text = b""
    while (end := text.find(b"\r\n\r\n")) < 0:
        more = caller.recv(1 << 16)
        assert more, f"hung up after {text!r}"
        text += more
    length = re.search(rb"content-length: (\d+)", text[:end], re.IGNORECASE)
    wanted = end + 4 + int(length.group(1) if length else 0)
    while len(text) < wanted:
        text += caller.recv(1 << 16)
    return int(text.split(b" ", 2)[1]), text.decode()


def body_of(text: str) -> Any:
    return json.loads(text.partition("\r\n\r\n")[2])


def told(callers: list[socket.socket], most: int = 0) -> list[socket.socket]:
    """Those that are told something, or hung up on. `most`: milliseconds until somebody is."""
    poll, by_file = select.poll(), {caller.fileno(): caller for caller in callers}
    for number in by_file:
        poll.register(number, select.POLLIN)
    return [by_file[number] for number, _ in poll.poll(most)]


def others_than_304(callers: list[socket.socket], ask: str, most: int = 1000) -> list[tuple[socket.socket, int, str]]:
    """Who has been told something, and what; who has waited their time out in vain waits on.

    `most`: milliseconds until somebody is told.
    """
    found = []
    for caller in told(callers, most):
        status, text = heard(caller)
        if status == 304:
            caller.sendall(ask.encode())
        else:
            found.append((caller, status, text))
    return found


def are_told(callers: list[socket.socket], ask: str, before: int) -> bool:
    """Whether all of them have been told that the match has moved on from there; who has is taken out."""
    for caller, status, text in others_than_304(callers, ask):
        assert (status, body_of(text)["version"] > before) == (200, True)
        callers.remove(caller)
    return not callers


def reached(url: str, data: Path, stack: ExitStack) -> House:
    host, _, port = url.rpartition("/")[2].partition(":")
    return House((host, int(port)), data, stack)


@contextmanager
def house(data: Path, patience: int = 3) -> Iterator[House]:
    with serving(data, FOLDTABLE_PATIENCE=str(patience)) as (_, url), ExitStack() as stack:
        yield reached(url, data, stack)


@pytest.mark.parametrize("waiters", [pytest.param(50, marks=pytest.mark.soak), 300])
def test_each_who_waits_is_told_when_their_match_moves_on_and_not_before(tmp_path: Path, waiters: int) -> None:
    with house(tmp_path) as here:
        matches = [here.open() for _ in range(10)]
        asks = {match: WAIT.format(match=match, tag=here.tag(match)) for match in matches}
        waiting = {match: [here.send(ask) for _ in range(waiters // 10)] for match, ask in asks.items()}
        playing = here.open()
        for _ in range(20):
            here.move(playing)
        assert [others_than_304(callers, asks[match], 0) for match, callers in waiting.items()] == [[]] * 10
        while waiting:
            match, callers = waiting.popitem()
            before = here.move(match)
            until(partial(are_told, [*callers], asks[match], before), "they are told")
            assert not any(others_than_304(callers, asks[match], 0) for match, callers in waiting.items())
            callers[0].sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
            assert heard(callers[0])[0] == 200, "and may go on asking"


def test_who_asks_without_a_pause_lets_the_others_have_their_turn(tmp_path: Path) -> None:
    ask, times = "GET /healthz HTTP/1.1\r\nHost: here\r\nX-Request-ID: {}\r\n\r\n", 200
    with serving(tmp_path, FOLDTABLE_LOG="debug") as (process, url), ExitStack() as stack:
        here = reached(url, tmp_path, stack)
        # both have asked before either is answered
        process.send_signal(signal.SIGSTOP)
        here.send(ask.format("eager") * times)
        other = here.send(ask.format("other"))
        process.send_signal(signal.SIGCONT)
        assert heard(other)[0] == 200
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        before = [line for line in takewhile(lambda line: '"request":"other"' not in line, lines) if '"eager"' in line]
        assert 0 < len(before) < times // 2


@pytest.mark.soak
def test_who_plays_does_not_wait_for_those_who_log_in(tmp_path: Path) -> None:
    count, login = 50, {"login": "ann", "password": "correct horse battery"}
    with house(tmp_path, 60) as here, ThreadPoolExecutor(count) as threads:
        here.person.ask("POST", "/players", {"name": "Ann", **login})
        match, moves = here.open(), 0
        logins = [threads.submit(here.guest().post, "/sessions", json=login) for _ in range(count)]
        while not all(one.done() for one in logins):
            here.move(match)
            moves += 1
        assert {one.result().status_code for one in logins} == {201}
        # on the loop there is time for one request between two logins, and a move takes four
        assert moves > count / 3


HEAD = "POST /api/players HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 15\r\n"
HALVES = ["G", "GET /api/games HTTP/1.1\r\nHost:", HEAD, f"{HEAD}\r\n", f'{HEAD}\r\n{{"name": "Bo']


def test_who_sends_half_does_not_hang_up_or_does_not_listen_holds_up_nobody(tmp_path: Path) -> None:
    with house(tmp_path) as here:
        match = here.open()
        slow = here.send("")
        halves = [here.send(HALVES[number % len(HALVES)]) for number in range(1000)]
        for _ in range(20):
            here.move(match)
        for byte in f'{HEAD}\r\n{{"name": "Eve"}}':
            slow.sendall(byte.encode())
        assert heard(slow)[0] == 201, "who sends slowly, but in time, is answered"
        for half in halves:
            status, text = heard(half)
            assert (status, body_of(text)["code"]) == (408, "request-timeout")
            assert half.recv(1) == b"", "and hung up on"
        here.move(match)
        # nor does one that follows another
        whole = "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"
        halves = [here.send(whole + HALVES[number % len(HALVES)]) for number in range(40)]
        assert {heard(half)[0] for half in halves} == {200}
        here.move(match)
        assert {heard(half)[0] for half in halves} == {408}
        assert here.send(whole + whole).recv(1) == b"H"
        # nor who does not hang up
        close = "GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
        silent = [here.send(close) for _ in range(100)]
        for _ in range(20):
            here.move(match)
        assert {heard(caller)[0] for caller in silent} == {200}
        # nor who does not listen
        many = "GET /api/games/terraformers/rules HTTP/1.1\r\nHost: here\r\n\r\n" * 400
        deaf = [here.send(many, buffer=4096) for _ in range(40)]
        for _ in range(100):
            here.move(match)
        assert len(told(deaf)) == 40
