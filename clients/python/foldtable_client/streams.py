"""Streams: Server-Sent Events, read line by line. If a stream breaks off, it continues without loss or repetition."""

from __future__ import annotations

import random
from typing import Any

import httpx2
import msgspec

from foldtable_client.problems import problem_of

SILENCE = 40.0
"""Seconds without a byte after which a stream counts as broken: the service sends something at least every 15."""

FIRST, LONGEST = 0.3, 20.0
"""Seconds before a stream is requested again: the first pause, which doubles until a message comes, and the longest."""

TIMEOUT = httpx2.Timeout(15.0, read=SILENCE)

REFUSED = httpx2.codes.UNPROCESSABLE_CONTENT
"""The status with which the service refuses a cursor that it does not know."""

OVER = "over"
"""The reason for the end of a stream that is complete: the match is over, and all of its events were sent."""


class Message(msgspec.Struct, frozen=True):
    """A message of a stream."""

    cursor: str
    """Pass it as `after` to continue after this message, even days later or in another process."""
    kind: str
    """The kind of the message: in `follow_me` for instance `now`, `turn` or `event`; `message` if it has no kind."""
    data: dict[str, Any]


class Following:
    """The state of one stream, which may take several connections. It makes messages from lines."""

    def __init__(self, path: str, after: str | None) -> None:
        self.is_over = False
        self._path = path
        self._cursor = after
        self._pause = FIRST
        self._next: dict[str, str] = {}

    def request(self, client: httpx2.Client | httpx2.AsyncClient) -> httpx2.Request:
        """Return the request for the next connection, which continues after the last message."""
        self._next = {}
        headers = {"Accept": "text/event-stream"}
        if self._cursor is not None:
            headers["Last-Event-ID"] = self._cursor
        return client.build_request("GET", f"/api{self._path}", headers=headers, timeout=TIMEOUT)

    def feed(self, line: str) -> Message | None:
        """Read a line. Return the message that it completes, or None. Set `is_over` at the end of the stream."""
        if line:
            name, _, value = line.partition(":")
            if name:
                self._next[name] = value.removeprefix(" ")
            return None
        told, self._next = self._next, {}
        if "data" not in told:
            return None
        self._pause = FIRST
        self._cursor = told.get("id", self._cursor)
        data = msgspec.json.decode(told["data"], type=dict[str, Any])
        if told.get("event") == "end":
            self.is_over = data.get("end", {}).get("why") == OVER
            return None
        return Message(self._cursor or "", told.get("event") or str(data.get("kind", "message")), data)

    def pause(self, answer: httpx2.Response | None = None) -> float:
        """Return the seconds to wait before the next connection. If the cursor was refused, forget it: begin again.

        `answer`: the answer that is no stream, if there was one.
        Raises:  Problem if the service refuses the stream for another reason.
        """
        pause, self._pause = self._pause * random.uniform(0.5, 1.0), min(LONGEST, 2 * self._pause)
        if answer is None or answer.is_success:
            return pause
        if answer.status_code != httpx2.codes.TOO_MANY_REQUESTS and not answer.is_server_error:
            if answer.status_code != REFUSED or self._cursor is None:
                raise problem_of(answer)
            # the cursor is of another service, or the service has a new secret: it would be refused for ever
            self._cursor = None
            return 0.0
        told = answer.headers.get("Retry-After", "")
        return max(pause, float(told)) if told.isascii() and told.isdigit() else pause
