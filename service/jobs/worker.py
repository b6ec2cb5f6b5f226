"""The worker: it takes jobs from the queue and does them, one after the other.

It is RQ's SimpleWorker, which does not fork: a job is pure code and HTTP, 2 ms against 7 ms of latency, and the states
that a job has folded stay for the next job. If the process is killed, its supervisor starts another, and a sweep finds
the turn again.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from functools import partial
from threading import Event
from types import FrameType
from typing import Any, Self

import msgspec
import redis
import structlog
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer

from bots.search.cores import Cores
from replays.log import OtherRules
from service.config import Config
from service.heartbeat import beat
from service.jobs.door import Door, Unanswered
from service.jobs.player import BotPlayer
from service.jobs.queue import (
    CLOCKS_QUEUE,
    NAME,
    REVIEWS_QUEUE,
    THINKERS,
    BotJob,
    TurnQueue,
    UnknownJob,
    WorkerShare,
    connect,
    queue_of,
)
from service.jobs.reviewer import MatchReviewer
from service.telemetry import OutageLog

PAUSE = 1.0
"""Seconds between two tries to reach Redis."""

ALIVE = 19
"""Seconds for which Redis counts a worker as alive. RQ waits 15 seconds less for a job, and then gives a sign of life.
"""

SAID = (Unanswered, OtherRules, UnknownJob, redis.RedisError, OSError)
"""Errors whose texts may be logged: they are about requests and versions, never about a hand."""

logger = structlog.get_logger(__name__)


class Worker(SimpleWorker):
    """A worker that ends its job early when it is to stop, and runs only jobs that this service queues."""

    job_class = BotJob
    stop: Event

    @classmethod
    def on(cls, stop: Event, *queues: Queue) -> Self:
        """Return a worker for these queues. It takes jobs from the first queue before the others."""
        worker = cls(
            list(queues),
            connection=queues[0].connection,
            job_class=cls.job_class,
            serializer=JSONSerializer,
            worker_ttl=ALIVE,
        )
        worker.stop = stop
        # RQ's default wait is up to three minutes
        worker.max_connection_wait_time = PAUSE
        return worker

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        self.stop.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def _install_signal_handlers(self) -> None:
        """See `BaseWorker`. A worker that was told to stop before this does not wait for another signal."""
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]  # RQ has no type for it
        if self.stop.is_set():
            self._stop_requested = True

    def subscribe(self) -> None:
        """Take no commands from Redis: this saves a thread, which would outlive a connection."""

    def unsubscribe(self) -> None:
        """See `subscribe`."""

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """See `BaseWorker.heartbeat`. It also gives a sign of life to the process that started this one."""
        beat()
        super().heartbeat(timeout, pipeline)

    def procline(self, message: str) -> None:
        """Do nothing: the process keeps its name."""

    def handle_job_failure(self, job: Job, queue: Any, started_job_registry: Any = None, exc_string: str = "") -> None:
        """See `BaseWorker.handle_job_failure`. Redis keeps only the kind of the error: its text may reveal a hand."""
        kind = sys.exc_info()[0]
        name = kind.__name__ if kind else ""
        super().handle_job_failure(job, queue, started_job_registry, name)

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """Log the failure. The error's text is logged only if it is one of SAID: another text may reveal a hand."""
        assert isinstance(job, BotJob), "all are, by `job_class`"
        kind, error, _ = exc_info
        more = {"error": str(error)} if isinstance(error, SAID) else {}
        logger.warning(job.failure, job=job.id, kind=kind.__name__, **more)


def work(config: Config, url: str, stop: Event, *, thinks: bool = False) -> None:
    """Do jobs until `stop` is set; if Redis does not answer, wait until it does. Raises ValueError for a wrong URL.

    `thinks`: do the jobs of bots that search, and no others.
    """
    if thinks:
        os.nice(POLITE)  # and so those that it starts
    connection = connect(config.redis)
    turns = TurnQueue(connection, config.bot_moves, THINKERS if thinks else NAME)
    prepare(config, url, stop, turns, thinks=thinks)
    for name in ("rq.worker", "rq.job", "rq.queue"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    outage = OutageLog("redis")
    # the jobs of the clocks come before those of bots, since they are short and few; reviews come after thoughts
    other = queue_of(connection, REVIEWS_QUEUE if thinks else CLOCKS_QUEUE)
    worker = partial(Worker.on, stop, *((turns.queue, other) if thinks else (other, turns.queue)))
    _heed(stop)
    while not stop.is_set():
        beat()
        try:
            connection.ping()
            outage.ends()
            worker().work(logging_level="CRITICAL")
        except (redis.RedisError, OSError) as error:
            outage.begins(error)
        except StopRequested:
            stop.set()
        finally:
            # RQ's worker leaves its signal handler behind, which raises when there is no job to end
            _heed(stop)
        stop.wait(PAUSE)
    connection.close()


def prepare(config: Config, url: str, stop: Event, turns: TurnQueue, *, thinks: bool = False) -> None:
    """Make what the jobs of this process work with."""
    global _tools  # noqa: PLW0603  # RQ calls a function by its name, and can't pass them
    door = Door(url, config.worker_said or config.worker_token)
    cores = Cores(config.think_cores) if thinks and config.think_cores > 1 else None
    player = BotPlayer(door, stop, config.packs, thinks=thinks, cores=cores)
    _tools = _Tools(door, player, MatchReviewer(door, stop, player.fold, cores=cores), turns)


def _heed(stop: Event) -> None:
    """Stop when the process is told to."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())


POLITE = 10
"""By how much a worker that thinks lets other processes go first: a search takes all the time that it is given."""

LONGEST = 0.1
"""The most seconds for which one account's bots play while other accounts wait; less if many wait."""

SHORTEST = 0.02

ROUND = 0.4
"""Seconds in which every waiting account should have its turn."""


class _Tools(msgspec.Struct):
    """What the jobs of this process work with."""

    door: Door
    player: BotPlayer
    reviewer: MatchReviewer
    turns: TurnQueue
    """The turns that it plays, or if it thinks, thinks about."""


_tools: _Tools | None = None


def _ours() -> _Tools:
    assert _tools is not None, "`work` has prepared them"
    return _tools


def play_bots(account: str) -> int:
    """Play the bots of the account's matches. Returns how many moves they made.

    Raises:  Unanswered, as the other jobs do; a later sweep queues the matches again.
    """
    share = WorkerShare(_ours().turns, account)
    return _ours().player.play(share, min(LONGEST, max(SHORTEST, ROUND / (1 + share.others))))


def fire_clocks(match_ids: list[str]) -> None:
    """Do what is due in these matches; the service also notes that the clocks are looked after. Raises Unanswered."""
    _ours().door.post("/api/clocks", {"matches": match_ids})


def follow_orders(match_ids: list[str]) -> None:
    """Follow the standing orders of the seats that are asked in these matches. Raises Unanswered."""
    _ours().door.post("/api/orders", {"matches": match_ids})


def review_matches(match_ids: list[str]) -> None:
    """Go on with reviews of these matches, until a bot is to think. Raises Unanswered."""
    _ours().reviewer.review(match_ids, lambda: _ours().turns.queue.count > 0)
