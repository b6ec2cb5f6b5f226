"""Finds the open decisions of seats with standing orders, and queues them."""

from __future__ import annotations

import secrets
from time import monotonic

from rq import Queue

from events.store import Reader
from service.store import Ordered

JOB = "service.bots.job.follow_orders"

EVERY = 0.5
"""The least seconds between two looks."""

SLOW = 2.0
"""Seconds between two looks if nothing was found."""

PAGE = 64
"""The most matches of a job."""

MARK = "orders-"
"""The prefix of the id of a job."""


class Ordering:
    """The sweep for matches in which standing orders are to be followed. It keeps only how far it has come."""

    def __init__(self, store: Reader, queue: Queue) -> None:
        self._ordered = Ordered(store)
        self._queue = queue
        self._after = ""
        self._due = monotonic()
        self._looked = float("-inf")

    @property
    def pause(self) -> float:
        """Seconds until the next look is due."""
        return max(0.0, self._due - monotonic())

    def look(self) -> bool:
        """Queue the matches in which orders are due. Returns whether it made a job. Raises StoreError, RedisError."""
        now = monotonic()
        if now - self._looked < EVERY:
            return False
        self._looked = now
        due = self._ordered.due(self._after, PAGE)
        self._after = due[-1] if len(due) == PAGE else ""
        self._due = now + (EVERY if due else SLOW)
        if not due or any(job_id.startswith(MARK) for job_id in self._queue.get_job_ids()):
            return False
        self._queue.enqueue_call(
            JOB,
            (list(due),),
            job_id=f"{MARK}{secrets.token_hex(6)}",
            timeout=120,
            result_ttl=0,
            failure_ttl=3600,
            description="standing orders",
        )
        return True
