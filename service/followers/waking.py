"""Wakes a follower when Redis says that something was committed. Without Redis the follower still looks regularly."""

from __future__ import annotations

from contextlib import suppress
from threading import Event
from time import monotonic

import redis

from service.wakeups import CHANNEL

TIMEOUT = 2.0
"""Seconds within which Redis must answer."""


class Commits:
    """Listens for commits. One thread uses it."""

    def __init__(self, url: str, stop: Event) -> None:
        """`url`: of Redis, "" if there is none; `stop` ends any waiting. Raises ValueError for a wrong URL."""
        self._redis = redis.Redis.from_url(url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT) if url else None
        self._heard: redis.client.PubSub | None = None
        self._stop = stop

    def wait(self, seconds: float) -> None:
        """Wait until something is committed, at most so long."""
        end = monotonic() + seconds
        if self._redis is not None:
            try:
                self._listen(self._redis, end)
            except (redis.RedisError, OSError):
                # the sweepers log that Redis does not answer
                self._let_go()
            else:
                return
        self._stop.wait(max(0.0, end - monotonic()))

    def _listen(self, connection: redis.Redis, end: float) -> None:
        if self._heard is None:
            self._heard = connection.pubsub(ignore_subscribe_messages=True)
            self._heard.subscribe(CHANNEL)
        heard = self._heard
        while not self._stop.is_set() and (left := end - monotonic()) > 0:
            # short waits, so that a stop is noticed
            if heard.get_message(timeout=min(0.25, left)) is not None:
                break
        while heard.get_message(timeout=0) is not None:
            pass

    def _let_go(self) -> None:
        heard, self._heard = self._heard, None
        if heard is not None:
            with suppress(redis.RedisError, OSError):
                heard.close()

    def close(self) -> None:
        """Stop listening."""
        self._let_go()
        if self._redis is not None:
            self._redis.close()
