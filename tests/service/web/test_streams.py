"""Streams of real web processes: many readers, slow readers, a stop; and two processes on one store.

What one of the two did holds for the other at once.
"""

from __future__ import annotations

import json
import re
import select
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from service.run.redis_server import RedisServer
from tests.service.run.redisrun import running
from tests.service.run.uprun import until
from tests.service.web.test_many_at_once import SEATS, WAIT, House, house, reached
from tests.service.web.test_server import serving

pytestmark = pytest.mark.faults

NDJSON, SSE = "application/x-ndjson", "text/event-stream"


def asked(path: str, form: str = SSE, last: str = "") -> str:
    more = f"Last-Event-ID: {last}\r\n" if last else ""
    return f"GET /api{path} HTTP/1.1\r\nHost: here\r\nAccept: {form}\r\n{more}\r\n"


class Reader:
    def __init__(self, caller: socket.socket) -> None:
        self.caller = caller
        self.raw = b""

    @property
    def body(self) -> bytes:
        """What was told, out of the chunks that have come whole."""
        head, _, rest = self.raw.partition(b"\r\n\r\n")
        assert not head or head.startswith(b"HTTP/1.1 200"), self.raw
        found = b""
        while (end := rest.find(b"\r\n")) >= 0:
            size = int(rest[:end], 16)
            if size == 0 or len(rest) < end + 2 + size + 2:
                break
            found += rest[end + 2 : end + 2 + size]
            rest = rest[end + 2 + size + 2 :]
        return found

    @property
    def ids(self) -> list[str]:
        return re.findall(r"^id: (.*)$", self.body.decode(), re.MULTILINE)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in re.findall(r"^(?:data: )?(\{.*\})$", self.body.decode(), re.MULTILINE)]

    def until(self, count: int, seconds: float = 20) -> list[Any]:
        end = monotonic() + seconds
        while len(self.lines) < count:
            self.caller.settimeout(max(0.001, end - monotonic()))
            more = self.caller.recv(1 << 16)
            assert more, f"hung up after {self.raw!r}"
            self.raw += more
        return self.lines

    def rest(self) -> list[Any]:
        while not self.raw.endswith(b"0\r\n\r\n"):
            more = self.caller.recv(1 << 16)
            if not more:
                break
            self.raw += more
        return self.lines


def stream(here: House, path: str, form: str = SSE, last: str = "", buffer: int = 0) -> Reader:
    return Reader(here.send(asked(path, form, last), buffer))


def test_a_reader_that_does_not_read_holds_up_nobody_and_is_dropped(tmp_path: Path) -> None:
    with house(tmp_path, 1) as here:
        match = here.open()
        path = f"/matches/{match}/events"
        for _ in range(40):
            here.move(match)
        deaf = [stream(here, path, buffer=4096) for _ in range(6)]
        quick = stream(here, path)
        version = here.version(match)
        assert quick.until(version)
        for _ in range(5):
            here.move(match)
        sleep(1.5)
        version = here.version(match)
        quick.until(version)
        dropped = 0
        for reader in deaf:
            reader.caller.settimeout(1)
            try:
                told = len(reader.rest())
            except (ConnectionError, TimeoutError):
                told = len(reader.lines)
            # what came whole is in order and without a gap: from there it goes on
            assert reader.ids == [str(number) for number in range(1, told + 1)]
            if told < version:
                dropped += 1
                assert len(stream(here, path, last=str(told)).until(version - told)) == version - told
        assert dropped, "their buffers were full"


def test_a_stop_ends_streams_with_their_last_version(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, url), ExitStack() as stack:
        here = reached(url, tmp_path, stack)
        match = here.open()
        reader = stream(here, f"/matches/{match}/events")
        version = here.version(match)
        reader.until(version)
        process.send_signal(signal.SIGTERM)
        # what is under way beside the loop comes to its end before
        assert reader.rest()[-1] == {"end": {"why": "stopping", "after": version}}
        begun = monotonic()
        assert reader.raw.endswith(b"0\r\n\r\n"), "it ends as an answer does"
        assert process.wait(30) == 0
        assert monotonic() - begun < 5


def test_who_hangs_up_gives_their_place_back(tmp_path: Path) -> None:
    said = {f"FOLDTABLE_LIMIT_{name}_BY_ADDRESS": "2" for name in ("STREAMS", "WAITS")}
    said["FOLDTABLE_LIMIT_EXEMPT"] = ""
    with serving(tmp_path, **said) as (_, url), ExitStack() as stack:
        here = reached(url, tmp_path, stack)
        match = here.open()
        wait = WAIT.format(match=match, tag=here.tag(match))
        for ask, is_told in ((asked(f"/matches/{match}/events"), True), (wait, False)):
            readers = [here.send(ask) for _ in range(2)]
            for reader in readers if is_told else ():
                assert reader.recv(1 << 16).startswith(b"HTTP/1.1 200")

            def is_refused(ask: str = ask) -> bool:
                """Whether one more is refused; who may wait or read is told nothing for a while, or at once."""
                with here.send(ask) as caller:
                    if not select.select([caller], (), (), 0.5)[0]:
                        return False
                    head = caller.recv(1 << 16)
                assert head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 429"))
                assert head.startswith(b"HTTP/1.1 200") or b"retry-after" in head.lower()
                return head.startswith(b"HTTP/1.1 429")

            until(is_refused, "there is no place")
            readers[0].close()
            until(lambda: not is_refused(), "the place was given back")


@contextmanager
def two(data: Path, **said: str) -> Iterator[tuple[House, House]]:
    """Two web processes on one store: each has a port of its own, so that it is known which is which."""
    with serving(data, **said) as (_, one), serving(data, **said) as (_, other), ExitStack() as stack:
        yield reached(one, data, stack), reached(other, data, stack)


def elsewhere(first: House, second: House, moves: int) -> list[float]:
    """In how many seconds readers at one process are told what the other wrote, move by move, all of them the same."""
    match = first.open()
    readers = [stream(first, f"/matches/{match}/events", form) for form in (SSE, NDJSON) * 10]
    known = first.version(match)
    for reader in readers:
        reader.until(known)
    took = []
    for _ in range(moves):
        second.move(match)
        begun = monotonic()
        known = second.version(match)
        for reader in readers:
            reader.until(known)
        took.append(monotonic() - begun)
    whole = second.person.ask("GET", f"/matches/{match}/events?limit=1000")["events"]
    assert all(reader.lines == whole for reader in readers)
    return took


def test_what_another_process_writes_is_told_at_once_by_redis_and_soon_without(tmp_path: Path, store_url: str) -> None:
    server = RedisServer(tmp_path)
    said = {"FOLDTABLE_STORE": store_url} if store_url else {}
    with running(server), two(tmp_path, FOLDTABLE_REDIS=server.url, **said) as both:
        # a machine that has much else to do may take longer, but not each time. Told by the slow look alone, the next
        # move would follow it at once, and wait for the next look: but for the first each would take some 2.5 s
        assert min(elsewhere(*both, 5)[1:]) < 1, "some 50 ms"
    server.clear()
    with two(tmp_path, **said) as both:
        assert elsewhere(*both, 1)[0] < 10, "and not with a sign of life"


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[House, House]]:
    with two(tmp_path) as houses:
        yield houses


def test_who_logs_out_at_one_or_has_another_password_is_out_at_the_other_at_once(both: tuple[House, House]) -> None:
    first, second = both
    login = {"login": "ann", "password": "correct horse battery"}
    first.person.ask("POST", "/players", {"name": "Ann", **login})
    sessions = [house.guest().ask("POST", "/sessions", login)["token"] for house in (first, second, first)]

    def statuses(token: str) -> list[int]:
        return [house.guest(token).get("/me").status_code for house in both for _ in range(2)]

    assert [statuses(token) for token in sessions] == [[200] * 4] * 3
    one, other, third = sessions
    assert first.guest(one).delete("/sessions").status_code == 204
    assert statuses(one) == [401] * 4
    change = {"old": login["password"], "new": "another horse"}
    assert second.guest(other).post("/me/password", json=change).status_code == 204
    assert [statuses(token) for token in (third, other)] == [[401] * 4, [200] * 4]


def test_a_match_is_played_through_both_by_turns_and_one_key_counts_once(both: tuple[House, House]) -> None:
    match = both[1].open()
    path = f"/matches/{match}/moves"
    for number in range(40):
        one, other = both[number % 2], both[1 - number % 2]
        move, key = other.choice(match), {"Idempotency-Key": str(number)}
        moved, again = (who.worker.post(path, json=move, headers=key) for who in (one, other))
        assert (moved.status_code, again.status_code) == (200, 200), moved.text
        assert again.json()["events"] == moved.json()["events"], "sent again to the other it is one move"
        assert other.worker.post(path, json=move).status_code == 409
    assert both[0].version(match) == both[1].version(match)
    token = both[0].guest().ask("POST", "/players", {"name": "Bob"})["token"]
    callers, wanted = [house.guest(token) for house in both], {"game": "three-magic", "seats": SEATS}
    with ThreadPoolExecutor(2) as pool:
        for number in range(8):
            key = {"Idempotency-Key": f"open-{number}"}
            asked = [pool.submit(caller.post, "/matches", json=wanted, headers=key) for caller in callers]
            answers = [one.result() for one in asked]
            assert {answer.status_code for answer in answers} == {201}
            assert len({answer.json()["id"] for answer in answers}) == 1
