"""People who play over HTTP whatever happens to the service: they ask again, with the same key, until they are told."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from threading import Event, Thread
from time import monotonic
from typing import Any

import httpx2
import msgspec

from events.receipts import Receipt
from tests.service.run.uprun import DEADLINE

AGAIN = (429, 503)
"""What is asked again, as whatever was not answered is."""

BY_BOTS = {"game": "magicative", "seats": [{"bot": "random"}, {"bot": "greedy"}]}
"""What bots play: a short match, since all of them are waited for in the end."""

PAUSE = 0.05
"""Seconds until it is asked again."""


HANGS_UP = 0.1
"""How often a request is sent, cut off, and sent again."""

PAIRS = 4

GAMES = (
    {"game": "magicative", "seats": [None, None]},
    {"game": "three-magic", "seats": [None, None, {"bot": "random"}], "options": {"laps": 1}},
)
"""What people play: with open answers, and with answers under seal and a bot."""


class Acked(msgspec.Struct, frozen=True):
    match: str
    seat: int
    decision: int
    receipt: Receipt
    """For the last event that it brought about, or for the seat's private log."""


class Caller:
    def __init__(self, url: str, name: str) -> None:
        self.client = httpx2.Client(base_url=f"{url}/api", trust_env=False, timeout=DEADLINE / 4)
        self.refused: list[str] = []
        """Codes of what was asked again."""
        self.cut = 0
        """How often there was no answer."""
        self.token = ""
        player = self.ask("POST", "/players", {"name": name}, key=f"sign-up-{random.getrandbits(64)}")
        self.id, self.token = player["id"], player["token"]

    def close(self) -> None:
        self.client.close()

    def headers(self, key: str = "") -> dict[str, str]:
        said = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return said | ({"Idempotency-Key": key} if key else {})

    def ask(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """The answer's JSON, asked for until there is one."""
        end = monotonic() + DEADLINE
        while True:
            assert monotonic() < end, f"no answer to {method} {path}; refused were {self.refused}"
            try:
                answer = self.client.request(method, path, json=body, headers=self.headers(key))
            except httpx2.TransportError:
                self.cut += 1
            else:
                if answer.is_success:
                    return answer.json()
                assert answer.status_code in AGAIN, f"{method} {path} {body}: {answer.status_code} {answer.text}"
                self.refused.append(answer.json()["code"])
            Event().wait(PAUSE)

    def post(self, path: str, body: Any = None) -> Any:
        """The answer to what is asked for once; asked again it may be done again."""
        return self.ask("POST", path, body)

    def get(self, path: str) -> Any:
        return self.ask("GET", path)

    def hang_up(self, path: str, body: Any, key: str) -> None:
        """Ask, on a connection that is closed before there is an answer."""
        base = self.client.base_url
        said = msgspec.json.encode(body)
        head = {"Host": base.netloc.decode(), "Content-Type": "application/json", "Content-Length": str(len(said))}
        head |= self.headers(key)
        lines = [f"POST {base.path}{path.removeprefix('/')} HTTP/1.1", *(f"{name}: {head[name]}" for name in head)]
        with suppress(OSError), socket.create_connection((base.host, base.port or 80)) as one:
            one.sendall("\r\n".join([*lines, "", ""]).encode() + said)


class Pair(Thread):
    """Two who play one match after the other, with a bot or without, and have bots play others."""

    def __init__(self, url: str, seed: int, stop: Event) -> None:
        super().__init__(name=f"pair-{seed}")
        self.people = [Caller(url, name) for name in ("Ann", "Bob")]
        self.acked: list[Acked] = []
        self.opened: list[str] = []
        self.of_bots: list[str] = []
        self.error: BaseException | None = None
        self._draw = random.Random(seed)
        self._stop_asked = stop
        self._keys = count(1)

    def run(self) -> None:
        try:
            while not self._stop_asked.is_set():
                self._open(self.people[0], BY_BOTS, self.of_bots)
                for game in GAMES:
                    match = self._open(self.people[1], game, self.opened)
                    for seat, one in enumerate(self.people):
                        one.ask("POST", f"/matches/{match}/seats", {"seat": seat}, self._key())
                    self._play(match)
        except BaseException as error:
            self.error = error
        finally:
            for one in self.people:
                one.close()

    def _key(self) -> str:
        return f"key-{next(self._keys)}"

    def _open(self, who: Caller, wanted: Any, kept: list[str]) -> str:
        match: str = who.ask("POST", "/matches", wanted, self._key())["id"]
        kept.append(match)
        return match

    def _play(self, match: str) -> None:
        """Until it is over, or it is enough."""
        while not self._stop_asked.is_set():
            turns = [(seat, self.people[seat].ask("GET", f"/matches/{match}/moves")) for seat in (0, 1)]
            due = [(seat, now) for seat, now in turns if now["moves"]]
            for seat, now in due[:1]:
                self._move(match, seat, now)
            if not due:
                if self.people[0].ask("GET", f"/matches/{match}")["status"] == "finished":
                    return
                self._stop_asked.wait(PAUSE)

    def _move(self, match: str, seat: int, now: Any) -> None:
        body = {"decision": now["decision"], "id": self._draw.choice(now["moves"])["id"]}
        path, key, one = f"/matches/{match}/moves", self._key(), self.people[seat]
        if self._draw.random() < HANGS_UP:
            one.hang_up(path, body, key)
        told = one.ask("POST", path, body, key)
        receipt = told["sealed"]["receipt"] if told["sealed"] else told["receipt"]
        self.acked.append(Acked(match, seat, now["decision"], msgspec.convert(receipt, Receipt)))


@contextmanager
def playing(url: str, seed: int) -> Iterator[list[Pair]]:
    """Pairs who play as long as the block lasts, none of whom is ever told that something is wrong for good."""
    stop = Event()
    pairs = [Pair(url, seed + number, stop) for number in range(PAIRS)]
    for pair in pairs:
        pair.start()
    try:
        yield pairs
    finally:
        stop.set()
        for pair in pairs:
            pair.join()
    moved(pairs)


def moved(pairs: list[Pair]) -> int:
    """How many moves were acknowledged; raises when somebody has given up."""
    for pair in pairs:
        if pair.error is not None:
            raise pair.error
    return sum(len(pair.acked) for pair in pairs)
