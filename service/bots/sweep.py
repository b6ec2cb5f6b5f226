"""Sweeps the open decisions of bots into the queue: woken by commits, and by itself every few seconds.

It keeps nothing. Whatever the queue loses, a later sweep finds in the store again.
"""

from __future__ import annotations

from threading import Event
from time import monotonic
from typing import Protocol

import redis
import structlog

from events import stores
from events.store import Decision, Reader, StoreError, StoreMissing
from service.bots.queue import Turns, connect
from service.config import Config
from service.wakeups import CHANNEL

BOTS = "bot:"
"""What the `who` of a bot's decision begins with."""

PAUSE = 2.0
"""Seconds until it looks by itself."""

SHORTEST = 0.02
"""Seconds between two sweeps, at least: many commits in a row are one."""

logger = structlog.get_logger(__name__)


class Decisions(Protocol):
    """The part of a store that is swept."""

    def decisions(self, who_prefix: str = "") -> tuple[Decision, ...]:
        """See `Recorder.decisions`."""
        ...


class Outage:
    """Says once that something is gone, and once that it is back."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._is_out = False

    def begins(self, error: Exception) -> None:
        """Note, and log once, that it does not answer."""
        if not self._is_out:
            logger.warning(f"{self._what} does not answer; trying again until it does", error=str(error))
        self._is_out = True

    def ends(self) -> None:
        """Note, and log once, that it answers again."""
        if self._is_out:
            logger.info(f"{self._what} answers again")
        self._is_out = False


def sweep(store: Decisions, turns: Turns) -> int:
    """Enqueue what is due and not yet on its way: how many jobs."""
    return turns.enqueue(store.decisions(BOTS))


class Follower:
    """Sweeps until it is stopped."""

    def __init__(self, config: Config, stop: Event) -> None:
        """Raises ValueError when the URL of Redis is none."""
        self._config = config
        self._stop = stop
        self._connection = connect(config.redis)
        self._turns = Turns(self._connection)
        self._store: Reader | None = None
        self._redis_outage = Outage("redis")
        self._store_outage = Outage("the store")

    def run(self) -> None:
        """Sweep at each wake-up. Whatever is away is waited for."""
        while not self._stop.is_set():
            try:
                self._listen()
            except (redis.RedisError, OSError) as error:
                self._redis_outage.begins(error)
                self._stop.wait(1)
        if self._store is not None:
            self._store.close()
        self._connection.close()

    def _listen(self) -> None:
        with self._connection.pubsub(ignore_subscribe_messages=True) as commits:  # type: ignore[no-untyped-call]
            commits.subscribe(CHANNEL)
            while not self._stop.is_set():
                self._look()
                self._redis_outage.ends()
                self._stop.wait(SHORTEST)
                self._sleep(commits)

    def _sleep(self, commits: redis.client.PubSub) -> None:
        """Until something is committed, or for a while; then forget all that was said up to now."""
        end = monotonic() + min(PAUSE, max(SHORTEST, self._turns.soonest))
        while not self._stop.is_set() and monotonic() < end:
            # in short waits, so that a stop is noticed
            if commits.get_message(timeout=max(0.0, min(0.25, end - monotonic()))) is not None:
                break
        while commits.get_message(timeout=0) is not None:
            pass

    def _look(self) -> None:
        try:
            if self._store is None:
                self._store = stores.open_to_read(self._config.store_url)
            sweep(self._store, self._turns)
        except StoreMissing:
            # a web process makes it when it starts
            return
        except StoreError as error:
            self._store_outage.begins(error)
        else:
            self._store_outage.ends()
