"""The door: what two readers could take for different requests is refused, and what is told is told whole."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from gevent import socket, spawn

from service.limits import Addresses
from service.web.door import Caller, Loop
from service.web.head import BODY, HEAD, LINE, Heard, Intake
from service.wording import TITLES

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

GET = "GET /odd HTTP/1.1\r\nHost: here\r\n"
POST = "POST /odd HTTP/1.1\r\nHost: here\r\n"
CHUNKED = f"{POST}Transfer-Encoding: chunked\r\n\r\n"
END = "\r\n\r\n"

ODDITIES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("oddities.toml").read_text(encoding="utf-8"))
"""Requests that two readers could take for different ones, and such as only look like it.

What follows a refused one is never run.
"""


def sent(text: str) -> bytes:
    """What goes over the wire, for a text of the file."""
    for name, beginning in (("{get}", GET), ("{post}", POST), ("{chunked}", CHUNKED)):
        text = text.replace(name, beginning)
    return text.encode("latin-1")


LONG = {
    "a line that is too long": (f"GET /{'a' * 8000} HTTP/1.1\r\nHost: here{END}", 414),
    "a version of many digits": (f"GET /odd HTTP/{'1' * 90}.1\r\nHost: here{END}", 400),
    "a NUL after very many blanks": (f"{GET}X:{' ' * 60_000}\0{END}", 400),
    "more fields than are read": (GET + "\r\n".join(f"X-{number}: 1" for number in range(100)) + END, 400),
    "a field that is too long": (f"{GET}X: {'a' * 70_000}{END}", 431),
    "an extension that is too long": (f"{CHUNKED}5;a={'b' * 300}\r\nhello\r\n0{END}", 400),
    "a field after the body that is too long": (f"{CHUNKED}0\r\nX: {'a' * 70_000}{END}", 431),
}
SHORT = {name: (text, int(status)) for status, rows in ODDITIES["refused"].items() for name, text in rows.items()}

REFUSED = {name: (sent(text), status) for name, (text, status) in (SHORT | LONG).items()}
"""What is sent, and the status of the one answer. The connection is closed then."""

TAKEN = {name: (sent(text), sent(body)) for name, (text, body) in ODDITIES["taken"].items()}
"""What is sent, and the body that is read. Another request may follow on the connection."""

LAST = {name: sent(text) for name, text in ODDITIES["last"].items()}
"""What is sent and answered; nothing more is heard on the connection."""

NEXT = b"GET /next HTTP/1.1\r\nHost: here\r\n\r\n"
BYE = b"GET /next HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"


class Running:
    def __init__(self) -> None:
        self.ran: list[tuple[str, bytes]] = []
        listener = socket.create_server(("127.0.0.1", 0))
        self.address = listener.getsockname()
        self.loop = Loop(listener, self.app, Addresses((), ()), connections=100, patience=30)
        self.loop.start()

    def app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self.ran.append((environ["PATH_INFO"], environ["wsgi.input"].read()))
        if environ["PATH_INFO"] == "/stream":
            start_response("200 OK", [])
            return iter([b""])
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]

    def lines(self, sent: bytes) -> list[bytes]:
        """Of all answers to what is sent, until the connection is closed by the other side."""
        with socket.create_connection(self.address, timeout=30) as caller:
            caller.sendall(sent)
            return b"".join(iter(lambda: caller.recv(1 << 16), b"")).split(b"\r\n")

    def statuses(self, sent: bytes) -> list[int]:
        return [int(line.split(b" ")[1]) for line in self.lines(sent) if b"HTTP/1.1 " in line]


@pytest.fixture
def running() -> Iterator[Running]:
    found = Running()
    yield found
    found.loop.end(1)


@pytest.mark.parametrize("name", REFUSED)
def test_an_odd_request_after_a_good_one_is_refused_and_nothing_after_it_is_run(running: Running, name: str) -> None:
    sent, status = REFUSED[name]
    assert running.statuses(NEXT + sent + NEXT * 2) == [200, status]
    assert running.ran == [("/next", b"")]


@pytest.mark.parametrize("name", TAKEN)
def test_a_strange_request_is_run_once_and_the_next_one_is_heard(running: Running, name: str) -> None:
    sent, body = TAKEN[name]
    assert running.statuses(sent + NEXT + BYE) == [200] * 3
    assert running.ran == [("/odd", body), ("/next", b""), ("/next", b"")]


@pytest.mark.parametrize("name", LAST)
def test_nothing_is_heard_after_the_last_request(running: Running, name: str) -> None:
    assert running.statuses(LAST[name] + NEXT) == [200]
    assert [path for path, _ in running.ran] == ["/odd"]


def test_after_the_head_of_a_stream_comes_the_next_answer(running: Running) -> None:
    head = b"HEAD /stream HTTP/1.1\r\nHost: here\r\n\r\n"
    told = b"\r\n".join(running.lines(head + BYE))
    first, second = told.split(b"\r\n\r\n", 1)
    assert (b"chunked" in first, second[:15]) == (True, b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("name", [name for name, (sent, _) in REFUSED.items() if len(sent) < 1000])
def test_it_is_refused_however_it_is_cut_into_pieces(name: str, size: int) -> None:
    intake, sent = Intake(BODY), REFUSED[name][0] + NEXT
    for begin in range(0, len(sent), size):
        if (heard := intake.add(sent[begin : begin + size])) is not Heard.PART:
            break
    assert heard not in {Heard.PART, Heard.WHOLE}


@pytest.mark.parametrize("code", [*range(0x100), 0x100, 0x3042, 0x2028, 0x1F600, 0xD800])
def test_a_header_is_one_line_whatever_its_value_holds(running: Running, code: int) -> None:
    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Length", "0"), ("X-Said", f"a{chr(code)}b")])
        return [b""]

    running.loop.application = app
    lines = running.lines(BYE)
    assert len(lines) == 6, "the status, three headers, an empty line and nothing"
    (said,) = (line.removeprefix(b"X-Said: ") for line in lines if line.startswith(b"X-Said"))
    assert re.fullmatch(rb"a(%[0-9A-F]{2}|[\t -~\x80-\xff])+b", said)


def test_an_answer_tells_when_it_was_given(running: Running) -> None:
    begun = datetime.now(UTC).replace(microsecond=0)
    dates = [line.removeprefix(b"Date: ").decode() for line in running.lines(NEXT + BYE) if line.startswith(b"Date: ")]
    assert len(dates) == 2
    assert all(begun <= parsedate_to_datetime(date) <= datetime.now(UTC) for date in dates)


def test_who_sends_too_much_is_told_so_in_their_language_and_who_asks_first_is_told_to_go_on(running: Running) -> None:
    head = b"POST /odd HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: %d\r\n"
    *_, body = running.lines(head % 15_000_000 + b"Accept-Language: ja\r\n\r\n{")
    assert json.loads(body)["title"] == TITLES["ja"][413]
    with socket.create_connection(running.address, timeout=30) as caller:
        caller.sendall(head % 5 + b"Expect: 100-continue\r\n\r\n")
        assert caller.recv(1 << 16) == b"HTTP/1.1 100 Continue\r\n\r\n"
        caller.sendall(b"hello")
        assert caller.recv(12) == b"HTTP/1.1 200"
    assert running.ran == [("/odd", b"hello")]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\n%s\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: 1\r\n%s\r\nX y: 2\r\n\r\n", 400),
        (b"GET /" + b"a" * LINE + b" HTTP/1.1\r\n%s\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\n%s\r\nX: " + b"a" * HEAD, 431),
        (b"GET / HTTP/1.1\r\n%s\r\nX: ", 408),
    ],
)
def test_a_refusal_before_the_head_is_parsed_is_in_its_language(running: Running, sent: bytes, status: int) -> None:
    running.loop.patience = 0.5
    for field, lang in ((b"ACCEPT-Language: fr, ja;q=0.5", "ja"), (b"X-Accept-Language: ja", "en")):
        first, *_, body = running.lines(sent % field)
        assert first.startswith(b"HTTP/1.1 %d " % status)
        assert json.loads(body)["title"] == TITLES[lang][status]


def beside(ours: socket.socket) -> Caller:
    """A connection in the middle of an answer, of a server that listens nowhere."""
    with socket.socket() as listener:
        caller = Caller(ours, None, Loop(listener, None, Addresses((), ()), connections=10, patience=30))
    caller.response_length, caller.code = 0, 200
    return caller


def test_what_the_system_does_not_take_at_once_is_told_all_the_same() -> None:
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    caller, data = beside(ours), bytes(range(256)) * 4096
    with theirs:
        reading = spawn(lambda: b"".join(iter(lambda: theirs.recv(1 << 16), b"")))
        caller._sendall(b"first")
        caller._sendall(data)
        ours.close()
        assert reading.get(timeout=30) == b"first" + data
    assert caller.response_length == len(data) + 5


def test_who_has_hung_up_is_told_nothing() -> None:
    ours, theirs = socket.socketpair()
    caller = beside(ours)
    theirs.close()
    with ours, pytest.raises(BrokenPipeError):
        caller._sendall(b"nobody there")
    assert caller.code == -200, "as gevent notes it"
