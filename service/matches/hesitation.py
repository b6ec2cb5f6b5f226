"""How long bots take over an answer under seal while people are at the table.

A window of sealed answers closes with the last one. Bots that answered at once would tell by it that nobody but bots
was asked; so they take a moment, of a length that nobody can foresee.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from hashlib import sha256
from threading import Lock
from time import monotonic

from cachetools import FIFOCache

from events.store import Decision
from service import clock

HEARD = 100_000
"""Most decisions of which is known since when they wait."""


class Hesitation:
    """A moment for each decision, from once to twice the least one."""

    def __init__(self, least: float, now: clock.Now, secret: str) -> None:
        """`least`: in seconds; 0 is at once. `secret`: known to all processes of the service and to no client, so that
        a decision has one moment, whoever is asked.
        """
        self._least = least
        self._now = now
        self._key = hmac.new(secret.encode(), b"foldtable-hesitation-1", sha256).digest()
        self._lock = Lock()
        self._heard: FIFOCache[tuple[str, int, int], float] = FIFOCache(HEARD)
        """When each decision that has to wait was asked for first, by a clock that nobody sets."""

    def left(self, decision: Decision, asked: str) -> float:
        """Seconds until the decision, asked at that moment, may be answered; 0 when it may."""
        whole = self._least * (1 + self._share(decision))
        passed = (self._now() - datetime.fromisoformat(asked)).total_seconds()
        if passed >= whole:
            return 0.0
        # by a clock that was set back an hour nothing would pass for an hour
        return max(0.0, whole - max(passed, self._since_heard(decision)))

    def _since_heard(self, decision: Decision) -> float:
        key, now = (decision.match, decision.seat, decision.since), monotonic()
        with self._lock:
            return now - self._heard.setdefault(key, now)

    def _share(self, decision: Decision) -> float:
        """From 0 to 1, the same whenever it is asked for."""
        name = f"{decision.match}:{decision.since}:{decision.seat}".encode()
        drawn = hmac.new(self._key, name, sha256).digest()
        return int.from_bytes(drawn[:6]) / (1 << 48)


def pace(least: float, now: clock.Now, secret: str) -> Hesitation | None:
    """How long bots among themselves take over a turn, in seconds at least; None where they are to be fast."""
    return Hesitation(least, now, secret) if least else None
