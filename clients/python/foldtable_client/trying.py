"""When a request is sent again, and how long is waited before: decided here, for threads and asyncio alike."""

from __future__ import annotations

import random
from time import monotonic

import httpx2
import msgspec

from foldtable_client.problems import Unreachable, problem_of

AGAIN = {408, 429, 502, 503, 504}
"""Statuses after which the same request may succeed."""

FIRST, LONGEST = 0.2, 15.0
"""Seconds before a request is sent again, doubled each time, where the service does not say."""


class Patience(msgspec.Struct, frozen=True):
    """How long a request is tried."""

    seconds: float = 60.0
    """From the first time it was sent until it is given up; 0: it is sent once."""
    answer: float = 15.0
    """Seconds that a single answer may take, beside what the service was asked to wait."""


DEFAULT = Patience()


class Attempts:
    """The tries of one request."""

    def __init__(self, patience: Patience) -> None:
        self._end = monotonic() + patience.seconds
        self._pause = FIRST

    def after_answer(self, answer: httpx2.Response) -> float | None:
        """Seconds to wait before it is sent again; None: this is the answer. Raises Problem."""
        if answer.is_success or answer.status_code == httpx2.codes.NOT_MODIFIED:
            return None
        if answer.status_code in AGAIN and (pause := self._next(answer.headers.get("Retry-After"))) is not None:
            return pause
        raise problem_of(answer)

    def after_error(self, error: httpx2.TransportError) -> float:
        """Seconds to wait before it is sent again. Raises Unreachable."""
        if (pause := self._next(None)) is None:
            raise Unreachable(str(error) or type(error).__name__) from error
        return pause

    def _next(self, told: str | None) -> float | None:
        """The pause; None when there is no time left for it."""
        pause, self._pause = self._pause * random.uniform(0.5, 1.0), min(LONGEST, 2 * self._pause)
        if told is not None and told.isascii() and told.isdigit():
            pause = max(float(told), 0.05)
        return pause if monotonic() + pause <= self._end else None
