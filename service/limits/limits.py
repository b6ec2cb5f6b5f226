"""The limits of the service: it counts what each caller asks, and refuses what is too much.

Of each rate each caller has a token bucket: a level that rises with each request and sinks evenly. There are no
windows, so there is no edge of a window at which twice as much would pass. Time is the monotonic clock of the process:
nobody gains anything when the system's clock is set. The table is bounded: when it is full, it drops the caller that
has not asked for the longest time.

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

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping
from math import ceil, floor
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from service.limits.addresses import Addresses
from service.limits.settings import ADDRESS, BODIES, KIB, STREAMS, WAITS, Rate, Room, Settings
from service.problems import TooMany

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


PART = 16
"""A caller that holds less than one in PART of a room's places here is not sent to the other processes. So sixteen
processes together overlook less than one room of places, and the list that is sent stays short, however many callers
there are.
"""


def place_name(room: Room, whom: str) -> str:
    """Return the name under which the processes exchange the count."""
    return f"{room.id} {whom}"


class Places:
    """The places that are taken. Any thread may use them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._taken: dict[str, tuple[Room, int]] = {}
        self._elsewhere: Mapping[str, int] = {}

    def take(self, wanted: Iterable[tuple[Room, str]]) -> Room | Callable[[], None]:
        """Take a place in each of the rooms, or in none if one is full.

        Returns the function that gives the places back (a second call does nothing), or the room that is full.

        Shape:   `wanted`: each room with who is counted in it.
        """
        named = [(room, place_name(room, whom)) for room, whom in wanted]
        with self._lock:
            for room, name in named:
                if self._count(name) + self._elsewhere.get(name, 0) >= room.most:
                    return room
            for room, name in named:
                self._taken[name] = room, self._count(name) + 1
        is_held = True

        def give_back() -> None:
            nonlocal is_held
            with self._lock:
                if not is_held:
                    return
                is_held = False
                for room, name in named:
                    if (left := self._count(name) - 1) > 0:
                        self._taken[name] = room, left
                    else:
                        del self._taken[name]

        return give_back

    def used(self, room: Room, whom: str) -> int:
        """Return how many places of the room are taken, here and in the other processes."""
        name = place_name(room, whom)
        with self._lock:
            return self._count(name) + self._elsewhere.get(name, 0)

    def shares(self) -> dict[str, int]:
        """Return the counts that the other processes must know."""
        with self._lock:
            return {name: count for name, (room, count) in self._taken.items() if count * PART >= room.most}

    def hear(self, others: Iterable[Mapping[str, int]]) -> None:
        """Replace what was known of the other processes by the counts of each."""
        total: Counter[str] = Counter()
        for counts in others:
            total.update(counts)
        with self._lock:
            self._elsewhere = total

    def _count(self, name: str) -> int:
        return self._taken[name][1] if name in self._taken else 0


if TYPE_CHECKING:
    from service.limits.sharing import Sharing


class Asking(msgspec.Struct, frozen=True):
    """Who is counted: an address and an account. "" is not counted."""

    site: str = ""
    account: str = ""


class Standing(msgspec.Struct, frozen=True):
    """How much of a rate a caller has left."""

    rate: Rate
    left: int
    full_in: int
    """Seconds until the whole rate is left again, if the caller asks for nothing more."""


class Limits:
    """Counts and refuses requests. Any thread may use it; no thread ever waits for another process."""

    def __init__(self, settings: Settings, redis: str = "") -> None:
        """`redis`: the URL of the Redis that the processes share; "" if there is none."""
        self.settings = settings
        self._rates: dict[str, list[Rate]] = {}
        for rate in settings.rates:
            self._rates.setdefault(rate.name, []).append(rate)
        self.addresses = Addresses(settings.proxies, settings.exempt)
        self.buckets = Buckets()
        self.places = Places()
        self.sharing: Sharing | None = None
        if redis:
            # imported here: a process that only reads the settings needs no Redis client
            from service.limits.sharing import Sharing

            self.sharing = Sharing(redis, self.buckets, self.places)
            self.sharing.start()

    def close(self) -> None:
        """Stop sharing, after the last counts were sent to the other processes."""
        if self.sharing:
            self.sharing.close()

    def count(self, names: tuple[str, ...], asking: Asking, cost: float = 1.0) -> None:
        """Count a request in the rates of these names. Raises TooMany; then it is counted in none of them."""
        wanted = [pair for name in names for pair in self._of(name, asking)]
        if (over := self.buckets.take(wanted, cost)) is not None:
            raise _too_many(*over)

    def count_body(self, asking: Asking, size: int) -> None:
        """Count a body of `size` bytes. Raises TooMany."""
        self.count((BODIES,), asking, size / KIB)

    def check(self, names: tuple[str, ...], asking: Asking) -> None:
        """Raise TooMany if `count` would, but count nothing."""
        for rate, whom in (pair for name in names for pair in self._of(name, asking)):
            if (over := self.buckets.used(rate, whom) + 1 - rate.most) > NEARLY:
                raise _too_many(rate, max(1, ceil(over / rate.a_second)))

    def standings(self, names: tuple[str, ...], asking: Asking) -> tuple[Standing, ...]:
        """Return what the caller has left of the rates of these names."""
        return tuple(self._standing(rate, whom) for name in names for rate, whom in self._of(name, asking))

    def wait(self, asking: Asking) -> Callable[[], None]:
        """Take a place among the requests that wait. Returns the function that gives it back. Raises TooMany."""
        return self._enter(WAITS, asking, lambda room: TooMany("too-many-wait", limit=room.id, most=room.most))

    def stream(self, asking: Asking) -> Callable[[], None]:
        """Take a place for a stream. Returns the function that gives it back. Raises TooMany."""
        return self._enter(STREAMS, asking, lambda room: TooMany("too-many-streams", limit=room.id, most=room.most))

    def _enter(self, name: str, asking: Asking, full: Callable[[Room], TooMany]) -> Callable[[], None]:
        rooms = (room for room in self.settings.rooms if room.name == name)
        taken = self.places.take([(room, whom) for room in rooms if (whom := _whom(room, asking))])
        if isinstance(taken, Room):
            raise full(taken)
        return taken

    def told(self, asking: Asking) -> dict[str, Any]:
        """Return all limits with what the caller has left of each: None where the caller is not counted."""
        return {
            "rates": [
                {
                    "name": rate.id,
                    "by": rate.by,
                    "most": rate.most,
                    "seconds": rate.seconds,
                    "left": self._standing(rate, whom).left if (whom := _whom(rate, asking)) else None,
                }
                for rate in self.settings.rates
            ],
            "at_once": [
                {
                    "name": room.id,
                    "by": room.by,
                    "most": room.most,
                    "left": max(0, room.most - self.places.used(room, whom)) if (whom := _whom(room, asking)) else None,
                }
                for room in self.settings.rooms
            ],
        }

    def _of(self, name: str, asking: Asking) -> list[tuple[Rate, str]]:
        return [(rate, whom) for rate in self._rates.get(name, ()) if (whom := _whom(rate, asking))]

    def _standing(self, rate: Rate, whom: str) -> Standing:
        used = self.buckets.used(rate, whom)
        return Standing(rate, max(0, floor(rate.most - used + NEARLY)), ceil(used / rate.a_second))


def _too_many(rate: Rate, after: int) -> TooMany:
    return TooMany("too-fast", limit=rate.id, most=rate.most, seconds=rate.seconds, after=after)


def _whom(limit: Rate | Room, asking: Asking) -> str:
    return asking.site if limit.by == ADDRESS else asking.account
