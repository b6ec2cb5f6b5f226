"""People who play over HTTP whatever happens to the service, and what holds of its store: nothing lost, nor doubled."""

from __future__ import annotations

import random
import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from threading import Event, Thread
from time import monotonic
from typing import Any

import httpx2
import msgspec

from domain.catalogue import Catalogue
from domain.matches import FINISHED, OPENED
from events.receipts import Receipt
from events.store import Reader
from events.stores import open_to_read
from replays.commands.checking import audit_stored
from replays.commands.reading import Place
from service.config import Config
from service.store import Statistics
from tests.service.run.uprun import DEADLINE, until

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
    def __init__(self, url: str, name: str, **more: str) -> None:
        """`more`: what else is said at the sign-up."""
        self.client = httpx2.Client(base_url=f"{url}/api", trust_env=False, timeout=DEADLINE / 4)
        self.refused: list[str] = []
        """Codes of what was asked again."""
        self.cut = 0
        """How often there was no answer."""
        self.token = ""
        player = self.ask("POST", "/players", {"name": name, **more}, key=f"sign-up-{random.getrandbits(64)}")
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
                    return answer.json() if answer.content else None
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


Answer = tuple[str, int, int]
"""A match, the seat that answered, and which decision."""

Sums = Counter[tuple[str, int, str]]
"""By game, number of seats, and what is summed up."""


def answers(store: Reader) -> Counter[Answer]:
    """How often each decision was answered, in the open or under seal."""
    found: Counter[Answer] = Counter()
    for match in store.matches():
        for stream in (match, *store.private_streams(match)):
            for event in store.read(stream):
                is_answer = event.type in {"match/MoveMade", "match/AnswerSealed"}
                # decision 0: it was forced, nobody was asked
                if is_answer and (decision := msgspec.json.decode(event.public)["decision"]):
                    found[match, int(event.actor.removeprefix("seat:")), decision] += 1
    return found


def tally(store: Reader) -> Sums:
    """Counted from the logs: finished matches, their moves, and the points of each seat."""
    sums: Sums = Counter()
    for match in store.matches():
        log = store.read(match)
        if log[-1].type == FINISHED:
            assert log[0].type == OPENED
            opening, result = msgspec.json.decode(log[0].public), msgspec.json.decode(log[-1].public)
            table = opening["game"], opening["seats"]
            sums[*table, "matches"] += 1
            sums[*table, "moves"] += log[-1].move
            for seat, points in enumerate(result["points"]):
                sums[*table, f"seat:{seat}"] += points
    return sums


def counted(store: Reader, tables: Iterable[str]) -> Sums:
    """The same as the followers have counted it, of these games."""
    statistics, sums = Statistics(store), Counter[tuple[str, int, str]]()
    for game in tables:
        for table in statistics.played(game):
            sums[game, table.seats, "matches"] += table.matches
            sums[game, table.seats, "moves"] += table.moves
        for result in statistics.by_kind(game, "seat"):
            sums[game, result.seats, result.who] += result.points
    return sums


def reckon(config: Config, pairs: list[Pair]) -> None:
    """Matches of bots end. Every acknowledged move is in the log, none is there twice, and every match passes its audit
    with the receipts that were given for it.
    """
    catalogue, receipts = Catalogue(), dict[str, list[Receipt]]()
    acked = [each for pair in pairs for each in pair.acked]
    for each in acked:
        receipts.setdefault(each.match, []).append(each.receipt)
    with closing(open_to_read(config.store_url)) as store:
        of_bots = [match for pair in pairs for match in pair.of_bots]
        until(lambda: all(store.read(match)[-1].type == FINISHED for match in of_bots), "the bots' matches end")
        found = answers(store)
        assert [answer for answer, times in found.items() if times > 1] == [], "answered twice"
        given = Counter((each.match, each.seat, each.decision) for each in acked)
        assert given - found == Counter(), "acknowledged, and not in the log"
        assert max(given.values()) == 1
        place = Place(config.data, config.store_url)
        for match in store.matches():
            report = audit_stored(place, store, catalogue, match, receipts.get(match, []))
            assert report.ok, (match, report.failures)
            assert report.receipts >= len(receipts.get(match, []))
