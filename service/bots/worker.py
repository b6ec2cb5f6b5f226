"""The worker: takes bot turns out of the queue and plays them, one after the other.

It is RQ's SimpleWorker, which does not fork: a job is pure code and HTTP, 2 ms against 7 ms of latency, and what it
has folded stays for the next job. If the process is killed, its supervisor starts another, and a sweep finds the turn.
"""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable
from threading import Event
from types import FrameType
from typing import Any, Self

import redis
import structlog
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer

from replays.log import OtherRules
from service.bots import job
from service.bots.door import Unanswered
from service.bots.queue import BotJob, TurnQueue, UnknownJob, connect
from service.clocks import sweep
from service.config import Config
from service.heartbeat import beat
from service.telemetry import OutageLog

PAUSE = 1.0
"""Seconds between two tries to reach Redis."""

ALIVE = 19
"""Seconds for which Redis believes that a worker lives. RQ waits 15 less for a job, and then gives a sign of life."""

SAID = (Unanswered, OtherRules, UnknownJob, redis.RedisError, OSError)
"""Errors whose words are about requests and versions, never about what is in somebody's hand."""

logger = structlog.get_logger(__name__)


class Worker(SimpleWorker):
    """Ends the job at hand early when it is to stop, and runs nothing but jobs of ours."""

    job_class = BotJob
    stop: Event

    @classmethod
    def on(cls, stop: Event, *queues: Queue) -> Self:
        """One for these queues, the first one before the others."""
        worker = cls(
            list(queues),
            connection=queues[0].connection,
            job_class=cls.job_class,
            serializer=JSONSerializer,
            worker_ttl=ALIVE,
        )
        worker.stop = stop
        # by itself it would wait up to three minutes
        worker.max_connection_wait_time = PAUSE
        return worker

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """See `BaseWorker.request_stop`."""
        self.stop.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def _install_signal_handlers(self) -> None:
        """See `BaseWorker`. Who was told to stop before it heeds signals does not wait to be told again."""
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]  # RQ has no type for it
        if self.stop.is_set():
            self._stop_requested = True

    def subscribe(self) -> None:
        """No commands are taken from Redis: one thread less, that would outlive a connection."""

    def unsubscribe(self) -> None:
        """See `subscribe`."""

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """See `BaseWorker.heartbeat`; whoever started this process is told too."""
        beat()
        super().heartbeat(timeout, pipeline)

    def procline(self, message: str) -> None:
        """The process keeps the name that it was started by."""

    def handle_job_failure(self, job: Job, queue: Any, started_job_registry: Any = None, exc_string: str = "") -> None:
        """See `BaseWorker.handle_job_failure`. Redis keeps the error's kind only: its words may tell of a hand."""
        kind = sys.exc_info()[0]
        said = kind.__name__ if kind else ""
        super().handle_job_failure(job, queue, started_job_registry, said)

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """A line. Only what the service itself has said is repeated: another error's words may tell of a hand."""
        assert isinstance(job, BotJob), "all are, by `job_class`"
        kind, error, _ = exc_info
        said = {"error": str(error)} if isinstance(error, SAID) else {}
        logger.warning(job.failure, job=job.id, kind=kind.__name__, **said)


def work(config: Config, url: str, stop: Event) -> None:
    """Play for bots until it is stopped. Raises ValueError for an URL that is none."""
    job.prepare(config, url, stop)
    keep_working(config, stop, lambda connection: Worker.on(stop, _due(connection), TurnQueue(connection).queue))


def _due(connection: redis.Redis) -> Queue:
    """What is due by a clock: it comes first, for it is short, and comes once in a while."""
    return Queue(sweep.QUEUE, connection=connection, serializer=JSONSerializer, job_class=BotJob)


def keep_working(config: Config, stop: Event, worker: Callable[[redis.Redis], Worker]) -> None:
    """Work until it is stopped. A Redis that is away is waited for. Raises ValueError for an URL that is none."""
    for name in ("rq.worker", "rq.job", "rq.queue"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    outage = OutageLog("redis")
    connection = connect(config.redis)
    _heed(stop)
    while not stop.is_set():
        beat()
        try:
            connection.ping()
            outage.ends()
            worker(connection).work(logging_level="CRITICAL")
        except (redis.RedisError, OSError) as error:
            outage.begins(error)
        except StopRequested:
            stop.set()
        finally:
            # RQ's worker leaves its own behind, which raises when there is no job to end
            _heed(stop)
        stop.wait(PAUSE)
    connection.close()


def _heed(stop: Event) -> None:
    """Stop when the process is told to."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
