"""Publishes in Redis which streams were written to, so that followers look at once. A lost message costs seconds."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import redis
import structlog

from service.wakeups.backlog import Backlog

CHANNEL = "foldtable:commits"
TIMEOUT = 1.0
"""Seconds within which Redis must answer; only the next message waits for that."""

logger = structlog.get_logger(__name__)


class Publisher:
    """Publishes from a separate thread: nobody waits for a Redis that is slow or does not answer."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT)
        self._is_out = False
        self._backlog: Backlog[str] = Backlog("publisher", self._tell)

    def publish(self, streams: Iterable[str]) -> None:
        """Publish the names of these streams soon."""
        self._backlog.add(streams)

    def close(self) -> None:
        """Publish what is waiting, then stop."""
        self._backlog.close(2 * TIMEOUT + 1, is_finished=True)
        self._redis.close()

    def _tell(self, streams: list[str]) -> None:
        try:
            self._redis.publish(CHANNEL, msgspec.json.encode(sorted(set(streams))))
        except (redis.RedisError, OSError) as error:
            if not self._is_out:
                logger.warning("redis does not answer; commits are not published until it does", error=str(error))
            self._is_out = True
        else:
            if self._is_out:
                logger.info("redis answers again")
            self._is_out = False
