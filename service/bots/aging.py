"""How long the oldest turn of a bot lies in the queue."""

from __future__ import annotations

from datetime import UTC, datetime

import redis
from rq import Queue
from rq.job import Job


def age(queue: Queue) -> float:
    """Seconds for which its first job lies in the queue; 0 when there is none, or Redis does not say."""
    try:
        found = queue.get_job_ids(0, 1)
        jobs: list[Job | None] = queue.job_class.fetch_many(found, queue.connection, queue.serializer)
    except (redis.RedisError, OSError):
        return 0.0
    since = jobs[0].enqueued_at if jobs and jobs[0] else None
    return 0.0 if since is None else max(0.0, (datetime.now(UTC) - since).total_seconds())
