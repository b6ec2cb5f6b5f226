"""Hears what other processes have written: by Redis at once, and by a slow look at the store whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Event, Thread

import msgspec
import redis
import structlog

from service.wakeups.publisher import CHANNEL

EVERY = 2.5
"""Seconds between two looks at the store: the most that a message lost costs those who wait."""

AGAIN = 1.0
"""Seconds until a Redis that is gone is asked again."""

ANSWER = 5.0
"""Seconds within which Redis must answer. A message is waited for by a timeout of its own."""

logger = structlog.get_logger(__name__)


class Listener:
    """Has those who wait in this process told which streams another process has written to."""

    def __init__(
        self, url: str, tell: Callable[[Iterable[str]], object], grown: Callable[[], set[str]], every: float = EVERY
    ) -> None:
        """`url`: of the Redis, "" is none; `grown`: the streams that have grown since it was asked last."""
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
        """Hear no more."""
        self._stop.set()
        for thread in self._threads:
            thread.join(2 * AGAIN + 1)

    def _look_now_and_then(self) -> None:
        while not self._stop.wait(self._every):
            try:
                self.look()
            except Exception as error:  # whatever is wrong with the store is told to those who ask it
                logger.warning("the store can't be looked at", error=str(error))

    def look(self) -> None:
        """Tell of the streams that have grown since the last look, whoever wrote to them."""
        if grown := self._grown():
            self._tell(grown)

    def _listen(self) -> None:
        while not self._stop.is_set():
            try:
                with redis.Redis.from_url(self._url, socket_timeout=ANSWER, socket_connect_timeout=AGAIN) as server:
                    self._hear(server)
            except (redis.RedisError, OSError):
                # it is the publisher who says so; the slow look goes on meanwhile
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
