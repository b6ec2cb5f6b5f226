"""Sweeps the decisions of seats that have standing orders into the queue, as those of bots are."""

from __future__ import annotations

import secrets
from time import monotonic

from rq import Queue

from events.store import Reader
from service.store import Ordered

JOB = "service.bots.job.follow_orders"

EVERY = 0.5
"""Seconds between two looks, at least."""

SLOW = 2.0
"""Seconds between two looks where nothing was found."""

PAGE = 64
"""Matches of a job."""

MARK = "orders-"
"""Before the id of a job."""


class Ordering:
    """Finds the matches in which orders are to be asked. It keeps nothing but where it has come to."""

    def __init__(self, store: Reader, queue: Queue) -> None:
        self._ordered = Ordered(store)
        self._queue = queue
        self._after = ""
        self._due = monotonic()
        self._looked = float("-inf")

    @property
    def pause(self) -> float:
        """Seconds until it wants to look."""
        return max(0.0, self._due - monotonic())

    def look(self) -> bool:
        """Have those looked after that are due: whether there is a new job for it. Raises StoreError, RedisError."""
        now = monotonic()
        if now - self._looked < EVERY:
            return False
        self._looked = now
        found = self._ordered.due(self._after, PAGE)
        self._after = found[-1] if len(found) == PAGE else ""
        self._due = now + (EVERY if found else SLOW)
        if not found or any(one.startswith(MARK) for one in self._queue.get_job_ids()):
            return False
        self._queue.enqueue_call(
            JOB,
            (list(found),),
            job_id=f"{MARK}{secrets.token_hex(6)}",
            timeout=120,
            result_ttl=0,
            failure_ttl=3600,
            description="standing orders",
        )
        return True
