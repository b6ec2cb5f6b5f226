"""The door, from its other side: what is said there in strange ways has one answer, and no second one."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection
from pathlib import Path

import pytest
from gevent import spawn
from gevent.socket import socketpair

from service.limits import Addresses
from service.web.door import Caller, Loop
from tests.service.web.test_server import serving

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    data: Path = tmp_path_factory.mktemp("door")
    with serving(data) as (_, url):
        host, _, port = url.rpartition("/")[2].partition(":")
        yield host, int(port)


def test_an_answer_tells_when_it_was_given(address: tuple[str, int]) -> None:
    begun = datetime.now(UTC).replace(microsecond=0)
    with closing(HTTPConnection(*address, timeout=30)) as caller:
        for _ in range(2):
            caller.request("GET", "/api/openapi.json")
            answer = caller.getresponse()
            assert json.load(answer)["openapi"] == "3.1.0"
            (date,) = answer.headers.get_all("Date") or []
            assert begun <= parsedate_to_datetime(date) <= datetime.now(UTC)


def beside(ours: socket.socket) -> Caller:
    """A connection in the middle of an answer, of a server that listens nowhere."""
    with closing(socket.socket()) as listener:
        caller = Caller(ours, None, Loop(listener, None, Addresses((), ()), connections=10, patience=30))
    caller.response_length, caller.code = 0, 200
    return caller


def test_what_the_system_does_not_take_at_once_is_told_all_the_same() -> None:
    ours, theirs = socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    caller, data = beside(ours), bytes(range(256)) * 4096
    with closing(theirs):
        reading = spawn(lambda: b"".join(iter(lambda: theirs.recv(1 << 16), b"")))
        caller._sendall(b"first")
        caller._sendall(data)
        ours.close()
        assert reading.get(timeout=30) == b"first" + data
    assert caller.response_length == len(data) + 5


def test_who_has_hung_up_is_told_nothing() -> None:
    ours, theirs = socketpair()
    caller = beside(ours)
    theirs.close()
    with closing(ours), pytest.raises(BrokenPipeError):
        caller._sendall(b"nobody there")
    assert caller.code == -200, "as gevent notes it"
