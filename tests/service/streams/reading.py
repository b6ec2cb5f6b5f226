"""Somebody who reads a stream, on the app itself: what comes is told by line or by event, as it was written."""

from __future__ import annotations

import json
import re
import zlib
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from tests.service import documented
from tests.service.house import House, Visitor

NDJSON, SSE = "application/x-ndjson", "text/event-stream"
SECONDS = 20.0


_threads: list[Thread] = []


def wait_for_all() -> None:
    """Until nobody reads any more: a store that is closed while it is read takes the process along."""
    while _threads:
        _threads.pop().join(SECONDS)


class Reading:
    """A stream that is being read. Each line that it tells must be one that the document tells."""

    def __init__(self, answer: Any, documented_at: str) -> None:
        self.answer = answer
        self.line = documented.validator(documented_at, "get", 200, NDJSON)
        self.raw = b""
        self.packed = 0
        """Bytes that were written of a packed stream."""
        self.packing = zlib.decompressobj() if answer.headers.get("Content-Encoding") == "deflate" else None
        self._pieces: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()
        _threads.append(self._thread)

    def _read(self) -> None:
        try:
            for piece in self.answer.response:
                self._pieces.put(piece if self.packing is None else self._unpacked(piece))
        finally:
            try:
                self.answer.close()
            finally:
                self._pieces.put(None)

    def _unpacked(self, piece: bytes) -> bytes:
        assert self.packing is not None
        self.packed += len(piece)
        return self.packing.decompress(piece)

    def piece(self, seconds: float = SECONDS) -> bytes | None:
        """What is written next; None at the end. Raises Empty."""
        found = self._pieces.get(timeout=seconds)
        self.raw += found or b""
        return found

    def told(self, count: int, seconds: float = SECONDS) -> list[Any]:
        """So many lines that say something."""
        found: list[Any] = []
        while len(found) < count:
            piece = self.piece(seconds)
            assert piece is not None, f"it has ended after {found}"
            found += self._lines_of(piece)
        assert len(found) == count, found
        return found

    def rest(self) -> list[Any]:
        found: list[Any] = []
        while (piece := self.piece()) is not None:
            found += self._lines_of(piece)
        return found

    def _lines_of(self, piece: bytes) -> list[Any]:
        found = lines_of(piece)
        assert self.line is not None
        for one in found:
            self.line.validate(one)
        return found

    def is_silent(self, seconds: float = 0.3) -> bool:
        """Whether nothing is written for so long."""
        try:
            self.piece(seconds)
        except Empty:
            return True
        return False


def lines_of(piece: bytes) -> list[Any]:
    """What a piece says, in either form."""
    lines = [line.removeprefix(b"data: ") for line in piece.split(b"\n")]
    return [json.loads(line) for line in lines if line.startswith(b"{")]


def ids_of(raw: bytes) -> list[str]:
    return [line[4:].decode() for line in raw.split(b"\n") if line.startswith(b"id: ")]


def stop(house: House, *streams: Reading) -> list[list[Any]]:
    """End these streams as a service does that stops: what each still told."""
    house.service.bells.close()
    rests = [stream.rest() for stream in streams]
    house.service.bells.is_closed = False
    return rests


def reading(
    visitor: Visitor, path: str, form: str = NDJSON, last: str | None = None, packed: str = "", **query: Any
) -> Reading:
    """A stream of the path, which ends with the test at the latest. `packed`: which codings are accepted."""
    headers = {"Accept": form, **visitor.headers, **({} if last is None else {"Last-Event-ID": last})}
    headers |= {"Accept-Encoding": packed} if packed else {}
    answer = visitor.client.get(f"/api{path}", query_string=query, headers=headers, buffered=False)
    assert answer.status_code == 200, answer.data
    assert answer.mimetype == form
    return Reading(answer, re.sub(r"^/matches/[^/]+", "/api/matches/{match_id}", path).replace("/me/", "/api/me/"))
