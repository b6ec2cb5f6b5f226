"""The queue of bot turns, on Redis by RQ: one job an account at a time, so that accounts take turns.

Nothing is kept here that can't be lost: the log says what is due. And nothing here lapses by the time of day, which may
be set: a claim or a wait is a value, and whoever sweeps counts by a clock of its own for how long it has stood.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from time import monotonic
from typing import Any, ClassVar
from urllib.parse import quote

import msgspec
import redis
from cachetools import FIFOCache
from rq import Queue
from rq.exceptions import DeserializationError
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.utils import import_attribute

from service.bots import ordering
from service.clocks import sweep
from service.store import turns
from service.wakeups import CHANNEL

NAME = "foldtable-bots"
JOB = "service.bots.job.play_bots"

DUE = "foldtable:bots:due:"
"""Before an account: the set of its matches that wait for a worker."""

QUEUED = "foldtable:bots:queued"
"""By account, the id of its job in the queue."""

PLAYING = "foldtable:bots:playing"
"""By match, who plays it, and how often they have said so."""

LATER = "foldtable:bots:later"
"""By match, how many seconds it has to wait, after something that makes each wait another one."""

FAILED = "foldtable:bots:failed"
"""By match, how often in a row it could not be played."""

SPENT = "foldtable:bots:spent"
"""By account, the moves that its bots have made in this minute."""

ALONG = 8
"""Most accounts that a job takes along at a time where it has room."""

TIMEOUT = 120
"""Seconds after which RQ ends a job; it ends by itself long before that."""

CLAIM = 3.0
"""Seconds after which a claim or a job that nobody has shown to be alive is void."""

KEPT = 3600
"""Seconds for which a job that failed is remembered, with its error."""

FIRST_WAIT, LONGEST_WAIT = 1, 60
"""Seconds from a match that could not be played to the next try, doubled each time."""

MINUTE = 60.0
AGES = 200_000


def socket_url(path: str) -> str:
    """The URL of a Redis that listens on a socket."""
    return f"unix://{quote(path)}?db=0"


def connect(url: str) -> redis.Redis:
    """Return a connection to Redis. Raises ValueError for a URL that is none."""
    # RQ's worker, which waits for jobs by it, makes the timeout longer than that wait
    return redis.Redis.from_url(url, socket_timeout=sweep.ANSWER, socket_connect_timeout=2, health_check_interval=30)


class UnknownJob(Exception):
    """A job that the service has not put into the queue."""


class BotJob(Job):
    """A job of ours. What else Redis may say of a job, to be run or called when it is done, is not heard."""

    def restore(self, raw_data: Any) -> Any:
        """See `Job.restore`."""
        super().restore(raw_data)
        self._success_callback_name = self._failure_callback_name = self._stopped_callback_name = None
        self.webhooks = []
        self._dependency_ids = []
        self.repeats_left = None

    @property
    def func(self) -> Any:
        """What the job runs, by the list of what may be. Raises NotOurs."""
        name, instance = self.func_name, self.instance
        if name is None or name not in self.known or instance is not None:
            raise UnknownJob(f"a job named {name!r} is none of ours")
        return import_attribute(name)

    known: ClassVar[Mapping[str, str]] = {
        JOB: "a bot could not move",
        sweep.JOB: "what is due by the clocks could not be done",
        ordering.JOB: "standing orders could not be followed",
    }
    """By the names of the functions that jobs run, what is logged of a job that failed."""

    @property
    def failure(self) -> str:
        """What is logged of it when it failed."""
        try:
            return self.known[self.func_name or ""]
        except (KeyError, DeserializationError):
            return "a job that is none of ours was not done"


class Ages:
    """For how long values have been what they are, by a clock that nobody sets."""

    def __init__(self, size: int = AGES) -> None:
        self._since: FIFOCache[tuple[str, str], tuple[bytes, float]] = FIFOCache(size)

    def of(self, hash: str, field: str, value: bytes) -> float:
        """Seconds since the field was seen first with this value."""
        known = self._since.get((hash, field))
        now = monotonic()
        if known is None or known[0] != value:
            self._since[hash, field] = known = (value, now)
        return now - known[1]


class TurnQueue:
    """The matches that wait for a worker, and the jobs that play them."""

    def __init__(self, connection: redis.Redis, moves: int = 0) -> None:
        """`moves`: the most that an account's bots make in a minute; 0: as many as they can."""
        self.connection = connection
        self.queue = Queue(NAME, connection=connection, serializer=JSONSerializer, job_class=BotJob)
        self.waiting: dict[str, float] = {}
        """By match that has to wait, until when by `monotonic`."""
        self._moves = moves
        self._ages = Ages()
        self._minute = monotonic()

    def enqueue(self, owed: Sequence[turns.Owed]) -> int:
        """Have each match played for which nobody does so and which need not wait: how many jobs that made."""
        if not owed:
            return 0
        ids = [one.match for one in owed]
        asked = self.connection.pipeline(transaction=False)
        asked.hmget(PLAYING, ids)
        asked.hmget(LATER, ids)
        claims, waits = asked.execute()
        due: dict[str, list[str]] = {}
        for one, claim, wait in zip(owed, claims, waits, strict=True):
            if self._is_due(one.match, claim, wait):
                due.setdefault(one.account, []).append(one.match)
        if not due:
            return 0
        told = self.connection.pipeline(transaction=False)
        for account, matches in due.items():
            told.sadd(DUE + account, *matches)
            told.hdel(PLAYING, *matches)
            told.hdel(LATER, *matches)
        told.execute()
        return sum(self.call(account) for account in due)

    def unclaimed(self, match_ids: Sequence[str]) -> list[str]:
        """Those of the matches that nobody plays: most of those that grow are being played."""
        claims: Any = self.connection.hmget(PLAYING, list(match_ids))
        return [one for one, claim in zip(match_ids, claims, strict=True) if not self._holds(one, claim)]

    def _holds(self, match_id: str, claim: bytes | None) -> bool:
        return claim is not None and self._ages.of(PLAYING, match_id, claim) < CLAIM

    def _is_due(self, match_id: str, claim: bytes | None, wait: bytes | None) -> bool:
        self.waiting.pop(match_id, None)
        if self._holds(match_id, claim):
            return False
        if wait is not None:
            left = _seconds(wait) - self._ages.of(LATER, match_id, wait)
            if left > 0:
                self.waiting[match_id] = monotonic() + left
                return False
        return True

    def call(self, account: str) -> bool:
        """Have a job for the account in the queue: whether there was none, and it may have one."""
        if self._moves and int(self.connection.hget(SPENT, account) or 0) >= self._moves:
            return False
        job_id = f"{re.sub('[^0-9A-Za-z_-]', '-', account) or 'nobody'}-{secrets.token_hex(6)}"
        if not self.connection.hsetnx(QUEUED, account, job_id):
            return False
        self.queue.enqueue_call(
            JOB,
            (account,),
            job_id=job_id,
            timeout=TIMEOUT,
            result_ttl=0,
            failure_ttl=KEPT,
            description=f"bots of {account}",
        )
        return True

    def tidy(self) -> None:
        """Forget jobs that got lost on their way, claims that nobody renews, and what was spent a minute ago."""
        queued: dict[bytes, bytes] = self._all(QUEUED)
        if queued:
            there = set(self.queue.get_job_ids())
            lost = [
                account
                for account, job in queued.items()
                if job.decode() not in there and self._ages.of(QUEUED, account.decode(), job) >= CLAIM
            ]
            if lost:
                self.connection.hdel(QUEUED, *lost)
        if monotonic() - self._minute >= MINUTE:
            self._minute = monotonic()
            self.connection.delete(SPENT)
            for hash, least in ((PLAYING, CLAIM), (LATER, LONGEST_WAIT + MINUTE)):
                found = self._all(hash)
                old = [key for key, value in found.items() if self._ages.of(hash, key.decode(), value) > least]
                if old:
                    self.connection.hdel(hash, *old)

    def _all(self, hash: str) -> dict[bytes, bytes]:
        found: Any = self.connection.hgetall(hash)
        return dict(found)


def _seconds(wait: bytes) -> float:
    try:
        return float(wait.rpartition(b":")[2])
    except ValueError:
        return 0.0


class WorkerShare:
    """The matches that a worker has taken to play for a while: of one account, and where there is room of others that
    wait.

    Two workers that play the same one do no harm, but twice the work.
    """

    def __init__(self, turns: TurnQueue, account: str) -> None:
        self._turns = turns
        self._connection = turns.connection
        self._accounts = [account]
        self._name = secrets.token_hex(6)
        self._renewed = 0
        self._taken: dict[str, str] = {}
        """By match, whose it is."""
        self._playing: set[str] = set()
        """Those of them that are claimed."""

    @classmethod
    def begin(cls, turns: TurnQueue, account: str) -> WorkerShare:
        """From now on the account may have another job in the queue."""
        turns.connection.hdel(QUEUED, account)
        return cls(turns, account)

    @property
    def others(self) -> int:
        """How many accounts wait."""
        return int(self._turns.queue.count)

    def take(self, most: int) -> dict[str, str]:
        """Matches that wait, so many at most, of each account about as many, with whose they are; they are claimed."""
        taken = self._pop(self._accounts, most)
        if len(taken) < most and (joined := self._join(most - len(taken))):
            taken |= self._pop(joined, most - len(taken))
        self._claim(taken)
        return taken

    def _pop(self, accounts: list[str], most: int) -> dict[str, str]:
        asked = self._connection.pipeline(transaction=False)
        for account in accounts[:most]:
            asked.spop(DUE + account, max(1, most // len(accounts)))
        taken: dict[str, str] = {}
        for account, found in zip(accounts, asked.execute(), strict=False):
            taken |= dict.fromkeys([match_id.decode() for match_id in found], account)
        self._taken |= taken
        self._playing.update(taken)
        return taken

    def _join(self, most: int) -> list[str]:
        """Accounts that wait, and whose matches are played here from now on, so that they need no job."""
        found: Any = self._connection.hrandfield(QUEUED, min(most, ALONG))
        if not found:
            return []
        jobs: Any = self._connection.hmget(QUEUED, found)
        told = self._connection.pipeline(transaction=False)
        for account, job in zip(found, jobs, strict=True):
            if job is not None:
                told.hdel(QUEUED, account)
                told.lrem(self._turns.queue.key, 1, job.decode())
                told.delete(BotJob.key_for(job.decode()))
        told.execute()
        joined = [account.decode() for account in found if account.decode() not in self._accounts]
        self._accounts += joined
        return joined

    def renew(self) -> None:
        """Claim once more what was taken and not given back."""
        self._renewed += 1
        self._claim(self._playing)

    def release(self, match_ids: Sequence[str]) -> None:
        """Give back those in which no bot is to act: the sweep looks at them, a turn may have come due meanwhile."""
        told = self._connection.pipeline(transaction=False)
        told.hdel(PLAYING, *match_ids)
        told.hdel(FAILED, *match_ids)
        told.publish(CHANNEL, msgspec.json.encode(sorted(match_ids)))
        told.execute()
        self._playing.difference_update(match_ids)

    def _claim(self, match_ids: Iterable[str]) -> None:
        claim = f"{self._name}:{self._renewed}"
        claims: dict[Any, Any] = dict.fromkeys(match_ids, claim)
        if claims:
            self._connection.hset(PLAYING, mapping=claims)

    def put_off(self, match_id: str, seconds: float) -> None:
        """Have nobody play the match for so long."""
        self._connection.hset(LATER, match_id, f"{secrets.token_hex(4)}:{seconds:.3f}")

    def fail(self, match_id: str) -> None:
        """It can't be played: wait longer each time."""
        times = int(self._connection.hincrby(FAILED, match_id, 1))
        self.put_off(match_id, min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(times, 10) / 2))

    def close(self, left: Iterable[str], failed: Iterable[str], moves: Mapping[str, int]) -> None:
        """Give all back: those that were left wait for the next job; the sweep looks at the others, in which a turn may
        have come due meanwhile. `moves`: by match, how many were made.
        """
        left = set(left)
        done = self._playing - left
        told = self._connection.pipeline(transaction=False)
        for match_id in left:
            told.sadd(DUE + self._taken[match_id], match_id)
        if self._playing:
            told.hdel(PLAYING, *self._playing)
        if well := self._playing.difference(failed):
            told.hdel(FAILED, *well)
        for match_id, number in moves.items():
            told.hincrby(SPENT, self._taken[match_id], number)
        if done:
            told.publish(CHANNEL, msgspec.json.encode(sorted(done)))
        for account in self._accounts:
            told.scard(DUE + account)
        waiting = told.execute()[-len(self._accounts) :]
        self._taken.clear()
        self._playing.clear()
        for account, number in zip(self._accounts, waiting, strict=True):
            if number:
                self._turns.call(account)
