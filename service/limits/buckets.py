"""Token buckets: how much of each rate each caller has used. A level rises with each request and sinks evenly.

There are no windows, so there is no edge of a window at which twice as much would pass. Time is the monotonic clock
of the process: nobody gains anything when the system's clock is set. The table is bounded: when it is full, it drops
the caller that has not asked for the longest time.

We use our own buckets and not the windows of the library `limits`. We tried it (5.8, in place of `Buckets`):

- A caller that has used all of `60/hour` at once may ask again after 60 seconds here; with the library after 3596
  (sliding window) or 3600 (moving window). There, what was used does not come back evenly, as the contract says.
- It counts in Redis while the request waits, with one call for each rate. A move took 2.4 ms of processor time instead
  of 1.7 (16 callers, two processes, medians of four turns), and every request waits when Redis hangs.
- It can't take back what it has counted: a request that an account's limit refuses would still count for its address.
- Its windows in memory never forget a caller (moving), or let 6 requests pass where 5 may (sliding, ten threads at 5 a
  second).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from math import ceil
from threading import Lock
from time import monotonic

import msgspec

from service.limits.settings import Rate

MOST = 50_000
"""The most levels that are kept; each takes about 600 bytes."""

NEARLY = 1e-6
"""The most that rounding may have added to a sum."""


class Level:
    """How much one caller has used of one rate."""

    __slots__ = ("at", "rate", "unsent", "used")

    def __init__(self, rate: Rate, at: float) -> None:
        self.rate = rate
        self.used = 0.0
        """How much was used at the moment `at`."""
        self.at = at
        """A moment of the monotonic clock."""
        self.unsent = 0.0
        """The part of `used` that the other processes do not know yet."""

    def sink(self, now: float) -> None:
        """Bring the level to the moment `now`."""
        self.used = max(0.0, self.used - (now - self.at) * self.rate.a_second)
        self.unsent = min(self.unsent, self.used)
        self.at = now


class Share(msgspec.Struct, frozen=True):
    """The message of one process to the others about a level."""

    rate: Rate
    whom: str
    used: float
    """How much was used, without `unsent`."""
    unsent: float
    """How much was used that the other processes do not know yet."""


class Buckets:
    """All levels of this process. Any thread may use them."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = Lock()
        self._levels: OrderedDict[tuple[str, str], Level] = OrderedDict()
        self._changed: dict[tuple[str, str], None] = {}

    def __len__(self) -> int:
        return len(self._levels)

    def take(self, wanted: Iterable[tuple[Rate, str]], cost: float) -> tuple[Rate, int] | None:
        """Add the cost to each of the levels. If that is too much for one level, add nothing, and return its rate and
        the seconds after which it is not too much.

        Shape:   `wanted`: each level as its rate and whom it counts. A cost above the whole rate counts as the whole.
        """
        now = monotonic()
        with self._lock:
            levels = []
            for rate, whom in wanted:
                level = self._level(rate, whom, now)
                costs = min(cost, rate.most)
                if (over := level.used + costs - rate.most) > NEARLY:
                    return rate, max(1, ceil(over / rate.a_second - NEARLY))
                levels.append((level, costs, (rate.id, whom)))
            for level, costs, key in levels:
                level.used += costs
                level.unsent += costs
                self._changed[key] = None
        return None

    def used(self, rate: Rate, whom: str) -> float:
        """Return how much `whom` has used, as this process knows, and ask for what the other processes know."""
        with self._lock:
            level = self._level(rate, whom, monotonic())
            self._changed[rate.id, whom] = None
            return level.used

    def _level(self, rate: Rate, whom: str, now: float) -> Level:
        key = rate.id, whom
        level = self._levels.get(key)
        if level is None:
            if len(self._levels) >= self._most:
                oldest, _ = self._levels.popitem(last=False)
                self._changed.pop(oldest, None)
            level = self._levels[key] = Level(rate, now)
        else:
            self._levels.move_to_end(key)
            level.sink(now)
        return level

    def shares(self, most: int) -> list[Share]:
        """Return what the other processes do not know yet, of at most `most` levels.

        The caller sends the shares, and then calls `settle`, or `put_back` if they could not be sent.
        """
        now, shares = monotonic(), []
        with self._lock:
            for key in list(self._changed)[:most]:
                del self._changed[key]
                level = self._levels[key]
                level.sink(now)
                shares.append(Share(level.rate, key[1], level.used - level.unsent, level.unsent))
        return shares

    def settle(self, shares: Iterable[tuple[Share, float]]) -> None:
        """Take over the levels after the shares were sent: with each share, how much all processes have used."""
        now = monotonic()
        with self._lock:
            for share, used in shares:
                if (level := self._levels.get((share.rate.id, share.whom))) is None:
                    continue
                # add what was counted here in the meantime
                newer = max(0.0, level.unsent - share.unsent)
                level.used, level.unsent, level.at = used + newer, newer, now

    def put_back(self, shares: Iterable[Share]) -> None:
        """Note that these shares could not be sent: they are sent again later."""
        with self._lock:
            for share in shares:
                if (share.rate.id, share.whom) in self._levels:
                    self._changed[share.rate.id, share.whom] = None
