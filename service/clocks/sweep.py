"""Sweeps what is due into the queue, by index: what it costs does not grow with the matches that are open.

It keeps nothing that can't be lost, and says the same whatever it finds: one job a tick, with the matches in which
something is due. So neither their number nor their times tell that somebody is asked under seal.
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
"""What is followed for, as metrics tell it."""

QUEUE = "foldtable-clocks"
JOB = "service.bots.job.fire_clocks"

TICK = 0.5
"""Seconds between two jobs."""

TIMEOUT = 60
"""Seconds after which RQ ends a job."""

PAGE = 512
"""Most matches of each sort that are looked at at a time, in each partition."""

ANSWER = 5.0
"""Seconds within which Redis must answer."""

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds until a match in which something stays due is looked at again, doubled each time."""

logger = structlog.get_logger(__name__)


class Tries:
    """What was sent to be looked at, so that what stays due, as it can't be looked after, does not fill the queue."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[float, float]] = {}
        """By match and moment, from when on it may be sent again, and how long it waits then."""

    def due(self, found: dict[str, str], most: int) -> list[str]:
        """The matches that are to be sent now, so many at most."""
        now, still = monotonic(), found.items()
        self._known = {one: times for one, times in self._known.items() if one in still}
        ready = [one for one in still if self._known.get(one, (0.0, 0.0))[0] <= now][:most]
        for one in ready:
            wait = min(LONGEST_WAIT, self._known.get(one, (0.0, FIRST_WAIT / 2))[1] * 2)
            self._known[one] = (now + wait, wait)
        return [match_id for match_id, _ in ready]


class ClockSweep:
    """Finds the matches in which something is due; after an outage, and when it begins, all that a clock runs in."""

    def __init__(self, store: Reader, now: clock.Now = clock.now) -> None:
        self._times = Timetable(store)
        self._now = now
        self._tries = Tries()
        self._outage: int | None = None
        self._after: str | None = None
        """Where the page of all begins; None: all were looked at since the last outage."""

    def look(self) -> list[str]:
        """The matches to be looked at now."""
        found = self._tries.due(self._times.due(clock.stamp(self._now()), PAGE), MATCHES)
        if (outage := self._times.latest_outage()) != self._outage:
            self._outage, self._after = outage, ""
        if self._after is not None and (room := MATCHES - len(found)):
            page = self._times.played(self._after, room)
            self._after = page[-1] if len(page) == room else None
            found += [match_id for match_id in page if match_id not in found]
        return found


class ClockSweeper:
    """Sweeps until it is stopped."""

    def __init__(self, config: Config, stop: Event) -> None:
        """Raises ValueError when the URL of Redis is none."""
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
        """Sweep at each tick. Whatever is away is waited for."""
        while not self._stop.wait(TICK):
            try:
                self._look()
            except StoreMissing:
                continue  # a web process makes it when it starts
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
        # one that is not taken out yet is enough
        if not self._queue.count:
            found = self._sweep.look()
            self._queue.enqueue_call(JOB, (found,), timeout=TIMEOUT, result_ttl=0, failure_ttl=TIMEOUT)
        metrics.looked(NAME)

    def _note(self, error: str) -> None:
        """Say once that the clocks are not looked after, and once that they are again."""
        if error and not self._said:
            logger.warning("what is due can't be looked for; trying again until it can", error=error)
        if self._said and not error:
            logger.info("what is due is looked for again")
        self._said = error
