"""The queues of bot turns, in Redis with RQ: each account has one job in each at a time, so that accounts take turns.

Bots that choose in milliseconds have one queue; those that search have another with its own workers, so that nobody
waits for a thought that is not needed. A match is handed over from the first to the second when a bot is to search.

Everything here may be lost: the log says what is due. Nothing here expires by the time of day, which an operator may
set: a claim or a wait is a value, and the sweeper measures with its monotonic clock how long the value has not changed.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from time import monotonic
from typing import Any, ClassVar

import msgspec
import redis
from rq import Queue
from rq.exceptions import DeserializationError
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.utils import import_attribute

from service.heartbeat import Ages
from service.store import turns
from service.wakeups import CHANNEL

NAME = "foldtable-bots"
THINKERS = "foldtable-thinkers"
CLOCKS_QUEUE = "foldtable-clocks"
REVIEWS_QUEUE = "foldtable-reviews"
PLAY, FIRE, FOLLOW, REVIEW = (
    f"service.jobs.worker.{name}" for name in ("play_bots", "fire_clocks", "follow_orders", "review_matches")
)
"""The functions that jobs run, as the worker finds them."""

ANSWER = 5.0
"""The seconds within which Redis must answer."""

PLAYING = "foldtable:bots:playing"
"""By match, the claim: the worker's share that plays it, and how often the claim was renewed."""

LATER = "foldtable:bots:later"
"""By match, how many seconds it has to wait, after random characters that make each wait a different value."""

FAILED = "foldtable:bots:failed"
"""By match, how often in a row it could not be played."""

SPENT = "foldtable:bots:spent"
"""By account, the moves that its bots have made in this minute."""

ALONG = 8
"""The most accounts that a job takes along at a time if it has room."""

TIMEOUT = 120
"""Seconds after which RQ ends a job; a job ends by itself long before that."""

CLAIM = 3.0
"""Seconds after which a claim that was not renewed is void, and a job that is not in the queue counts as lost."""

KEPT = 3600
"""Seconds for which Redis keeps a failed job, with the kind of its error."""

LONGEST_WAIT = 60
"""The most seconds from a failure to play a match to the next try: at first 1, doubled each time."""

MINUTE = 60.0


def connect(url: str) -> redis.Redis:
    """Return a connection to Redis. Raises ValueError if the URL is no URL."""
    # RQ's worker, which waits for jobs on it, makes the timeout longer than that wait
    return redis.Redis.from_url(url, socket_timeout=ANSWER, socket_connect_timeout=2, health_check_interval=30)


class UnknownJob(Exception):
    """The job runs a function that the service never queues."""


class BotJob(Job):
    """A job of this service. It ignores callbacks, webhooks and other jobs that Redis may name beside its function."""

    def restore(self, raw_data: Any) -> Any:
        super().restore(raw_data)
        self._success_callback_name = self._failure_callback_name = self._stopped_callback_name = None
        self.webhooks = []
        self._dependency_ids = []
        self.repeats_left = None

    @property
    def func(self) -> Any:
        """The function that the job runs, if `known` lists it. Raises UnknownJob."""
        name, instance = self.func_name, self.instance
        if name is None or name not in self.known or instance is not None:
            raise UnknownJob(f"this service never queues a job named {name!r}")
        return import_attribute(name)

    known: ClassVar[Mapping[str, str]] = {
        PLAY: "a bot could not move",
        FIRE: "what is due by the clocks could not be done",
        FOLLOW: "standing orders could not be followed",
        REVIEW: "matches could not be reviewed",
    }
    """By the names of the functions that jobs run, the log line for a job that failed."""

    @property
    def failure(self) -> str:
        """The log line for this job if it fails."""
        try:
            return self.known[self.func_name or ""]
        except (KeyError, DeserializationError):
            return "a job that this service never queues was not done"


def queue_of(connection: redis.Redis, name: str) -> Queue:
    """Return the queue of that name."""
    return Queue(name, connection=connection, serializer=JSONSerializer, job_class=BotJob)


class TurnQueue:
    """The matches that wait for a worker, and the jobs that play them."""

    def __init__(self, connection: redis.Redis, moves: int = 0, name: str = NAME) -> None:
        """`moves`: the most moves of an account's bots in a minute; 0 for no limit. `name`: NAME or THINKERS."""
        self.connection = connection
        self.queue = queue_of(connection, name)
        self._moves = moves
        self.due = f"{name}:due:"
        """Before an account: the key of the set of its matches that wait for a worker."""
        self.queued = f"{name}:queued"
        """The key of the jobs in the queue: by account, the id of its job."""
        self.waiting: dict[str, float] = {}
        """By match that has to wait, until when, in the time of `monotonic`."""
        self._ages = Ages()
        self._minute = monotonic()

    @cached_property
    def thinkers(self) -> TurnQueue:
        """The queue to which matches are handed over."""
        return TurnQueue(self.connection, self._moves, THINKERS)

    def enqueue(self, owed: Sequence[turns.Owed]) -> int:
        """Queue each match that nobody plays and that need not wait. Returns how many jobs that made."""
        if not owed:
            return 0
        ids = [turn.match for turn in owed]
        reads = self.connection.pipeline(transaction=False)
        reads.hmget(PLAYING, ids)
        reads.hmget(LATER, ids)
        claims, waits = reads.execute()
        due: dict[str, list[str]] = {}
        for turn, claim, wait in zip(owed, claims, waits, strict=True):
            if self._is_due(turn.match, claim, wait):
                due.setdefault(turn.account, []).append(turn.match)
        if not due:
            return 0
        writes = self.connection.pipeline(transaction=False)
        for account, matches in due.items():
            writes.sadd(self.due + account, *matches)
            writes.hdel(PLAYING, *matches)
            writes.hdel(LATER, *matches)
        writes.execute()
        return sum(self.call(account) for account in due)

    def unclaimed(self, match_ids: Sequence[str]) -> list[str]:
        """Return the matches that nobody plays. (Most matches that grow are being played.)"""
        claims: Any = self.connection.hmget(PLAYING, list(match_ids))
        return [match_id for match_id, claim in zip(match_ids, claims, strict=True) if not self._holds(match_id, claim)]

    def _holds(self, match_id: str, claim: bytes | None) -> bool:
        return claim is not None and self._ages.of((PLAYING, match_id), claim) < CLAIM

    def _is_due(self, match_id: str, claim: bytes | None, wait: bytes | None) -> bool:
        self.waiting.pop(match_id, None)
        if self._holds(match_id, claim):
            return False
        if wait is not None:
            left = _seconds(wait) - self._ages.of((LATER, match_id), wait)
            if left > 0:
                self.waiting[match_id] = monotonic() + left
                return False
        return True

    def call(self, account: str) -> bool:
        """Queue the account's job. Returns False if one is queued already or its quota is used up."""
        if self._moves and int(self.connection.hget(SPENT, account) or 0) >= self._moves:
            return False
        job_id = f"{re.sub('[^0-9A-Za-z_-]', '-', account) or 'nobody'}-{secrets.token_hex(6)}"
        if not self.connection.hsetnx(self.queued, account, job_id):
            return False
        self.queue.enqueue_call(
            PLAY,
            (account,),
            job_id=job_id,
            timeout=TIMEOUT,
            result_ttl=0,
            failure_ttl=KEPT,
            description=f"bots of {account}",
        )
        return True

    def tidy(self) -> None:
        """Forget jobs that are not in the queue any more, claims that nobody renews, and each minute what was spent."""
        self._forget_lost()
        self.thinkers._forget_lost()
        if monotonic() - self._minute >= MINUTE:
            self._minute = monotonic()
            self.connection.delete(SPENT)
            for hash, least in ((PLAYING, CLAIM), (LATER, LONGEST_WAIT + MINUTE)):
                values = self._all(hash)
                old = [key for key, value in values.items() if self._ages.of((hash, key.decode()), value) > least]
                if old:
                    self.connection.hdel(hash, *old)

    def _forget_lost(self) -> None:
        if queued := self._all(self.queued):
            there = set(self.queue.get_job_ids())
            gone = [account for account, job in queued.items() if job.decode() not in there]
            lost = [one for one in gone if self._ages.of((self.queued, one.decode()), queued[one]) >= CLAIM]
            if lost:
                self.connection.hdel(self.queued, *lost)

    def _all(self, hash: str) -> dict[bytes, bytes]:
        values: Any = self.connection.hgetall(hash)
        return dict(values)


def _seconds(wait: bytes) -> float:
    try:
        return float(wait.rpartition(b":")[2])
    except ValueError:
        return 0.0


class WorkerShare:
    """The matches that a worker has taken to play for a while: of one account, and if there is room of others.

    If two workers play the same match, that does no harm, but the work is done twice.
    """

    def __init__(self, turns: TurnQueue, account: str) -> None:
        """Begin a share of the account, which may have another job in the queue from now on."""
        turns.connection.hdel(turns.queued, account)
        self._turns = turns
        self._connection = turns.connection
        self._accounts = [account]
        self._name = secrets.token_hex(6)
        self._renewed = 0
        self._taken: dict[str, str] = {}
        """By match, the account that it belongs to."""
        self._playing: set[str] = set()
        """The matches that are claimed."""

    @property
    def others(self) -> int:
        """How many jobs wait in the queue; each account that waits has one."""
        return int(self._turns.queue.count)

    def take(self, most: int) -> dict[str, str]:
        """Claim at most so many waiting matches, about as many of each account. Returns them with their accounts."""
        taken = self._pop(self._accounts, most)
        if len(taken) < most and (joined := self._join(most - len(taken))):
            taken |= self._pop(joined, most - len(taken))
        self._claim(taken)
        return taken

    def _pop(self, accounts: list[str], most: int) -> dict[str, str]:
        commands = self._connection.pipeline(transaction=False)
        for account in accounts[:most]:
            commands.spop(self._turns.due + account, max(1, most // len(accounts)))
        taken: dict[str, str] = {}
        for account, match_ids in zip(accounts, commands.execute(), strict=False):
            taken |= dict.fromkeys([match_id.decode() for match_id in match_ids], account)
        self._taken |= taken
        self._playing.update(taken)
        return taken

    def _join(self, most: int) -> list[str]:
        """Take other accounts along: delete their jobs, since their matches are played here. Returns the accounts."""
        waiting: Any = self._connection.hrandfield(self._turns.queued, min(most, ALONG))
        if not waiting:
            return []
        jobs: Any = self._connection.hmget(self._turns.queued, waiting)
        commands = self._connection.pipeline(transaction=False)
        for account, job in zip(waiting, jobs, strict=True):
            if job is not None:
                commands.hdel(self._turns.queued, account)
                commands.lrem(self._turns.queue.key, 1, job.decode())
                commands.delete(BotJob.key_for(job.decode()))
        commands.execute()
        joined = [account.decode() for account in waiting if account.decode() not in self._accounts]
        self._accounts += joined
        return joined

    def renew(self) -> None:
        """Renew the claims of the matches that were not given back."""
        self._renewed += 1
        self._claim(self._playing)

    def release(self, match_ids: Sequence[str]) -> None:
        """Give back matches in which no bot is to act. The sweep looks at them, since a turn may be due since then."""
        commands = self._connection.pipeline(transaction=False)
        commands.hdel(PLAYING, *match_ids)
        commands.hdel(FAILED, *match_ids)
        commands.publish(CHANNEL, msgspec.json.encode(sorted(match_ids)))
        commands.execute()
        self._playing.difference_update(match_ids)

    def hand_over(self, match_id: str) -> None:
        """Leave the match to the workers that think. Its claim stays until one of them takes it, or it lapses."""
        thinkers, account = self._turns.thinkers, self._taken[match_id]
        self._connection.sadd(thinkers.due + account, match_id)
        thinkers.call(account)
        self._playing.discard(match_id)

    def _claim(self, match_ids: Iterable[str]) -> None:
        claim = f"{self._name}:{self._renewed}"
        claims: dict[Any, Any] = dict.fromkeys(match_ids, claim)
        if claims:
            self._connection.hset(PLAYING, mapping=claims)

    def put_off(self, match_id: str, seconds: float) -> None:
        """Let the match wait for so long before a worker plays it."""
        self._connection.hset(LATER, match_id, f"{secrets.token_hex(4)}:{seconds:.3f}")

    def fail(self, match_id: str) -> None:
        """Put off a match that can't be played, longer each time."""
        times = int(self._connection.hincrby(FAILED, match_id, 1))
        self.put_off(match_id, min(LONGEST_WAIT, 2 ** min(times, 10) / 2))

    def close(self, left: Iterable[str], failed: Iterable[str], moves: Mapping[str, int]) -> None:
        """Give all matches back: those in `left` wait for the next job, the others for the sweep. `moves`: by match."""
        left = set(left)
        done = self._playing - left
        commands = self._connection.pipeline(transaction=False)
        for match_id in left:
            commands.sadd(self._turns.due + self._taken[match_id], match_id)
        if self._playing:
            commands.hdel(PLAYING, *self._playing)
        if well := self._playing.difference(failed):
            commands.hdel(FAILED, *well)
        for match_id, number in moves.items():
            commands.hincrby(SPENT, self._taken[match_id], number)
        if done:
            commands.publish(CHANNEL, msgspec.json.encode(sorted(done)))
        for account in self._accounts:
            commands.scard(self._turns.due + account)
        waiting = commands.execute()[-len(self._accounts) :]
        self._taken.clear()
        self._playing.clear()
        for account, number in zip(self._accounts, waiting, strict=True):
            if number:
                self._turns.call(account)
