"""Finds matches in which something is due, and queues a job for them.

It searches by an index, so its cost does not grow with the number of open matches, and keeps nothing that may not be
lost. Whatever it finds, it queues one job a tick. So neither the number nor the times of jobs show that somebody is
asked under seal.
"""

from __future__ import annotations

from threading import Event
from time import monotonic

import redis
import structlog
from rq import Queue
from rq.serializers import JSONSerializer

from events import stores
from events.store import Reader, StoreError, StoreMissing
from service import clock
from service.clocks.firing import MATCHES
from service.config import Config
from service.store import Timetable
from service.telemetry import metrics

NAME = "clocks"
"""The sweeper's name in the metrics."""

QUEUE = "foldtable-clocks"
JOB = "service.bots.job.fire_clocks"

TICK = 0.5
"""The seconds between two jobs."""

TIMEOUT = 60
"""The seconds after which RQ ends a job."""

PAGE = 512
"""The most matches that are read at once from each partition, for each kind of what can be due."""

ANSWER = 5.0
"""The seconds within which Redis must answer."""

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""The seconds until a match in which something is still due is queued again: at first, doubled each time, at most."""

logger = structlog.get_logger(__name__)


class Tries:
    """Remembers which matches were queued, so that matches that fail each time don't fill the queue."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[float, float]] = {}
        """By match and due moment: when it may be queued again, and the wait before that."""

    def due(self, moments: dict[str, str], most: int) -> list[str]:
        """Return the matches to queue now, at most so many. `moments`: when something was due, by match."""
        now, still = monotonic(), moments.items()
        self._known = {key: times for key, times in self._known.items() if key in still}
        ready = [key for key in still if self._known.get(key, (0.0, 0.0))[0] <= now][:most]
        for key in ready:
            wait = min(LONGEST_WAIT, self._known.get(key, (0.0, FIRST_WAIT / 2))[1] * 2)
            self._known[key] = (now + wait, wait)
        return [match_id for match_id, _ in ready]


class ClockSweep:
    """Finds the matches in which something is due. At its start and after an outage it finds all with a clock."""

    def __init__(self, store: Reader, now: clock.Now = clock.now) -> None:
        self._times = Timetable(store)
        self._now = now
        self._tries = Tries()
        self._outage: int | None = None
        self._after: str | None = None
        """The match after which the next page of all begins; None if all were found since the last outage."""

    def look(self) -> list[str]:
        """Return the matches to queue now."""
        due = self._tries.due(self._times.due(clock.stamp(self._now()), PAGE), MATCHES)
        if (outage := self._times.latest_outage()) != self._outage:
            self._outage, self._after = outage, ""
        if self._after is not None and (room := MATCHES - len(due)):
            page = self._times.played(self._after, room)
            self._after = page[-1] if len(page) == room else None
            due += [match_id for match_id in page if match_id not in due]
        return due


class ClockSweeper:
    """Sweeps until it is stopped."""

    def __init__(self, config: Config, stop: Event) -> None:
        """Connect to nothing yet. Raises ValueError if the setting is no URL of a Redis."""
        self._config = config
        self._stop = stop
        self._connection = redis.Redis.from_url(
            config.redis, socket_timeout=ANSWER, socket_connect_timeout=2, health_check_interval=30
        )
        self._queue = Queue(QUEUE, connection=self._connection, serializer=JSONSerializer)
        self._store: Reader | None = None
        self._sweep: ClockSweep | None = None
        self._said = ""

    def run(self) -> None:
        """Sweep at each tick until stopped. While Redis or the store is away, try again."""
        while not self._stop.wait(TICK):
            try:
                self._look()
            except StoreMissing:
                continue  # the web process makes the store when it starts
            except (redis.RedisError, StoreError, OSError) as error:
                self._note(f"{type(error).__name__}: {error}")
            else:
                self._note("")
        if self._store is not None:
            self._store.close()
        self._connection.close()

    def _look(self) -> None:
        if self._store is None:
            self._store = stores.open_to_read(self._config.store_url)
        if self._sweep is None:
            self._sweep = ClockSweep(self._store)
        # while a job waits in the queue no other is needed
        if not self._queue.count:
            match_ids = self._sweep.look()
            self._queue.enqueue_call(JOB, (match_ids,), timeout=TIMEOUT, result_ttl=0, failure_ttl=TIMEOUT)
        metrics.looked(NAME)

    def _note(self, error: str) -> None:
        """Log once when the sweeps begin to fail, and once when they work again."""
        if error and not self._said:
            logger.warning("due decisions can't be looked for; trying again", error=error)
        if self._said and not error:
            logger.info("due decisions are looked for again")
        self._said = error
