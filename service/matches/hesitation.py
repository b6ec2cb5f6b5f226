"""How long bots wait with an answer under seal while people are at the table.

A window of sealed answers closes with the last one. If bots answered at once, that would show that only bots were
asked. So they wait for a time that nobody can foresee.
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
"""The most decisions for which it is remembered since when they wait."""


class Hesitation:
    """A wait for each decision, from the least time to twice that."""

    def __init__(self, least: float, now: clock.Now, secret: str) -> None:
        """Set the wait. `least`: in seconds, 0 for none.

        `secret` is known to all processes of the service and to no client, so that a decision has the same wait
        everywhere.
        """
        self._least = least
        self._now = now
        self._key = hmac.new(secret.encode(), b"foldtable-hesitation-1", sha256).digest()
        self._lock = Lock()
        self._heard: FIFOCache[tuple[str, int, int], float] = FIFOCache(HEARD)
        """When each waiting decision was first asked for, by the monotonic clock."""

    def left(self, decision: Decision, asked: str) -> float:
        """Return the seconds until the decision, asked at that moment, may be answered; 0 if it may be now."""
        # a number from 0 to 1 for the decision, the same each time
        name = f"{decision.match}:{decision.since}:{decision.seat}".encode()
        share = int.from_bytes(hmac.new(self._key, name, sha256).digest()[:6]) / (1 << 48)
        whole = self._least * (1 + share)
        passed = (self._now() - datetime.fromisoformat(asked)).total_seconds()
        if passed >= whole:
            return 0.0
        # the wall clock may be set back, so the monotonic clock counts too
        key, now = (decision.match, decision.seat, decision.since), monotonic()
        with self._lock:
            heard = now - self._heard.setdefault(key, now)
        return max(0.0, whole - max(passed, heard))
