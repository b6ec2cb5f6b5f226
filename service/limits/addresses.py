"""From where a request comes: the peer's word, or that of a proxy that an operator trusts."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import msgspec

from service.limits.settings import Network

KEPT = 4096
"""Callers that are remembered, so that none is read anew at each request."""

LONGEST = 64
"""Characters of an address with its port; whatever is longer is none."""

SITE = 64
"""Bits of an IPv6 address that tell a site: the rest of it each machine there chooses, and changes, by itself."""

Address = IPv4Address | IPv6Address


class Caller(msgspec.Struct, frozen=True):
    """From where a request comes."""

    address: str
    """"" when it is not known; a name of its own, then, for all of whom that is so."""
    site: str
    """What is counted: the address, of IPv6 its network of 64 bits."""
    is_exempt: bool = False
    """Whether it is not counted at all."""


class Addresses:
    """Tells from where requests come. Any thread may ask."""

    def __init__(self, proxies: tuple[Network, ...], exempt: tuple[Network, ...]) -> None:
        self._proxies = proxies
        self._exempt = exempt
        self._peer = lru_cache(KEPT)(self._read_peer)
        self._known = lru_cache(KEPT)(self._read_forwarded)

    def caller(self, peer: str | None, forwarded: str | None = None, *, is_passed_on: bool = False) -> Caller:
        """Who asks.

        Shape:   `forwarded` is what X-Forwarded-For says, of several such lines all; `is_passed_on`: whether anything
                 in the request says that it went through a proxy. Nobody who is not trusted is believed; but whoever
                 seems to be a proxy is not exempt, since all who come through it would be.
        """
        found, is_trusted = self._peer(peer or "")
        if is_trusted and forwarded is not None:
            # the last two addresses are enough for nearly all, and no more is kept of a line of any length
            read = self._known if len(forwarded) <= 2 * LONGEST else self._read_forwarded
            return read(found, forwarded)
        if is_passed_on and found.is_exempt:
            return msgspec.structs.replace(found, is_exempt=False)
        return found

    def holder(self, peer: str, forwarded: str | None = None) -> str:
        """Return who holds a connection, as `Caller.site`; "" for a proxy that has not said for whom it asks.

        Shape:   as of `caller`.
        """
        found, is_trusted = self._peer(peer)
        if not is_trusted:
            return found.site
        asking = self.caller(peer, forwarded)
        return "" if asking is found else asking.site

    def _read_peer(self, peer: str) -> tuple[Caller, bool]:
        address = parse(peer)
        if address is None:
            return Caller("", "unknown"), False
        is_trusted = _is_in(address, self._proxies)
        return _caller(address, is_exempt=not is_trusted and _is_in(address, self._exempt)), is_trusted

    def _read_forwarded(self, proxy: Caller, forwarded: str) -> Caller:
        """The nearest that no trusted proxy is: each of them adds at the right whom it has asked for."""
        nearest: Address | None = None
        rest = forwarded
        while rest:
            rest, _, said = rest.rpartition(",")
            if (address := parse(said.strip())) is None:
                break
            nearest = address
            if not _is_in(address, self._proxies):
                break
        return proxy if nearest is None else _caller(nearest)


def parse(said: str) -> Address | None:
    """The address, which a port may follow; None when it is none. One of IPv4 in IPv6's clothes is one of IPv4."""
    if len(said) > LONGEST:
        return None
    if said.startswith("["):
        said = said[1:].partition("]")[0]
    elif said.count(":") == 1:
        said = said.partition(":")[0]
    try:
        found = ip_address(said.partition("%")[0])
    except ValueError:
        return None
    return (isinstance(found, IPv6Address) and found.ipv4_mapped) or found


def _is_in(address: Address, networks: tuple[Network, ...]) -> bool:
    return any(address in network for network in networks)


def _caller(address: Address, *, is_exempt: bool = False) -> Caller:
    site = str(address) if address.version == 4 else str(ip_network((address, SITE), strict=False))
    return Caller(str(address), site, is_exempt)
