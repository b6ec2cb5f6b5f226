"""What `service deliver` runs: a worker of its own queue, so that slow receivers hold up no bot, and a sweep beside it.

The sweep looks for what is due, by the table, and has a job for each account in the queue; so nothing is lost with it.
A job only begins deliveries: each is sent by a thread, and there are so many at most.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from threading import Event, Semaphore, Thread
from time import monotonic
from typing import ClassVar

import redis
import structlog
from rq import Queue
from rq.serializers import JSONSerializer

from events.store import StoreError
from service import folder
from service.bots import BotJob, OutageLog, Worker, connect, keep_working
from service.config import Config
from service.run.follow import wait_for_store
from service.signing import Signer
from service.telemetry import metrics
from service.webhooks import Courier, Sender, job

NAME = "webhooks-sent"
"""What is looked for, as metrics tell it."""

EVERY = 0.5
"""Seconds between two looks at what is due."""

TIDY = 3600.0
"""Seconds between two times at which what is old is forgotten."""

PLACES = 64
"""Deliveries under way at a time."""

PATIENCE = 2.0
"""Seconds that a job waits for a place, and then leaves it to a later one."""

ENDING = 5.0
"""Seconds for what is under way, once it is to stop; what is cut off is delivered once more."""

ACCOUNTS = 500
"""Accounts that are looked at at a time."""

logger = structlog.get_logger(__name__)


class Parcel(BotJob):
    """A job of this queue."""

    known: ClassVar[Mapping[str, str]] = {job.JOB: "deliveries could not be begun"}


class Porter(Worker):
    """Takes the jobs."""

    job_class = Parcel


class Slots:
    """So many things may be under way at a time, each on a thread of its own."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._free = Semaphore(size)

    def begin(self, deed: Callable[[], None]) -> bool:
        """Have it done; False when there is no place before long."""
        if not self._free.acquire(timeout=PATIENCE):
            return False
        # whoever is slow is left behind when the process ends
        Thread(target=self._do, args=(deed,), name="delivery", daemon=True).start()
        return True

    def _do(self, deed: Callable[[], None]) -> None:
        try:
            deed()
        except Exception as error:
            # its words may tell of a URL, which is its owner's business
            logger.error("unforeseen", kind=type(error).__name__)
        finally:
            self._free.release()

    def close(self, seconds: float) -> None:
        """Wait for what is under way, for so long."""
        end = monotonic() + seconds
        for _ in range(self._size):
            if not self._free.acquire(timeout=max(0.0, end - monotonic())):
                return


class DeliverySweep:
    """Has a job in the queue for each account to which something is due."""

    def __init__(self, courier: Courier, connection: redis.Redis) -> None:
        self._courier = courier
        self.queue = queue_on(connection)
        self._tidied = monotonic()

    def look(self) -> int:
        """How many jobs were put into the queue. Raises StoreError, RedisError."""
        made = 0
        if accounts := self._courier.waiting(ACCOUNTS):
            queued = {one.rpartition("-")[0] for one in self.queue.get_job_ids()}
            for account in accounts:
                if account not in queued:
                    self._call(account)
                    made += 1
        if monotonic() - self._tidied > TIDY:
            self._tidied = monotonic()
            self._courier.tidy()
        return made

    def _call(self, account: str) -> None:
        self.queue.enqueue_call(
            job.JOB,
            (account,),
            job_id=f"{account}-{secrets.token_hex(6)}",
            timeout=120,
            result_ttl=0,
            failure_ttl=3600,
            description=f"webhooks of {account}",
        )

    def run(self, stop: Event) -> None:
        """Look again and again until it is stopped. Whatever is away is waited for."""
        away, out = OutageLog("redis"), OutageLog("the store")
        while not stop.wait(EVERY):
            try:
                self.look()
            except (redis.RedisError, OSError) as error:
                away.begins(error)
            except StoreError as error:
                out.begins(error)
            else:
                away.ends()
                out.ends()
                metrics.looked(NAME)


def queue_on(connection: redis.Redis) -> Queue:
    """The queue of deliveries."""
    return Queue(job.NAME, connection=connection, serializer=JSONSerializer, job_class=Parcel)


def deliver(config: Config, stop: Event) -> None:
    """Deliver until it is stopped. Raises ValueError for a URL of Redis that is none; StoreUnusable, by its kinds."""
    if (effects := wait_for_store(config, stop)) is None:
        return
    places = Slots(PLACES)
    signer = Signer(folder.prepare(config).secret)
    courier = Courier(effects.log, signer, Sender(config.webhook_private), config.address, places.begin)
    job.prepare(courier)
    connection = connect(config.redis)
    sweep = DeliverySweep(courier, connection)
    thread = Thread(target=sweep.run, args=(stop,), name=NAME)
    thread.start()
    try:
        keep_working(config, stop, lambda connection: Porter.on(stop, queue_on(connection)))
    finally:
        stop.set()
        thread.join()
        places.close(ENDING)
        connection.close()
        effects.close()
