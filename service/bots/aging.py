"""The age of the oldest turn of a bot in the queue."""

from __future__ import annotations

from datetime import UTC, datetime

import redis
from rq import Queue
from rq.job import Job


def age(queue: Queue) -> float:
    """Return for how many seconds the first job has been in the queue; 0 without a job, or if Redis does not answer."""
    try:
        ids = queue.get_job_ids(0, 1)
        jobs: list[Job | None] = queue.job_class.fetch_many(ids, queue.connection, queue.serializer)
    except (redis.RedisError, OSError):
        return 0.0
    since = jobs[0].enqueued_at if jobs and jobs[0] else None
    return 0.0 if since is None else max(0.0, (datetime.now(UTC) - since).total_seconds())
