"""Streams: Server-Sent Events, read line by line, and resumed where they broke off with nothing lost or doubled."""

from __future__ import annotations

import random
from typing import Any

import httpx2
import msgspec

from foldtable_client.problems import problem_of

SILENCE = 40.0
"""Seconds without a byte after which a stream counts as broken: the service says something at least every 15."""

FIRST, LONGEST = 0.3, 20.0
"""Seconds before a stream is asked for again, doubled as long as nothing comes."""

TIMEOUT = httpx2.Timeout(15.0, read=SILENCE)

REFUSED = httpx2.codes.UNPROCESSABLE_CONTENT
"""The status that says of a cursor that there is no such place in this stream."""

OVER = "over"
"""Why a stream has ended for good: the match is over, and all of it was told."""


class Message(msgspec.Struct, frozen=True):
    """Something that was told."""

    cursor: str
    """Give it as `after` to go on behind this message, tomorrow or in another process."""
    kind: str
    """What `data` calls itself: `now`, `turn`, `event` and others of `follow_me`; `message` where it says nothing."""
    data: dict[str, Any]


class Following:
    """A stream across all of its connections. Feed it lines, and it answers with messages."""

    def __init__(self, path: str, after: str | None) -> None:
        self.is_over = False
        self._path = path
        self._cursor = after
        self._pause = FIRST
        self._next: dict[str, str] = {}

    def request(self, client: httpx2.Client | httpx2.AsyncClient) -> httpx2.Request:
        """What is asked next."""
        self._next = {}
        headers = {"Accept": "text/event-stream"}
        if self._cursor is not None:
            headers["Last-Event-ID"] = self._cursor
        return client.build_request("GET", f"/api{self._path}", headers=headers, timeout=TIMEOUT)

    def feed(self, line: str) -> Message | None:
        """Take a line; the message that it completes."""
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
        """Seconds to wait before it is asked for again, from the beginning where the cursor was refused.

        Raises:  Problem when the service does not want to be asked.
        """
        pause, self._pause = self._pause * random.uniform(0.5, 1.0), min(LONGEST, 2 * self._pause)
        if answer is None or answer.is_success:
            return pause
        if answer.status_code != httpx2.codes.TOO_MANY_REQUESTS and not answer.is_server_error:
            if answer.status_code != REFUSED or self._cursor is None:
                raise problem_of(answer)
            # of another service, or of one whose secret is another now: it is refused for ever
            self._cursor = None
            return 0.0
        told = answer.headers.get("Retry-After", "")
        return max(pause, float(told)) if told.isascii() and told.isdigit() else pause
