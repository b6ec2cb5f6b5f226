"""Commits of all processes: published in Redis, heard from there, and in any case found by a slow look at the store.

A lost message costs seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Condition, Event, Thread
from time import sleep
from typing import Generic, TypeVar

import msgspec
import redis
import structlog

from service.telemetry import OutageLog

CHANNEL = "foldtable:commits"
TIMEOUT = 1.0
"""Seconds within which Redis must answer; only the next message waits for that."""

logger = structlog.get_logger(__name__)


T = TypeVar("T")


class Backlog(Generic[T]):
    """Calls one function with the items that were added since its last call. Any thread may add some."""

    def __init__(
        self, name: str, handle: Callable[[list[T]], bool | None], pause: Callable[[], float] = lambda: 0.0
    ) -> None:
        """Start nothing yet: the thread of this name starts with the first item.

        Shape:   `handle` returns True if it is to be called again though nothing was added. It may not raise.
                 `pause` returns the seconds to wait before each call, in which more items may come.
        """
        self._handle = handle
        self._pause = pause
        self._news = Condition()
        self._items: list[T] = []
        self._is_closed = False
        self._thread = Thread(target=self._work, name=name, daemon=True)

    def add(self, items: Iterable[T]) -> None:
        """Hand over items, which are handled soon. After `close` they are dropped."""
        with self._news:
            if self._is_closed:
                return
            self._items += items
            if self._thread.ident is None:
                self._thread.start()
            self._news.notify()

    def close(self, seconds: float) -> None:
        """Handle what was added, and end the thread; wait at most so long for that."""
        with self._news:
            self._is_closed = True
            self._news.notify()
        if self._thread.ident is not None:
            self._thread.join(seconds)

    def _work(self) -> None:
        has_more = False
        while self._is_due(has_more):
            if pause := self._pause():
                sleep(pause)
            with self._news:
                items, self._items = self._items, []
            has_more = bool(self._handle(items))

    def _is_due(self, has_more: bool) -> bool:
        """Wait until there is something to handle. Returns False when nothing is left to be handled."""
        with self._news:
            while not (self._items or has_more or self._is_closed):
                self._news.wait()
            return bool(self._items) or (has_more and not self._is_closed)


class Publisher:
    """Publishes from a separate thread: nobody waits for a Redis that is slow or does not answer."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT)
        self._outage = OutageLog("redis, in which commits are published,")
        self._backlog: Backlog[str] = Backlog("publisher", self._tell)

    def publish(self, streams: Iterable[str]) -> None:
        """Publish the names of these streams soon."""
        self._backlog.add(streams)

    def close(self) -> None:
        """Publish what is waiting, then stop."""
        self._backlog.close(2 * TIMEOUT + 1)
        self._redis.close()

    def _tell(self, streams: list[str]) -> None:
        try:
            self._redis.publish(CHANNEL, msgspec.json.encode(sorted(set(streams))))
        except (redis.RedisError, OSError) as error:
            self._outage.begins(error)
        else:
            self._outage.ends()


EVERY = 2.5
"""Seconds between two looks at the store: the most that a request waits longer after a lost message."""

AGAIN = 1.0
"""Seconds until the next try if Redis does not answer."""

ANSWER = 5.0
"""Seconds within which Redis must answer. Waiting for a message has a separate timeout."""


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
        self._stop = Event()
        self._threads = [Thread(target=self._look_now_and_then, name="listener", daemon=True)]
        if url:
            self._threads.append(Thread(target=_listen, args=(url, self._stop, tell), name="listener", daemon=True))
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        for thread in self._threads:
            thread.join(2 * AGAIN + 1)

    def _look_now_and_then(self) -> None:
        outage = OutageLog("the store")
        while not self._stop.wait(self._every):
            try:
                if grown := self._grown():
                    self._tell(grown)
            except Exception as error:  # requests that need the store answer with the error
                outage.begins(error)
            else:
                outage.ends()


def _listen(url: str, stop: Event, tell: Callable[[Iterable[str]], object]) -> None:
    """Call `tell` with the names of streams that other processes publish, until `stop` is set."""
    while not stop.is_set():
        try:
            with redis.Redis.from_url(url, socket_timeout=ANSWER, socket_connect_timeout=AGAIN) as server:
                _hear(server, stop, tell)
        except (redis.RedisError, OSError):
            # the publisher logs that; meanwhile everybody looks at the store now and then
            stop.wait(AGAIN)


def _hear(server: redis.Redis, stop: Event, tell: Callable[[Iterable[str]], object]) -> None:
    with server.pubsub(ignore_subscribe_messages=True) as channel:
        channel.subscribe(CHANNEL)
        while not stop.is_set():
            message = channel.get_message(timeout=AGAIN)
            if message is None:
                continue
            try:
                tell(msgspec.json.decode(message["data"], type=list[str]))
            except msgspec.DecodeError:
                logger.warning("a message can't be read", channel=CHANNEL)


@contextmanager
def news_of_commits(url: str) -> Iterator[Event]:
    """Yield an event that is set whenever something is committed. `url`: of Redis; if it is "", nothing sets it."""
    news, is_closed = Event(), Event()
    if url:
        Thread(target=_listen, args=(url, is_closed, lambda streams: news.set()), name="commits", daemon=True).start()
    try:
        yield news
    finally:
        is_closed.set()
