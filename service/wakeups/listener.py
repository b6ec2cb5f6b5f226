"""Hears what other processes have written: by Redis at once, and by a slow look at the store whatever happens."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from time import sleep

import msgspec
import redis
import structlog

from service.wakeups.publisher import CHANNEL
from service.wakeups.waiting import Bells

EVERY = 3.0
"""Seconds between two looks at the store: the most that a message lost costs those who wait."""

SLICE = 50
"""Matches that are looked at before others may go on."""

AGAIN = 1.0
"""Seconds until a Redis that is gone is asked again."""

logger = structlog.get_logger(__name__)


class Listener:
    """Rings the bells of those who wait in this process for matches that another process has written to."""

    def __init__(self, url: str, bells: Bells, version_of: Callable[[str], int], every: float = EVERY) -> None:
        """`url`: of the Redis, "" is none; `version_of`: the version of a match's log in the store."""
        self._bells = bells
        self._version_of = version_of
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
        """Ring for the matches that are at another version than those who wait for them know."""
        for number, match_id in enumerate(self._bells.awaited(), 1):
            self._bells.ring_behind(match_id, self._version_of(match_id))
            if number % SLICE == 0:
                sleep(0)

    def _listen(self) -> None:
        while not self._stop.is_set():
            try:
                with redis.Redis.from_url(self._url, socket_connect_timeout=AGAIN) as server:
                    self._hear(server)
            except (redis.RedisError, OSError):
                # it is the publisher who says so; the slow look goes on meanwhile
                self._stop.wait(AGAIN)

    def _hear(self, server: redis.Redis) -> None:
        with server.pubsub(ignore_subscribe_messages=True) as channel:  # type: ignore[no-untyped-call]
            channel.subscribe(CHANNEL)
            while not self._stop.is_set():
                message = channel.get_message(timeout=AGAIN)
                if message is None:
                    continue
                try:
                    self._bells.ring(msgspec.json.decode(message["data"], type=list[str]))
                except msgspec.DecodeError:
                    logger.warning("a message can't be read", channel=CHANNEL)
