"""The limits of the service: it counts what each caller asks, and refuses what is too much."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import msgspec

from service.limits.addresses import Addresses
from service.limits.buckets import NEARLY, Buckets
from service.limits.places import Places
from service.limits.settings import ADDRESS, BODIES, KIB, STREAMS, WAITS, Rate, Room, Settings
from service.problems import TooMany

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
