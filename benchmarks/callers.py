"""Callers of the service in one process. Each keeps one raw connection, so they cost little processor time.

`python -m benchmarks.callers PORT CALLERS SECONDS` reads the workers' token and a player's token from two lines of
standard input, and prints a `Found` as JSON.
"""

from __future__ import annotations

import selectors
import socket
import sys
from random import Random
from time import perf_counter, process_time
from typing import Any

import msgspec

GAME = "three-magic"
SEATS = [{"bot": "random"}] * 3
WARM = 1.0
"""Seconds that are not counted."""

CHUNK = 1 << 18
_number = b"content-length:"


class Found(msgspec.Struct):
    """The measurement of all callers together."""

    moves: int = 0
    looks: int = 0
    """Requests for a seat's list of moves, needed when the answer to the last move did not contain the list."""
    seconds: float = 0.0
    busy: float = 0.0
    """Seconds of processor time that the callers took."""
    waited: list[float] = []
    """Seconds until each move was answered."""

    def waited_at_most(self, share: float) -> float:
        """Return the milliseconds within which this share of the moves was answered; 0.0 if there was no move."""
        return round(1000 * sorted(self.waited)[int(len(self.waited) * share)], 1) if self.waited else 0.0


class Connection:
    """A raw connection that stays open, for one request after the other."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._heard = b""

    def answer(self) -> tuple[int, bytes] | None:
        """Read what has arrived. Return status and body if the answer is complete, else None. Raises RuntimeError."""
        data = self.socket.recv(CHUNK)
        if not data:
            raise RuntimeError("the service hung up")
        self._heard += data
        end = self._heard.find(b"\r\n\r\n") + 4
        if end < 4:
            return None
        head = self._heard[:end].lower()
        at = head.find(_number) + len(_number)
        if len(self._heard) < end + int(head[at : head.find(b"\r", at)]):
            return None
        heard, self._heard = self._heard, b""
        return int(heard[9:12]), heard[end:]


class Caller(Connection):
    """Plays all bots of a match, then of the next match, with one POST for each move."""

    def __init__(self, port: int, worker: str, person: str, seed: int) -> None:
        super().__init__(port)
        self._worker, self._person = worker, person
        self._draw = Random(seed)
        self._asked, self._begun = "", 0.0
        self._match, self._seat = "", 0

    def open(self) -> None:
        """Send the request that opens a match."""
        self._ask("match", "POST", "", {"game": GAME, "seats": SEATS}, self._person)

    def hear(self, found: Found) -> None:
        """Read what has arrived; if the answer is complete, count it and send the next request. Raises RuntimeError."""
        if (answer := self.answer()) is None:
            return
        status, body = answer[0], msgspec.json.decode(answer[1])
        if status >= 300:
            raise RuntimeError(f"{self._asked}: {status} {body}")
        self._go_on(body, found)

    def _go_on(self, body: Any, found: Found) -> None:
        if self._asked == "match":
            self._match = body["id"]
            self._ask("bots", "GET", f"/{self._match}/bots")
        elif self._asked == "bots" and not body["decisions"]:
            self.open()
        elif self._asked == "bots":
            self._seat = body["decisions"][0]["seat"]
            self._ask("look", "GET", f"/{self._match}/moves?seat={self._seat}")
        else:
            found.looks += self._asked == "look"
            if self._asked == "move":
                found.moves += 1
                found.waited.append(perf_counter() - self._begun)
            self._move(body)

    def _move(self, now: Any) -> None:
        if now["decision"] is None and now.get("others"):
            now = now["others"][0]
            self._seat = now["seat"]
        if now["decision"] is None:
            self._ask("bots", "GET", f"/{self._match}/bots")
            return
        chosen = self._draw.choice(now["moves"])["id"]
        wanted = {"decision": now["decision"], "id": chosen, "seat": self._seat}
        self._ask("move", "POST", f"/{self._match}/moves", wanted)

    def _ask(self, what: str, method: str, path: str, body: Any = None, token: str = "") -> None:
        data = b"" if body is None else msgspec.json.encode(body)
        head = (
            f"{method} /api/matches{path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {token or self._worker}\r\n"
        )
        if data:
            head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        self._asked, self._begun = what, perf_counter()
        self.socket.sendall(f"{head}\r\n".encode() + data)


def measure(port: int, worker: str, person: str, callers: int, seconds: float) -> Found:
    """Let so many callers play for so many seconds, and until at least one has moved; return what they measured."""
    found, end, busy = Found(), 0.0, process_time()
    begun = perf_counter()
    with selectors.DefaultSelector() as ready:
        for seed in range(callers):
            caller = Caller(port, worker, person, seed)
            ready.register(caller.socket, selectors.EVENT_READ, caller)
            caller.open()
        while not end or perf_counter() < end or not found.moves:
            for key, _ in ready.select(1):
                key.data.hear(found)
            if not end and perf_counter() > begun + min(WARM, seconds):
                found, begun, busy = Found(), perf_counter(), process_time()
                end = begun + seconds
        found.seconds, found.busy = perf_counter() - begun, process_time() - busy
        for key in tuple(ready.get_map().values()):
            key.data.socket.close()
    return found


if __name__ == "__main__":
    _worker, _person = sys.stdin.read().split()
    _found = measure(int(sys.argv[1]), _worker, _person, int(sys.argv[2]), float(sys.argv[3]))
    sys.stdout.buffer.write(msgspec.json.encode(_found))
