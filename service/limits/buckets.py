"""Token buckets: how much of each rate each caller has used. A level rises with each request and sinks evenly.

There are no windows, so there is no edge of a window at which twice as much would pass. Time is the monotonic clock
of the process: nobody gains anything when the clock is set. The table is bounded: it drops the caller that has not
asked for longest.

These are ours and not the windows of the library `limits`, which was tried (5.8, in place of `Buckets`):

- Whoever has used all of `60/hour` at once may ask again after 60 seconds here; there after 3596 (sliding window) or
  3600 (moving window). What was used does not come back evenly, as the contract says.
- It counts in Redis while the request waits, a call for each rate. A move took 2.4 ms of processor time in place of 1.7
  (16 callers, two processes, medians of four turns), and every request waits when Redis hangs.
- It can't take back what it has counted: what the limit of an account refuses would still count for its address.
- Its windows in memory never forget a caller (moving), or let 6 pass where 5 may (sliding, ten threads at 5 a second).
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
"""Levels that are kept: some 600 bytes each."""

NEARLY = 1e-6
"""What rounding may have added."""


class Level:
    """How much was used."""

    __slots__ = ("at", "rate", "unsent", "used")

    def __init__(self, rate: Rate, at: float) -> None:
        self.rate = rate
        self.used = 0.0
        """At that moment."""
        self.at = at
        """By the monotonic clock."""
        self.unsent = 0.0
        """What the others were not told of yet; never more than is used."""

    def sink(self, now: float) -> None:
        """Have it as it is now."""
        self.used = max(0.0, self.used - (now - self.at) * self.rate.a_second)
        self.unsent = min(self.unsent, self.used)
        self.at = now


class Share(msgspec.Struct, frozen=True):
    """What one process has to tell the others of a level."""

    rate: Rate
    whom: str
    used: float
    """Without what they were not told of yet."""
    unsent: float


class Buckets:
    """Counts. Any thread may use them."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = Lock()
        self._levels: OrderedDict[tuple[str, str], Level] = OrderedDict()
        self._changed: dict[tuple[str, str], None] = {}

    def __len__(self) -> int:
        return len(self._levels)

    def take(self, wanted: Iterable[tuple[Rate, str]], cost: float) -> tuple[Rate, int] | None:
        """Count it in each of the levels; or in none, when it is too much for one: that one, and in how many seconds
        it is not.

        Shape:   each level as its rate and whom it counts. What costs more than the whole of a rate counts as that.
        """
        now = monotonic()
        with self._lock:
            found = []
            for rate, whom in wanted:
                level = self._level(rate, whom, now)
                costs = min(cost, rate.most)
                if (over := level.used + costs - rate.most) > NEARLY:
                    return rate, max(1, ceil(over / rate.a_second - NEARLY))
                found.append((level, costs, (rate.id, whom)))
            for level, costs, key in found:
                level.used += costs
                level.unsent += costs
                self._changed[key] = None
        return None

    def used(self, rate: Rate, whom: str) -> float:
        """How much they have used; what others know of it will be known here soon."""
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
        """What is to be told, of so many levels at most: to be told, and then settled, or put back."""
        now, found = monotonic(), []
        with self._lock:
            for key in list(self._changed)[:most]:
                del self._changed[key]
                level = self._levels[key]
                level.sink(now)
                found.append(Share(level.rate, key[1], level.used - level.unsent, level.unsent))
        return found

    def settle(self, shares: Iterable[tuple[Share, float]]) -> None:
        """These were told: how much of each was used by all together, this process included."""
        now = monotonic()
        with self._lock:
            for share, used in shares:
                if (level := self._levels.get((share.rate.id, share.whom))) is None:
                    continue
                # what was counted here in the meantime comes on top
                newer = max(0.0, level.unsent - share.unsent)
                level.used, level.unsent, level.at = used + newer, newer, now

    def put_back(self, shares: Iterable[Share]) -> None:
        """These could not be told."""
        with self._lock:
            for share in shares:
                if (share.rate.id, share.whom) in self._levels:
                    self._changed[share.rate.id, share.whom] = None
