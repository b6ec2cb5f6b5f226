"""The queue of bot turns, on Redis by RQ. Nothing is kept here that can't be lost: the log says what is due."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from time import time
from typing import Any
from urllib.parse import quote

import msgspec
import redis
from rq import Queue
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer
from rq.utils import import_attribute

from events.store import Decision
from service.wakeups import CHANNEL

NAME = "foldtable-bots"
JOB = "service.bots.job.play_bots"

TIMEOUT = 120
"""Seconds after which RQ ends a job; it ends by itself long before that."""

GRACE = timedelta(seconds=5)
"""How long a job may be neither in the queue nor at work: it is on its way from one to the other."""

LEASE = 3000
"""Milliseconds for which a worker has a match to itself; it renews them as it plays."""

KEPT = 3600
"""Seconds for which a job that failed is remembered, with its error."""

FIRST_WAIT, LONGEST_WAIT = 1, 60
"""Seconds from a job that failed to the next one for the same decision, doubled each time."""


def socket_url(path: str) -> str:
    """The URL of a Redis that listens on a socket."""
    return f"unix://{quote(path)}?db=0"


def connect(url: str) -> redis.Redis:
    """A connection to Redis. Raises ValueError for a URL that is none."""
    return redis.Redis.from_url(url, socket_connect_timeout=2, health_check_interval=30)


def job_id(decision: Decision) -> str:
    """Match, decision and seat, in the letters that RQ takes: one job each."""
    return re.sub(r"[^0-9A-Za-z_-]", "-", f"{decision.match}-{decision.since}-{decision.seat}")


class NotOurs(Exception):
    """A job that the service has not put into the queue."""


def later_of(job: str) -> str:
    """The key that is there while a job has to wait; it says until when."""
    return f"foldtable:later:{job}"


def lease_of(match_id: str) -> str:
    """The key that is there while a worker plays the match's bots."""
    return f"foldtable:playing:{match_id}"


class Turn(Job):
    """A job of ours. What else Redis may say of a job, to be run or called when it is done, is not heard."""

    def restore(self, raw_data: Any) -> Any:
        """See `Job.restore`."""
        super().restore(raw_data)
        self._success_callback_name = self._failure_callback_name = self._stopped_callback_name = None
        self.webhooks = []
        self._dependency_ids = []
        self.repeats_left = None

    @property
    def func(self) -> Any:
        """What the job runs, by the list of what may be. Raises NotOurs."""
        name, instance = self.func_name, self.instance
        if name not in self.known or instance is not None:
            raise NotOurs(f"a job named {name!r} is none of ours")
        return import_attribute(name)

    known: frozenset[str] = frozenset({JOB})
    """Names of the functions that jobs run."""


class Turns:
    """Bot turns in the queue."""

    def __init__(self, connection: redis.Redis) -> None:
        self.connection = connection
        self.queue = Queue(NAME, connection=connection, serializer=JSONSerializer, job_class=Turn)
        self.soonest = float("inf")
        """Seconds until a decision that had to wait at the last look may be enqueued."""

    def enqueue(self, decisions: tuple[Decision, ...]) -> int:
        """Have a job in the queue for each decision that has none and whose match no worker is playing: how many.

        A job is lost when it is neither in the queue nor at work; then it is enqueued again. One that failed waits
        longer each time.
        """
        self.soonest = float("inf")
        if not decisions:
            return 0
        keys = [lease_of(one.match) for one in decisions] + [later_of(job_id(one)) for one in decisions]
        found: list[Any] = self.connection.mget(keys)
        leases, later = found[: len(decisions)], found[len(decisions) :]
        self.soonest = min((float(until) - time() for until in later if until is not None), default=float("inf"))
        due = [one for one, *keep in zip(decisions, leases, later, strict=True) if keep == [None, None]]
        if not due:
            return 0
        waiting = set(self.queue.get_job_ids())
        due = [one for one in due if job_id(one) not in waiting]
        jobs = Turn.fetch_many([job_id(one) for one in due], self.connection, JSONSerializer)
        return sum(self._enqueue(one, job) for one, job in zip(due, jobs, strict=True))

    def _enqueue(self, decision: Decision, before: Job | None) -> bool:
        failures = 0
        if before is not None:
            if _is_on_its_way(before):
                return False
            failures = before.meta.get("failures", 0) + (before.get_status(refresh=False) == JobStatus.FAILED)
            before.delete()
        self.queue.enqueue_call(
            JOB,
            (decision.match, decision.seat, decision.since),
            job_id=job_id(decision),
            meta={"failures": failures},
            timeout=TIMEOUT,
            result_ttl=0,
            failure_ttl=KEPT,
            description=f"bots of {decision.match}",
        )
        return True


def _is_on_its_way(job: Job) -> bool:
    now = datetime.now(UTC)
    if job.get_status(refresh=False) == JobStatus.FAILED:
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** job.meta.get("failures", 0))
        return job.ended_at is not None and now < job.ended_at + timedelta(seconds=wait)
    since = job.started_at or job.enqueued_at
    return since is not None and now < since + GRACE


class Lease:
    """A match that one worker plays at a time. Two would do no harm, but twice the work."""

    def __init__(self, connection: redis.Redis, match_id: str) -> None:
        self._connection = connection
        self._match = match_id
        self._key = lease_of(match_id)

    def take(self) -> bool:
        """Whether nobody else has it."""
        return bool(self._connection.set(self._key, 1, px=LEASE, nx=True))

    def renew(self) -> None:
        """Once more as long from now on."""
        self._connection.set(self._key, 1, px=LEASE)

    def put_off(self, seat: int, decision: int, seconds: float) -> None:
        """Have no job for a decision of the match for so long."""
        if seconds > 0:
            job = job_id(Decision(match=self._match, seat=seat, since=decision, due="", who=""))
            self._connection.set(later_of(job), f"{time() + seconds:.3f}", px=max(1, round(1000 * seconds)))

    def give_back(self) -> None:
        """Done; the sweep is woken, for a turn that came due meanwhile was left alone."""
        self._connection.delete(self._key)
        self._connection.publish(CHANNEL, msgspec.json.encode([self._match]))
