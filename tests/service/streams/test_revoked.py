"""Whoever waits by a token or a link that holds no longer is told so, whichever process it was revoked in."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex

import pytest

from service.run.redis_server import RedisServer
from tests.service.run.callers import Caller
from tests.service.web.test_server import serving

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]

SOON = 9
"""Seconds until nothing more is waited for: less than a sign of life takes, and than a poll waits."""

PASSWORD = "a long enough one"
OPENED = {"game": "three-magic", "seats": [None, None, None]}


class Person(Caller):
    """Somebody who asks web processes on one store."""

    def __init__(self, urls: tuple[str, ...], stack: ExitStack) -> None:
        self.login = f"ann{token_hex(8)}"
        super().__init__(urls[0], "Ann", login=self.login, password=PASSWORD)
        stack.callback(self.close)
        self.urls = urls
        self._stack = stack
        # another's match: it goes on whoever leaves
        with closing(Caller(urls[0], "Bob")) as bob:
            self.match = bob.post("/matches", OPENED)["id"]

    def waiting(self, token: str, link: str = "") -> list[socket.socket]:
        """Streams and polls under that token, two of each in each process; by a link, those that it opens."""
        found = []
        for url in self.urls:
            host, _, port = url.rpartition("/")[2].partition(":")
            mine = (("/me/events", "application/x-ndjson"), ("/me/turns?wait=30", "application/json"))
            for path, form in (
                (f"/matches/{self.match}/events?link={link}", "text/event-stream"),
                (f"/matches/{self.match}?wait=30&link={link}", "application/json"),
                *(() if link else mine),
            ):
                caller = self._stack.enter_context(socket.create_connection((host, int(port)), timeout=SOON))
                bearer = f"Authorization: Bearer {token}\r\n" if token else ""
                head = f"GET /api{path} HTTP/1.1\r\nHost: here\r\n{bearer}"
                caller.sendall(f"{head}Connection: close\r\nAccept: {form}\r\n\r\n".encode())
                if "wait" not in path:
                    assert caller.recv(12) == b"HTTP/1.1 200"
                found.append(caller)
        return found


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    data: Path = tmp_path_factory.mktemp("revoked")
    with serving(data) as (_, one), serving(data) as (_, other):
        yield one, other


def rest(caller: socket.socket) -> str:
    """All that is told until the other side hangs up."""
    return b"".join(iter(lambda: caller.recv(1 << 16), b"")).decode()


def goes_on(caller: socket.socket) -> bool:
    """Whether the other side has not hung up."""
    caller.setblocking(False)
    try:
        while caller.recv(1 << 16):
            pass
    except BlockingIOError:
        return True
    return False


def revoked(ann: Person) -> tuple[str, Callable[[], object]]:
    given = ann.post("/me/tokens", {"name": "bot"})
    return given["token"], lambda: ann.ask("DELETE", f"/me/tokens/{given['id']}")


def expired(ann: Person) -> tuple[str, Callable[[], object]]:
    at = (datetime.now(UTC) + timedelta(seconds=4)).isoformat()
    return ann.post("/me/tokens", {"name": "bot", "expires": at})["token"], lambda: None


def signed_out(ann: Person) -> tuple[str, Callable[[], object]]:
    session = ann.post("/sessions", {"login": ann.login, "password": PASSWORD})["token"]
    return session, lambda: ann.post("/me/password", {"old": PASSWORD, "new": f"{PASSWORD}!"})


def closed(ann: Person) -> tuple[str, Callable[[], object]]:
    token = ann.post("/me/tokens", {"name": "bot"})["token"]
    return token, lambda: ann.ask("DELETE", "/me", {"confirm": ann.id, "password": PASSWORD})


@pytest.mark.parametrize(
    "way", [revoked, *(pytest.param(way, marks=pytest.mark.soak) for way in (expired, signed_out, closed))]
)
def test_whoever_waits_by_a_token_that_ends_is_told_so_in_every_process(
    urls: tuple[str, str], way: Callable[[Person], tuple[str, Callable[[], object]]]
) -> None:
    with ExitStack() as stack:
        ann = Person(urls, stack)
        token, end = way(ann)
        kept = ann.waiting(ann.token) if way is revoked else []
        waiting = ann.waiting(token)
        end()
        code = "token-expired" if way is expired else "unknown-token"
        for caller in waiting:
            assert code in rest(caller)
        assert all(map(goes_on, kept))


def test_whoever_came_by_a_link_is_told_in_another_process_that_it_is_void(tmp_path: Path, server: RedisServer) -> None:
    redis = {"FOLDTABLE_REDIS": server.url}
    with serving(tmp_path, **redis) as (_, one), ExitStack() as stack:
        ann = Person((one,), stack)
        ann.match = ann.post("/matches", {**OPENED, "visibility": "link"})["id"]
        link = ann.get(f"/matches/{ann.match}/link")["token"]
        # it begins when the match is there, so that it does not look for it by itself
        _, other = stack.enter_context(serving(tmp_path, **redis))
        ann.urls = (other,)
        kept, waiting = ann.waiting(ann.token), ann.waiting("", link)
        ann.post(f"/matches/{ann.match}/link")
        for caller in waiting:
            assert "unknown-match" in rest(caller)
        assert all(map(goes_on, kept))
