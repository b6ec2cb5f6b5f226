"""Decides when a request is repeated, and after which pause, for both clients."""

from __future__ import annotations

import random
from time import monotonic

import httpx2
import msgspec

from foldtable_client.problems import Unreachable, problem_of

AGAIN = {408, 429, 502, 503, 504}
"""The statuses after which a request is repeated."""

BUSY = "busy"
"""The code after which it is repeated too: so many others wrote to the match that nothing was done."""

FIRST, LONGEST = 0.2, 15.0
"""Seconds before a request is repeated, if the service names none: the first pause, which doubles, and the longest."""


class Patience(msgspec.Struct, frozen=True):
    """How long a client repeats a request, and waits for an answer."""

    seconds: float = 60.0
    """Seconds from the first attempt until the client gives up; with 0 the request is sent once."""
    answer: float = 15.0
    """Seconds that one answer may take, in addition to the time that the service was asked to wait."""


DEFAULT = Patience()


class Attempts:
    """The attempts to send one request."""

    def __init__(self, patience: Patience) -> None:
        self._end = monotonic() + patience.seconds
        self._pause = FIRST

    def after_answer(self, answer: httpx2.Response) -> float | None:
        """Return the seconds to wait before the request is repeated; None if it succeeded. Raises Problem."""
        if answer.is_success or answer.status_code == httpx2.codes.NOT_MODIFIED:
            return None
        problem = problem_of(answer)
        if answer.status_code in AGAIN or problem.code == BUSY:
            pause = self._next(answer.headers.get("Retry-After"))
            if pause is not None:
                return pause
        raise problem

    def after_error(self, error: httpx2.TransportError) -> float:
        """Return the seconds to wait before the request is repeated. Raises Unreachable if no time is left."""
        if (pause := self._next(None)) is None:
            raise Unreachable(str(error) or type(error).__name__) from error
        return pause

    def _next(self, told: str | None) -> float | None:
        """Return the next pause; None if no time is left for it. `told`: the value of `Retry-After`."""
        pause, self._pause = self._pause * random.uniform(0.5, 1.0), min(LONGEST, 2 * self._pause)
        if told is not None and told.isascii() and told.isdigit():
            pause = max(float(told), 0.05)
        return pause if monotonic() + pause <= self._end else None
