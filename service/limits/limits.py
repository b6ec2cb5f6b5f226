"""What anybody may ask for: from where a request comes, how much its asker has used, and what is refused.

The address of a request is the peer's, or the one that a trusted proxy names.

Of each rate each caller has a token bucket: a level that rises with each request and sinks evenly. There are no
windows, so there is no edge of a window at which twice as much would pass. Time is the monotonic clock of the process:
nobody gains anything when the system's clock is set. A full table drops the caller that has not asked for longest.

We use our own buckets and not the windows of the library `limits` (5.8): there, what was used does not come back
evenly; every request waits for Redis (2.4 ms of processor time for a move instead of 1.7); what was counted can't be
taken back; and its windows in memory never forget a caller, or let 6 requests pass where 5 may.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from math import ceil, floor
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from service.limits.places import Places
from service.limits.settings import ADDRESS, BODIES, KIB, WAITS, Network, Rate, Room, Settings
from service.problems import TooMany

if TYPE_CHECKING:
    from service.limits.sharing import Sharing

KEPT = 4096
"""The most callers whose parsed addresses are remembered."""

LONGEST = 64
"""The most characters of an address with its port; a longer text is no address."""

SITE = 64
"""Bits of an IPv6 address that identify a site. Each machine there chooses the other bits itself, and changes them."""

Address = IPv4Address | IPv6Address
T = TypeVar("T", bound=Hashable)


class Caller(msgspec.Struct, frozen=True):
    """From where a request comes."""

    address: str
    """"" if it is not known; then `site` is one name for all such callers."""
    site: str
    """The name that is counted: the address, or for IPv6 its network of 64 bits."""
    is_exempt: bool = False
    """Whether the caller is not counted at all."""


class Addresses:
    """Finds out from where requests come. Any thread may use it."""

    def __init__(self, proxies: tuple[Network, ...], exempt: tuple[Network, ...]) -> None:
        self._proxies = proxies
        self._exempt = exempt
        self._peer = lru_cache(KEPT)(self._read_peer)
        self._known = lru_cache(KEPT)(self._read_forwarded)

    def caller(self, peer: str | None, forwarded: str | None = None, *, is_passed_on: bool = False) -> Caller:
        """Return who makes the request.

        Shape:   `forwarded`: the text of all X-Forwarded-For lines; `is_passed_on`: whether anything in the request
                 says that it went through a proxy. Only a trusted peer is believed. But a peer that seems to be a proxy
                 is not exempt, since then all who come through it would be exempt.
        """
        caller, is_trusted = self._peer(peer or "")
        if is_trusted and forwarded is not None:
            # remember short texts only: two addresses suffice nearly always, and a line may have any length
            read = self._known if len(forwarded) <= 2 * LONGEST else self._read_forwarded
            return read(caller, forwarded)
        if is_passed_on and caller.is_exempt:
            return msgspec.structs.replace(caller, is_exempt=False)
        return caller

    def holder(self, peer: str, forwarded: str | None = None) -> str:
        """Return who holds a connection, as `Caller.site`; "" for a proxy that has not said for whom it asks."""
        proxy, is_trusted = self._peer(peer)
        if not is_trusted:
            return proxy.site
        asking = self.caller(peer, forwarded)
        return "" if asking is proxy else asking.site

    def _read_peer(self, peer: str) -> tuple[Caller, bool]:
        address = parse(peer)
        if address is None:
            return Caller("", "unknown"), False
        is_trusted = any(address in network for network in self._proxies)
        is_exempt = not is_trusted and any(address in network for network in self._exempt)
        return _caller(address, is_exempt=is_exempt), is_trusted

    def _read_forwarded(self, proxy: Caller, forwarded: str) -> Caller:
        """Return the last address that is no trusted proxy: each proxy adds at the right for whom it asks."""
        nearest: Address | None = None
        rest = forwarded
        while rest:
            rest, _, part = rest.rpartition(",")
            if (address := parse(part.strip())) is None:
                break
            nearest = address
            if not any(address in network for network in self._proxies):
                break
        return proxy if nearest is None else _caller(nearest)


def parse(said: str) -> Address | None:
    """Return the address in a text, in which a port may follow; None if there is none. IPv4 in IPv6 becomes IPv4."""
    if len(said) > LONGEST:
        return None
    if said.startswith("["):
        said = said[1:].partition("]")[0]
    elif said.count(":") == 1:
        said = said.partition(":")[0]
    try:
        address = ip_address(said.partition("%")[0])
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def _caller(address: Address, *, is_exempt: bool = False) -> Caller:
    site = str(address) if address.version == 4 else str(ip_network((address, SITE), strict=False))
    return Caller(str(address), site, is_exempt)


class Holders(Generic[T]):
    """Connections, or bytes of incomplete requests, by holder. Only one thread may use it.

    When there is not enough, the holder that holds most loses what it has held longest. So nobody shuts out the others.
    """

    def __init__(self) -> None:
        self._of: dict[Hashable, dict[T, int]] = {}
        """The things of each holder with their sizes, oldest first."""
        self._holders: dict[T, Hashable] = {}
        self._sums: Counter[Hashable] = Counter()
        self.total = 0

    def hold(self, holder: Hashable, thing: T, size: int = 1) -> None:
        """Note that the holder holds the thing, and its size. A thing of size 0 is not held."""
        if size == 0 or self._holders.get(thing, holder) != holder:
            self.let_go(thing)
        if size == 0:
            return
        held = self._of.setdefault(holder, {})
        more = size - held.get(thing, 0)
        self.total += more
        self._sums[holder] += more
        held[thing], self._holders[thing] = size, holder

    def let_go(self, thing: T) -> None:
        """Note that the thing is not held any more. A second call does nothing."""
        if (holder := self._holders.pop(thing, None)) is None:
            return
        size = self._of[holder].pop(thing)
        self.total -= size
        self._sums[holder] -= size
        if not self._of[holder]:
            del self._of[holder], self._sums[holder]

    def relieve(self, most: int) -> list[T]:
        """Let go of the oldest things of the holder that holds most, until at most `most` is held. Returns them."""
        gone: list[T] = []
        while self.total > max(0, most):
            holder = max(self._sums, key=self._sums.__getitem__)
            # take half of it before searching for the largest holder again: there may be many holders
            half = self._sums[holder] // 2
            while self.total > most and self._sums[holder] > half:
                gone.append(next(iter(self._of[holder])))
                self.let_go(gone[-1])
        return gone


MOST = 50_000
"""The most levels that are kept; each takes about 600 bytes."""

NEARLY = 1e-6
"""The most that rounding may have added to a sum."""


@dataclass(slots=True)
class Level:
    """How much one caller has used of one rate."""

    rate: Rate
    at: float
    """A moment of the monotonic clock."""
    used: float = 0.0
    """How much was used at that moment."""
    unsent: float = 0.0
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


class Buckets:
    """All levels of this process. Any thread may use them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._levels: OrderedDict[tuple[str, str], Level] = OrderedDict()
        self._changed: dict[tuple[str, str], None] = {}

    def take(self, wanted: Iterable[tuple[Rate, str]], cost: float) -> tuple[Rate, int] | None:
        """Add the cost to each of the levels, or, if it is too much for one, to none. A cost is at most the whole rate.

        Returns that rate, and the seconds after which it is not too much.
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
            if len(self._levels) >= MOST:
                oldest, _ = self._levels.popitem(last=False)
                self._changed.pop(oldest, None)
            level = self._levels[key] = Level(rate, now)
        else:
            self._levels.move_to_end(key)
            level.sink(now)
        return level

    def shares(self, most: int) -> list[Share]:
        """Return what the other processes do not know yet, of at most `most` levels, to `settle` or to `put_back`."""
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
        self._rates = {one.name: [rate for rate in settings.rates if rate.name == one.name] for one in settings.rates}
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

    def enter(self, name: str, asking: Asking) -> Callable[[], None]:
        """Take a place for a stream, or among the requests that wait. Returns what gives it back. Raises TooMany."""
        rooms = (room for room in self.settings.rooms if room.name == name)
        taken = self.places.take([(room, whom) for room in rooms if (whom := _whom(room, asking))])
        if not isinstance(taken, Room):
            return taken
        if name == WAITS:
            raise TooMany("too-many-wait", limit=taken.id, most=taken.most)
        raise TooMany("too-many-streams", limit=taken.id, most=taken.most)

    def told(self, asking: Asking) -> dict[str, Any]:
        """Return all limits with what the caller has left of each: None where the caller is not counted."""
        rates, rooms = [], []
        for rate in self.settings.rates:
            left = self._standing(rate, whom).left if (whom := _whom(rate, asking)) else None
            rates.append({"name": rate.id, "by": rate.by, "most": rate.most, "seconds": rate.seconds, "left": left})
        for room in self.settings.rooms:
            free = max(0, room.most - self.places.used(room, whom)) if (whom := _whom(room, asking)) else None
            rooms.append({"name": room.id, "by": room.by, "most": room.most, "left": free})
        return {"rates": rates, "at_once": rooms}

    def _of(self, name: str, asking: Asking) -> list[tuple[Rate, str]]:
        return [(rate, whom) for rate in self._rates.get(name, ()) if (whom := _whom(rate, asking))]

    def _standing(self, rate: Rate, whom: str) -> Standing:
        used = self.buckets.used(rate, whom)
        return Standing(rate, max(0, floor(rate.most - used + NEARLY)), ceil(used / rate.a_second))


def _too_many(rate: Rate, after: int) -> TooMany:
    return TooMany("too-fast", limit=rate.id, most=rate.most, seconds=rate.seconds, after=after)


def _whom(limit: Rate | Room, asking: Asking) -> str:
    return asking.site if limit.by == ADDRESS else asking.account
