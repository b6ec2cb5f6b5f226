"""What is counted and timed, for Prometheus. One registry a process: each is asked at an address of its own.

Several processes do not share their numbers by files (prometheus-client's other way): those outlive who wrote them,
know no gauges that are asked when they are read, and would be written at each move.

No metric names a match, a seat or a player, and none but `foldtable_requests_total` and what follows from it (processor
time, bytes of memory) changes by an answer under seal: neither how many have answered, nor what, nor whose bot had to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from time import monotonic

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, disable_created_metrics
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import Metric

from service.telemetry.refusals import Refusals

# when something was counted for the first time is nobody's business
disable_created_metrics()  # type: ignore[no-untyped-call]

_before: list[Callable[[], object]] = []


class Registry(CollectorRegistry):
    """Has done what is to be done before the metrics are read, and lets others have their turn between two metrics."""

    def collect(self) -> Iterator[Metric]:
        """See `CollectorRegistry.collect`."""
        for call in tuple(_before):
            call()
        for metric in super().collect():
            yield metric
            # by its module: where one loop does everything it is another one since
            time.sleep(0)


REGISTRY = Registry()
ProcessCollector(registry=REGISTRY)

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

ANSWERED = (0.005, 0.01, 0.025, 0.08, 0.25, 1.0, 5.0)
"""Fewer: they are told of each route."""

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Whatever else somebody calls theirs is one method."""

SHORTEST = 5.0
"""Seconds for which a bot's turn may lie in the queue before it is told: none that is played as it should be is."""

_moves = Counter(
    "foldtable_moves",
    "Moves that all were told of: answers under seal are one, once they are opened.",
    ["game"],
    registry=REGISTRY,
)
_refusals = Counter(
    "foldtable_refusals",
    "Moves that the rules refused, by clause (or by code, where no clause says it), in matches that are over.",
    ["game", "clause"],
    registry=REGISTRY,
)
_appends = Histogram(
    "foldtable_append_seconds",
    "Until what a match's log grows by is durable.",
    buckets=SECONDS,
    registry=REGISTRY,
)
_stale = Counter(
    "foldtable_stale_versions",
    "Decisions made again, since somebody else wrote to the match in between.",
    registry=REGISTRY,
)
_requests = Counter("foldtable_requests", "Requests answered.", ["route", "method", "status"], registry=REGISTRY)
_request_seconds = Histogram(
    "foldtable_request_seconds",
    "Until a request is answered that does not ask to wait.",
    ["route", "method"],
    buckets=ANSWERED,
    registry=REGISTRY,
)
_waiters = Gauge("foldtable_waiters", "Requests that wait for a match to move on.", registry=REGISTRY)
_behind = Gauge(
    "foldtable_follower_behind_events",
    "Events that a follower has yet to take, in the partitions that the process follows.",
    ["follower"],
    registry=REGISTRY,
)
_lag = Gauge(
    "foldtable_follower_lag_seconds",
    "Since a follower last saw all that was in the store.",
    ["follower"],
    registry=REGISTRY,
)
_queue_age = Gauge(
    "foldtable_queue_age_seconds",
    "For which the oldest turn of a bot lies in the queue; 0 for less than 5.",
    ["queue"],
    registry=REGISTRY,
)
_bot = Histogram(
    "foldtable_bot_seconds",
    "In which a bot chooses a move that is not under seal.",
    ["bot"],
    buckets=(0.0001, 0.00025, 0.0005, *SECONDS),
    registry=REGISTRY,
)
_part = Gauge("foldtable_process", "1; what the process is.", ["process"], registry=REGISTRY)

refusals = Refusals(lambda game, clause, times: _refusals.labels(game, clause).inc(times))
appended = _appends.observe
"""Took so many seconds to append."""
stale = _stale.inc
"""Was decided again."""

_moved: dict[str, Counter] = {}
_thought: dict[str, Histogram] = {}
_answered: dict[tuple[str, str, str], Counter] = {}
_timed: dict[tuple[str, str], Histogram] = {}


def part(process: str) -> None:
    """Which part of the service this process is."""
    _part.labels(process).set(1)


def moved(game: str) -> None:
    """All were told of a move."""
    if (bound := _moved.get(game)) is None:
        bound = _moved[game] = _moves.labels(game)
    bound.inc()


def answered(route: str, method: str, status: str, seconds: float | None) -> None:
    """A request by that route was answered; None where it was asked to wait."""
    if method not in METHODS:
        method = "other"
    if (bound := _answered.get((route, method, status))) is None:
        bound = _answered[route, method, status] = _requests.labels(route, method, status)
    bound.inc()
    if seconds is None:
        return
    if (timed := _timed.get((route, method))) is None:
        timed = _timed[route, method] = _request_seconds.labels(route, method)
    timed.observe(seconds)


def thought(bot: str, seconds: float) -> None:
    """A bot has chosen."""
    if (bound := _thought.get(bot)) is None:
        bound = _thought[bot] = _bot.labels(bot)
    bound.observe(seconds)


def looked(follower: str) -> None:
    """The follower has just seen all that is in the store."""
    at = monotonic()
    _lag.labels(follower).set_function(lambda: monotonic() - at)


def behind(follower: str, events: int) -> None:
    """The follower has so many events before it, in the partitions that this process follows."""
    _behind.labels(follower).set(events)


def queue(name: str, age: Callable[[], float]) -> None:
    """Have the age of the oldest in a queue asked when it is read."""

    def told() -> float:
        seconds = age()
        return seconds if seconds >= SHORTEST else 0.0

    _queue_age.labels(name).set_function(told)


def waiters(count: Callable[[], int]) -> None:
    """Have it asked how many wait when it is read."""
    _waiters.set_function(lambda: float(count()))


def before_reading(call: Callable[[], object]) -> None:
    """Have this done each time before the metrics are read."""
    _before.append(call)


def forget(call: Callable[[], object]) -> None:
    """Have it done no longer."""
    if call in _before:
        _before.remove(call)


def exposition() -> bytes:
    """Return all metrics in Prometheus' text format."""
    return generate_latest(REGISTRY)
