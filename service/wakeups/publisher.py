"""Tells Redis which streams were written to, so that followers look at once. A message lost costs them seconds."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Condition, Thread

import msgspec
import redis
import structlog

CHANNEL = "foldtable:commits"
TIMEOUT = 1.0
"""Seconds; nothing waits for it but the next message."""

logger = structlog.get_logger(__name__)


class Publisher:
    """Publishes from a thread of its own: a Redis that is slow or gone holds up nobody."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT)
        self._news = Condition()
        self._waiting: set[str] = set()
        self._is_closed = False
        self._is_out = False
        self._thread = Thread(target=self._work, name="publisher", daemon=True)
        self._thread.start()

    def publish(self, streams: Iterable[str]) -> None:
        """Have it told, soon."""
        with self._news:
            self._waiting.update(streams)
            self._news.notify()

    def close(self) -> None:
        """Tell what waits, then end."""
        with self._news:
            self._is_closed = True
            self._news.notify()
        self._thread.join(2 * TIMEOUT + 1)
        self._redis.close()

    def _work(self) -> None:
        while (news := self._take()) is not None:
            try:
                self._redis.publish(CHANNEL, msgspec.json.encode(news))
            except (redis.RedisError, OSError) as error:
                if not self._is_out:
                    logger.warning("redis does not answer; commits are not told until it does", error=str(error))
                self._is_out = True
            else:
                if self._is_out:
                    logger.info("redis answers again")
                self._is_out = False

    def _take(self) -> list[str] | None:
        with self._news:
            while not self._waiting and not self._is_closed:
                self._news.wait()
            if not self._waiting:
                return None
            news = sorted(self._waiting)
            self._waiting.clear()
            return news
