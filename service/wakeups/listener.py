"""Finds out what other processes have written: at once through Redis, and in any case by a slow look at the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Event, Thread

import msgspec
import redis
import structlog

from service.wakeups.publisher import CHANNEL

EVERY = 2.5
"""Seconds between two looks at the store: the most that a request waits longer after a lost message."""

AGAIN = 1.0
"""Seconds until the next try if Redis does not answer."""

ANSWER = 5.0
"""Seconds within which Redis must answer. Waiting for a message has a separate timeout."""

logger = structlog.get_logger(__name__)


class Listener:
    """Wakes the requests of this process that wait for streams to which another process has written."""

    def __init__(
        self, url: str, tell: Callable[[Iterable[str]], object], grown: Callable[[], set[str]], every: float = EVERY
    ) -> None:
        """Start to listen.

        Shape:   `url`: of Redis, "" if there is none; `tell` wakes those who wait for these streams; `grown` returns
                 the streams that have grown since its last call.
        """
        self._tell = tell
        self._grown = grown
        self._every = every
        self._url = url
        self._stop = Event()
        ways = [self._look_now_and_then, *([self._listen] if url else [])]
        self._threads = [Thread(target=way, name="listener", daemon=True) for way in ways]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        for thread in self._threads:
            thread.join(2 * AGAIN + 1)

    def _look_now_and_then(self) -> None:
        while not self._stop.wait(self._every):
            try:
                self.look()
            except Exception as error:  # requests that need the store answer with the error
                logger.warning("the store can't be looked at", error=str(error))

    def look(self) -> None:
        """Wake those who wait for streams that have grown since the last look."""
        if grown := self._grown():
            self._tell(grown)

    def _listen(self) -> None:
        while not self._stop.is_set():
            try:
                with redis.Redis.from_url(self._url, socket_timeout=ANSWER, socket_connect_timeout=AGAIN) as server:
                    self._hear(server)
            except (redis.RedisError, OSError):
                # the publisher logs that; meanwhile the slow look goes on
                self._stop.wait(AGAIN)

    def _hear(self, server: redis.Redis) -> None:
        with server.pubsub(ignore_subscribe_messages=True) as channel:
            channel.subscribe(CHANNEL)
            while not self._stop.is_set():
                message = channel.get_message(timeout=AGAIN)
                if message is None:
                    continue
                try:
                    self._tell(msgspec.json.decode(message["data"], type=list[str]))
                except msgspec.DecodeError:
                    logger.warning("a message can't be read", channel=CHANNEL)
