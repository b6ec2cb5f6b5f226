"""How long bots, and the rules for who has resigned, wait under seal."""

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
    """How long bots wait with an answer under seal while people are at the table: the least time to twice that.

    A window of sealed answers closes with the last one. If bots answered at once, that would show that only bots were
    asked. So they wait for a time that nobody can foresee, and all who are asked at once wait for the same time: the
    last of several times would come the later, the more of them were asked. The rules, which answer for those who have
    resigned, wait with them.
    """

    def __init__(self, least: float, now: clock.Now, secret: str) -> None:
        """Set the wait. `least`: in seconds, 0 for none.

        `secret` is known to all processes of the service and to no client, so that a window has the same wait
        everywhere.
        """
        self._least = least
        self._now = now
        self._key = hmac.new(secret.encode(), b"foldtable-hesitation-1", sha256).digest()
        self._lock = Lock()
        self._heard: FIFOCache[tuple[str, int], float] = FIFOCache(HEARD)
        """When the decisions of each waiting window were first asked for, by the monotonic clock."""

    def whole(self, match_id: str, since: int) -> float:
        """Return how many seconds a decision waits, the same for every seat that is asked at that version."""
        # a number from 0 to 1, the same each time
        name = f"{match_id}:{since}".encode()
        share = int.from_bytes(hmac.new(self._key, name, sha256).digest()[:6]) / (1 << 48)
        return self._least * (1 + share)

    def left(self, decision: Decision, asked: str) -> float:
        """Return the seconds until the decision, asked at that moment, may be answered; 0 if it may be now."""
        whole = self.whole(decision.match, decision.since)
        passed = (self._now() - datetime.fromisoformat(asked)).total_seconds()
        if passed >= whole:
            return 0.0
        # the wall clock may be set back, so the monotonic clock counts too
        key, now = (decision.match, decision.since), monotonic()
        with self._lock:
            heard = now - self._heard.setdefault(key, now)
        return max(0.0, whole - max(passed, heard))
