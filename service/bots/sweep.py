"""Finds the open decisions of bots and queues them: after each commit, and every few seconds.

It stores nothing. What the queue loses, a later sweep finds in the store again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from threading import Event
from time import monotonic

import msgspec
import redis

from events import stores
from events.store import Reader, StoreError, StoreMissing, match_of
from service.bots.aging import age
from service.bots.ordering import Ordering
from service.bots.queue import TurnQueue, connect
from service.config import Config
from service.heartbeat import beat
from service.store import turns
from service.telemetry import OutageLog, metrics
from service.wakeups import CHANNEL

NAME = "bots"
"""The name of the queue and of the sweep in metrics."""

PAGE = 500
"""The most decisions that are looked at at a time."""

PAUSE = 2.0
"""Seconds from one slow look at all open decisions to the next."""

SOON = 0.25
"""Seconds until the next page of a slow look, if there is one."""

SHORTEST = 0.02
"""The least seconds between two sweeps: many commits in a row cause one sweep."""


class TurnSweep:
    """Finds the matches in which bots are asked: at once those of `tell`, and slowly all, one page at a time.

    The cost of a look does not grow with the number of open matches, nor with the number of people who are asked.
    """

    def __init__(self, store: Reader, work: TurnQueue) -> None:
        self._store = store
        self._work = work
        self._told: set[str] = set()
        self._after = turns.FIRST
        self._due = monotonic()
        """When the next page of the slow look is due."""

    def tell(self, match_ids: Iterable[str]) -> None:
        """Note that these matches were written to."""
        self._told.update(match_ids)

    @property
    def pause(self) -> float:
        """Seconds until there is something to look at, as far as the process knows."""
        soonest = min(self._work.waiting.values(), default=self._due)
        return max(0.0, min(self._due, soonest) - monotonic())

    def look(self, *, at_all: bool = False) -> int:
        """Queue the turns that are due. Returns how many jobs that made. `at_all`: do also a page of the slow look."""
        now = monotonic()
        self._told.update([match_id for match_id, until in self._work.waiting.items() if until <= now])
        made = 0
        for ids in batched(self._told, PAGE):
            made += self._work.enqueue(turns.owed_in(self._store, self._work.unclaimed(ids)))
            for match_id in ids:
                if self._work.waiting.get(match_id, now) < now:
                    del self._work.waiting[match_id]
        self._told.clear()
        if at_all or now >= self._due:
            made += self._page()
        return made

    def _page(self) -> int:
        self._work.tidy()
        owed, after = turns.owed_after(self._store, self._after, PAGE)
        made = self._work.enqueue(owed)
        self._after = after or turns.FIRST
        self._due = monotonic() + (SOON if after else PAUSE)
        return made


def batched(ids: Iterable[str], size: int) -> Iterator[list[str]]:
    """Return the sorted ids in lists of at most that size."""
    rest = iter(sorted(ids))
    while batch := list(islice(rest, size)):
        yield batch


class TurnSweeper:
    """The loop that sweeps until it is stopped."""

    def __init__(self, config: Config, stop: Event) -> None:
        """Raises ValueError if the URL of Redis is no URL."""
        self._config = config
        self._stop = stop
        self._connection = connect(config.redis)
        self._turns = TurnQueue(self._connection, config.bot_moves)
        metrics.queue(NAME, partial(age, self._turns.queue))
        self._store: Reader | None = None
        self._sweep: TurnSweep | None = None
        self._ordering: Ordering | None = None
        self._redis_outage = OutageLog("redis")
        self._store_outage = OutageLog("the store")

    def run(self) -> None:
        """Sweep at each wake-up. If Redis or the store does not answer, wait until it does."""
        while not self._stop.is_set():
            try:
                self._listen()
            except (redis.RedisError, OSError) as error:
                self._redis_outage.begins(error)
                beat()
                self._stop.wait(1)
        if self._store is not None:
            self._store.close()
        self._connection.close()

    def _listen(self) -> None:
        with self._connection.pubsub(ignore_subscribe_messages=True) as commits:
            commits.subscribe(CHANNEL)
            while not self._stop.is_set():
                beat()
                self._look()
                self._redis_outage.ends()
                self._stop.wait(SHORTEST)
                self._sleep(commits)

    def _sleep(self, commits: redis.client.PubSub) -> None:
        """Wait until something is committed, or the next look is due. Then read all messages that have come."""
        pause = min(self._sweep.pause, self._ordering.pause) if self._sweep and self._ordering else PAUSE
        end = monotonic() + max(SHORTEST, min(PAUSE, pause))
        message = None
        while message is None and not self._stop.is_set() and monotonic() < end:
            # short waits, so that a stop is noticed
            message = commits.get_message(timeout=max(0.0, min(0.25, end - monotonic())))
        while message is not None:
            self._hear(message["data"])
            message = commits.get_message(timeout=0)

    def _hear(self, message: object) -> None:
        try:
            streams = msgspec.json.decode(message, type=list[str]) if isinstance(message, bytes) else []
        except msgspec.DecodeError:
            return  # any program that can write to Redis may send any message
        if self._sweep is not None:
            self._sweep.tell(map(match_of, streams))

    def _look(self) -> None:
        try:
            if self._store is None:
                self._store = stores.open_to_read(self._config.store_url)
            if self._sweep is None:
                self._sweep = TurnSweep(self._store, self._turns)
            if self._ordering is None:
                self._ordering = Ordering(self._store, self._turns.queue)
            self._sweep.look()
            self._ordering.look()
            metrics.looked(NAME)
        except StoreMissing:
            # a web process creates the store when it starts
            return
        except StoreError as error:
            self._store_outage.begins(error)
        else:
            self._store_outage.ends()
