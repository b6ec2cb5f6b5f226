"""From where a request comes, and who holds how much of a limited resource.

The address of a request is the peer's, or the one that a trusted proxy names. What is held are connections, or bytes of
requests that have not arrived completely. Nobody is refused as long as there is enough. When there is not enough, the
holder that holds most loses the thing that it has held longest. So one holder can't shut out the others.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Generic, TypeVar

import msgspec

from service.limits.settings import Network

KEPT = 4096
"""The most callers that are remembered, so that their addresses are not parsed at each request."""

LONGEST = 64
"""The most characters of an address with its port; a longer text is no address."""

SITE = 64
"""Bits of an IPv6 address that identify a site. Each machine there chooses the other bits itself, and changes them."""

Address = IPv4Address | IPv6Address


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
        """Return who holds a connection, as `Caller.site`; "" for a proxy that has not said for whom it asks.

        Shape:   as of `caller`.
        """
        proxy, is_trusted = self._peer(peer)
        if not is_trusted:
            return proxy.site
        asking = self.caller(peer, forwarded)
        return "" if asking is proxy else asking.site

    def _read_peer(self, peer: str) -> tuple[Caller, bool]:
        address = parse(peer)
        if address is None:
            return Caller("", "unknown"), False
        is_trusted = _is_in(address, self._proxies)
        return _caller(address, is_exempt=not is_trusted and _is_in(address, self._exempt)), is_trusted

    def _read_forwarded(self, proxy: Caller, forwarded: str) -> Caller:
        """Return the last address that is no trusted proxy: each proxy adds at the right for whom it asks."""
        nearest: Address | None = None
        rest = forwarded
        while rest:
            rest, _, part = rest.rpartition(",")
            if (address := parse(part.strip())) is None:
                break
            nearest = address
            if not _is_in(address, self._proxies):
                break
        return proxy if nearest is None else _caller(nearest)


def parse(said: str) -> Address | None:
    """Return the address in a text, in which a port may follow; None if there is none.

    An IPv4 address that is mapped into IPv6 is returned as IPv4.
    """
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


def _is_in(address: Address, networks: tuple[Network, ...]) -> bool:
    return any(address in network for network in networks)


def _caller(address: Address, *, is_exempt: bool = False) -> Caller:
    site = str(address) if address.version == 4 else str(ip_network((address, SITE), strict=False))
    return Caller(str(address), site, is_exempt)


T = TypeVar("T", bound=Hashable)


class Holders(Generic[T]):
    """The things that are held, by holder. Only one thread may use it."""

    def __init__(self) -> None:
        self._held: dict[T, tuple[Hashable, int]] = {}
        self._of: dict[Hashable, dict[T, None]] = {}
        """The things of each holder, oldest first."""
        self._sums: dict[Hashable, int] = {}
        self.total = 0

    def hold(self, holder: Hashable, thing: T, size: int = 1) -> None:
        """Note that the holder holds the thing, and its size. A thing of size 0 is not held."""
        before, old = self._held.get(thing, (holder, 0))
        if before != holder or size == 0:
            self.let_go(thing)
            old = 0
        if size == 0:
            return
        self._held[thing] = holder, size
        self._of.setdefault(holder, {})[thing] = None
        self._sums[holder] = self._sums.get(holder, 0) + size - old
        self.total += size - old

    def let_go(self, thing: T) -> None:
        """Note that the thing is not held any more. A second call does nothing."""
        if (held := self._held.pop(thing, None)) is None:
            return
        holder, size = held
        self.total -= size
        self._sums[holder] -= size
        del self._of[holder][thing]
        if not self._of[holder]:
            del self._of[holder], self._sums[holder]

    def relieve(self, most: int) -> list[T]:
        """Let go of the oldest things of the holder that holds most, until at most `most` is held. Returns them."""
        gone: list[T] = []
        while self.total > max(0, most):
            holder = max(self._sums, key=self._sums.__getitem__)
            # take half of it before searching for the largest holder again: there may be many holders
            half = self._sums[holder] // 2
            while self.total > most and self._sums.get(holder, 0) > half:
                gone.append(next(iter(self._of[holder])))
                self.let_go(gone[-1])
        return gone
