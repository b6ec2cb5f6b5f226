"""The metrics for Prometheus. Each process has one registry, and answers for it at its own address.

Processes do not share their numbers through files, which prometheus-client also offers: such files outlive the process
that wrote them, know no gauges that are computed when they are read, and would be written at each move.

No metric names a match, a seat or a player. An answer under seal changes only `foldtable_requests_total` and what
follows from it (processor time, bytes of memory). So no metric shows how many have answered, what they answered, or
whose bot had to.

Refused moves are not counted until their match is over. Only the seat that was refused learns of a refusal: that
somebody tried to win against a rule reveals something of a hand. With one match on the server, a counter by clause
would reveal that. Once the match is over, all cards are open.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from threading import Lock
from time import monotonic

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, disable_created_metrics
from prometheus_client.metrics_core import Metric

logger = structlog.get_logger(__name__)

HELD = 4096
"""The most matches whose refusals are held. Beyond it, those of the oldest match are counted without their clauses."""

LOOKS = 64
"""The most matches that are checked at one reading: it bounds the cost of a reading."""

OTHER = "other"
"""The clause of refusals that were counted before their match was over."""


class Refusals:
    """The refusals of matches that are not over. Any thread may use it."""

    def __init__(self, tell: Callable[[str, str, int], object]) -> None:
        """`tell` counts refusals: it takes the game, the clause, and how many they are."""
        self._tell = tell
        self._lock = Lock()
        self._held: collections.OrderedDict[str, collections.Counter[tuple[str, str]]] = collections.OrderedDict()

    def note(self, match: str, game: str, clause: str) -> None:
        """Hold a refusal of the match."""
        with self._lock:
            self._held.setdefault(match, collections.Counter())[game, clause] += 1
            gone = self._held.popitem(last=False)[1] if len(self._held) > HELD else collections.Counter()
        for (gone_game, _), times in gone.items():
            self._tell(gone_game, OTHER, times)

    def release(self, is_over: Callable[[str], bool]) -> None:
        """Count the refusals of matches that are over. Each call checks the next LOOKS matches in turn."""
        with self._lock:
            looked = list(self._held)[:LOOKS]
            for match in looked:
                self._held.move_to_end(match)
        for match in looked:
            if not is_over(match):
                continue
            with self._lock:
                refused = self._held.pop(match, collections.Counter())
            for (game, clause), times in refused.items():
                self._tell(game, clause, times)


# nobody may see when something was counted for the first time
disable_created_metrics()  # type: ignore[no-untyped-call]


class Registry(CollectorRegistry):
    """The registry: it counts refusals of matches that are over, and lets other greenlets run between two metrics."""

    is_over: Callable[[str], bool] | None = None
    """Returns whether a match is over. It may raise, and is called again then: the other metrics are still shown."""

    def collect(self) -> Iterator[Metric]:
        try:
            if self.is_over:
                refusals.release(self.is_over)
        except Exception as error:
            logger.warning("the store can't be asked which matches are over", kind=type(error).__name__)
        for metric in super().collect():
            yield metric
            # not `from time import sleep`: gevent replaces time.sleep when it patches the module
            time.sleep(0)


REGISTRY = Registry()
ProcessCollector(registry=REGISTRY)

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

ANSWERED = (0.005, 0.01, 0.025, 0.08, 0.25, 1.0, 5.0)
"""Fewer buckets, since each route has them all."""

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods with a label; all others are counted as one, `other`."""

SHORTEST = 5.0
"""Seconds that a bot's turn is in the queue before the metric shows it, so that only trouble appears."""

_counter, _gauge = partial(Counter, registry=REGISTRY), partial(Gauge, registry=REGISTRY)
_histogram = partial(Histogram, registry=REGISTRY)

_moves = _counter(
    "foldtable_moves",
    "Moves that everybody may see: all sealed answers together are one move, when they are opened.",
    ["game"],
)
_refusals = _counter(
    "foldtable_refusals",
    "Moves that the rules refused, by clause (or by code, if there is no clause), in matches that are over.",
    ["game", "clause"],
)
_appends = _histogram(
    "foldtable_append_seconds", "Time until new events of a match's log are durable.", buckets=SECONDS
)
_stale = _counter(
    "foldtable_stale_versions", "Decisions that were made again, because somebody else wrote to the match in between."
)
_requests = _counter("foldtable_requests", "Answered requests.", ["route", "method", "status"])
_request_seconds = _histogram(
    "foldtable_request_seconds",
    "Time until the answer, for requests that do not ask to wait.",
    ["route", "method"],
    buckets=ANSWERED,
)
_waiters = _gauge("foldtable_waiters", "Requests that wait for a match to move on.")
_behind = _gauge(
    "foldtable_follower_behind_events",
    "Events that a follower still has to handle, in the partitions of this process.",
    ["follower"],
)
_lag = _gauge("foldtable_follower_lag_seconds", "Time since a follower last saw everything in the store.", ["follower"])
_queue_age = _gauge(
    "foldtable_queue_age_seconds", "Age of the oldest turn of a bot in the queue; 0 for less than 5.", ["queue"]
)
_bot = _histogram(
    "foldtable_bot_seconds",
    "Time in which a bot chooses a move that is not under seal.",
    ["bot"],
    buckets=(0.0001, 0.00025, 0.0005, *SECONDS),
)
_part = _gauge("foldtable_process", "1; the label is the kind of process.", ["process"])

refusals = Refusals(lambda game, clause, times: _refusals.labels(game, clause).inc(times))
appended = _appends.observe
"""Note how many seconds an append took."""
stale = _stale.inc
"""Count a decision that was made again."""

# to find a counter by its labels anew takes longer than to count
_moves_of, _thoughts_of = cache(_moves.labels), cache(_bot.labels)
_requests_of, _seconds_of = cache(_requests.labels), cache(_request_seconds.labels)


def part(process: str) -> None:
    """Note which kind of process this is."""
    _part.labels(process).set(1)


def moved(game: str) -> None:
    """Count a move that everybody may see."""
    _moves_of(game).inc()


def answered(route: str, method: str, status: str, seconds: float | None) -> None:
    """Count an answered request; `seconds` is None if the request asked to wait."""
    if method not in METHODS:
        method = "other"
    _requests_of(route, method, status).inc()
    if seconds is not None:
        _seconds_of(route, method).observe(seconds)


def thought(bot: str, seconds: float) -> None:
    """Note how long a bot took to choose."""
    _thoughts_of(bot).observe(seconds)


def looked(follower: str) -> None:
    """Note that the follower has just seen everything in the store."""
    at = monotonic()
    _lag.labels(follower).set_function(lambda: monotonic() - at)


def behind(follower: str, events: int) -> None:
    """Note how many events the follower still has to handle, in the partitions that this process follows."""
    _behind.labels(follower).set(events)


def queue(name: str, age: Callable[[], float]) -> None:
    """Set the function that returns the age of the oldest turn in a queue; it is called when the metric is read."""

    def shown() -> float:
        seconds = age()
        return seconds if seconds >= SHORTEST else 0.0

    _queue_age.labels(name).set_function(shown)


def waiters(count: Callable[[], int]) -> None:
    """Set the function that returns how many requests wait; it is called when the metric is read."""
    _waiters.set_function(lambda: float(count()))
