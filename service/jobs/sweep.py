"""Finds what is due in matches and queues jobs for it: turns of bots, standing orders, clocks, and reviews.

A sweep stores nothing. What the queue loses, a later look finds in the store again. All searches are by an index, so
their cost does not grow with the number of open matches.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Event
from time import monotonic

import msgspec
import redis
from rq import Queue
from rq.job import Job

from events.store import Reader, StoreError, match_of
from service import clock, work
from service.config import Config
from service.heartbeat import beat
from service.jobs.queue import CLOCKS_QUEUE, FIRE, FOLLOW, REVIEW, REVIEWS_QUEUE, BotJob, TurnQueue, connect, queue_of
from service.store import Ordered, Reviewed, Timetable, turns
from service.telemetry import OutageLog, metrics
from service.wakeups import CHANNEL

TURNS, THOUGHTS, CLOCKS = "bots", "thinkers", "clocks"
"""The names of the sweeps in metrics."""

PAUSE = 2.0
"""Seconds from one slow look at all open decisions to the next, and between two looks for orders that found none."""

SOON = 0.25
"""Seconds until the next page of a slow look, if there is one."""

EVERY = 0.5
"""Seconds between two looks for orders, and for what the clocks do."""

SHORTEST = 0.02
"""The least seconds between two looks for turns: many commits in a row cause one look."""

TURNS_PAGE = 500
"""The most decisions that are looked at at a time."""

CLOCKS_PAGE = 512
"""The most matches that are read at once from each partition, for each kind of what can be due."""

REVIEWS_PAGE = 16
"""The most matches in a job of reviews."""

TIMEOUT = 60
"""Seconds after which RQ ends a job, and for which Redis keeps one that failed."""

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds until a match in which something is still due is queued again: at first, doubled each time, at most."""


class TurnSweep:
    """Finds the matches in which bots are asked: at once those of `tell`, and slowly all, one page at a time."""

    def __init__(self, store: Reader, work: TurnQueue) -> None:
        self._store = store
        self._work = work
        self._told: set[str] = set()
        self._after = turns.FIRST
        self.due = monotonic()
        """When the next page of the slow look is due."""

    def tell(self, match_ids: Iterable[str]) -> None:
        """Note that these matches were written to."""
        self._told.update(match_ids)

    @property
    def pause(self) -> float:
        """Seconds until there is something to look at, as far as the process knows."""
        soonest = min(self._work.waiting.values(), default=self.due)
        return max(0.0, min(self.due, soonest) - monotonic())

    def look(self) -> int:
        """Queue the turns that are due. Returns how many jobs that made."""
        now = monotonic()
        self._told.update([match_id for match_id, until in self._work.waiting.items() if until <= now])
        made = 0
        told = sorted(self._told)
        for start in range(0, len(told), TURNS_PAGE):
            ids = told[start : start + TURNS_PAGE]
            made += self._work.enqueue(turns.owed_in(self._store, self._work.unclaimed(ids)))
            for match_id in ids:
                if self._work.waiting.get(match_id, now) < now:
                    del self._work.waiting[match_id]
        self._told.clear()
        if now >= self.due:
            self._work.tidy()
            owed, after = turns.owed_after(self._store, self._after, TURNS_PAGE)
            made += self._work.enqueue(owed)
            self._after = after or turns.FIRST
            self.due = monotonic() + (SOON if after else PAUSE)
        return made


class Sweep:
    """Finds matches in which something is due, and queues one job for them, unless such a job waits already."""

    def __init__(
        self,
        find: Callable[[], Sequence[str]],
        queue: Queue,
        job: str,
        *,
        is_steady: bool = False,
        pause: float = PAUSE,
    ) -> None:
        """`find` returns the matches. `pause`: the seconds until the next look after one that found none.

        `is_steady`: queue a job also without matches, so that no number or time of jobs shows who is asked under seal.
        """
        assert job in BotJob.known, "workers run nothing else"
        self._find = find
        self._queue = queue
        self._job = job
        self._is_steady = is_steady
        self._pause = pause
        self._due = monotonic()

    @property
    def pause(self) -> float:
        """Seconds until the next look is due."""
        return max(0.0, self._due - monotonic())

    def look(self) -> bool:
        """Queue a job if a look is due. Returns whether it did. Raises StoreError, RedisError."""
        if self.pause:
            return False
        self._due = monotonic() + EVERY
        name = self._job.rpartition(".")[2]
        if any(job_id.startswith(name) for job_id in self._queue.get_job_ids()):
            return False
        match_ids = list(self._find())
        if not match_ids and not self._is_steady:
            self._due = monotonic() + self._pause
            return False
        job_id = f"{name}-{secrets.token_hex(6)}"
        self._queue.enqueue_call(
            self._job, (match_ids,), job_id=job_id, timeout=TIMEOUT, result_ttl=0, failure_ttl=TIMEOUT
        )
        return True


class OrderSweep:
    """Finds the matches in which standing orders are to be followed, one page at a time."""

    def __init__(self, store: Reader) -> None:
        self._ordered = Ordered(store)
        self._after = ""

    def look(self) -> tuple[str, ...]:
        """Return the matches to queue now."""
        due = self._ordered.due(self._after, work.ORDERS)
        self._after = due[-1] if len(due) == work.ORDERS else ""
        return due


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

    def __init__(self, store: Reader) -> None:
        self._times = Timetable(store)
        self._tries = Tries()
        self._outage: int | None = None
        self._after: str | None = None
        """The match after which the next page of all begins; None if all were found since the last outage."""

    def look(self) -> list[str]:
        """Return the matches to queue now."""
        due = self._tries.due(self._times.due(clock.stamp(clock.now()), CLOCKS_PAGE), work.CLOCKS)
        if (outage := self._times.latest_outage()) != self._outage:
            self._outage, self._after = outage, ""
        if self._after is not None and (room := work.CLOCKS - len(due)):
            page = self._times.played(self._after, room)
            self._after = page[-1] if len(page) == room else None
            due += [match_id for match_id in page if match_id not in due]
        return due


class Sweeper:
    """The loop that runs all sweeps, until it is stopped."""

    def __init__(self, config: Config, store: Reader, stop: Event) -> None:
        """Raises ValueError if the URL of Redis is no URL."""
        self._stop = stop
        self._connection = connect(config.redis)
        bots = TurnQueue(self._connection, config.bot_moves)
        clocks, reviews = (queue_of(self._connection, name) for name in (CLOCKS_QUEUE, REVIEWS_QUEUE))
        metrics.queue(TURNS, partial(age, bots.queue))
        metrics.queue(THOUGHTS, partial(age, bots.thinkers.queue))
        self._sweep = TurnSweep(store, bots)
        self._others = (
            Sweep(OrderSweep(store).look, bots.queue, FOLLOW),
            Sweep(ClockSweep(store).look, clocks, FIRE, is_steady=True),
            # somebody may wait for a hint
            Sweep(partial(Reviewed(store).due, REVIEWS_PAGE), reviews, REVIEW, pause=EVERY),
        )
        self._redis_outage = OutageLog("redis")
        self._store_outage = OutageLog("the store")

    def run(self) -> None:
        """Look at each wake-up. If Redis or the store does not answer, wait until it does."""
        while not self._stop.is_set():
            try:
                self._listen()
            except (redis.RedisError, OSError) as error:
                self._redis_outage.begins(error)
                beat()
                self._stop.wait(1)
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
        pause = min(PAUSE, *(sweep.pause for sweep in (self._sweep, *self._others)))
        end = monotonic() + max(SHORTEST, pause)
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
        self._sweep.tell(map(match_of, streams))

    def _look(self) -> None:
        try:
            self._sweep.look()
            metrics.looked(TURNS)
            for sweep in self._others:
                sweep.look()
            metrics.looked(CLOCKS)
        except StoreError as error:
            self._store_outage.begins(error)
        else:
            self._store_outage.ends()


def age(queue: Queue) -> float:
    """Return for how many seconds the first job has been in the queue; 0 without a job, or if Redis does not answer."""
    try:
        ids = queue.get_job_ids(0, 1)
        jobs: list[Job | None] = queue.job_class.fetch_many(ids, queue.connection, queue.serializer)
    except (redis.RedisError, OSError):
        return 0.0
    since = jobs[0].enqueued_at if jobs and jobs[0] else None
    return 0.0 if since is None else max(0.0, (clock.now() - since).total_seconds())
