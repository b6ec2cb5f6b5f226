"""Checks where a webhook may be: a name is resolved once, and the connection goes to an address that was checked.

A player chooses a webhook's host name, and the owner of the name chooses its addresses at each moment. So the name is
resolved here, each address is checked, and the connection goes to exactly such an address. If the name were resolved a
second time, it might mean this machine, its neighbours, or the host that gives a cloud's tenants their secrets.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Thread
from typing import Any
from urllib.parse import SplitResult, urlsplit

LONGEST = 2048
"""The most characters of a URL."""

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

NAT64 = IPv6Network("64:ff9b::/96")
"""Each address in it stands for the IPv4 address in its last 32 bits."""

UNICAST = IPv6Network("2000::/3")
"""All addresses that IANA has allocated for public use; all others are private or not used."""

SPECIAL = tuple(
    map(
        ip_network,
        (
            # IANA's IPv4 Special-Purpose Address Registry
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
            *("192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
            *("240.0.0.0/4", "255.255.255.255/32"),
            # IANA's IPv6 registry, the part in 2000::/3; an address in 2002::/16 is checked as its IPv4 address
            *("2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20"),
            # multicast; and Azure's host for its machines, which has a public address
            *("224.0.0.0/4", "168.63.129.16/32"),
        ),
    )
)
"""Networks to which no webhook is sent. The list is ours, because Python's `is_global` differs between releases."""


class AddressRefused(Exception):
    """Nothing may be sent to the address; the text is a code."""


class Destination:
    """The host, port and path of a URL."""

    def __init__(self, url: str) -> None:
        """Raises ValueError for a URL that can't be a webhook's; the text says why."""
        if len(url) > LONGEST or not url.isascii() or any(not 0x20 < ord(char) < 0x7F for char in url):
            raise ValueError(f"A URL has at most {LONGEST} visible ASCII characters.")
        parts = urlsplit(url)
        if parts.scheme not in {"https", "http"} or not parts.hostname:
            raise ValueError("Say https://HOST/PATH.")
        if parts.username is not None or parts.password is not None or "\\" in url or "%" in parts.netloc:
            raise ValueError("A URL names no user, and no zone.")
        self.is_secure = parts.scheme == "https"
        self.host = parts.hostname
        self.port = _port(parts)
        self.target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    @property
    def name(self) -> str:
        """The host and the port, as in the header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_secure else 80) else f"{host}:{self.port}"


def _port(parts: SplitResult) -> int:
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise ValueError("A port is 1 to 65535.")
    return port or (443 if parts.scheme == "https" else 80)


def check(url: str, allowed: Sequence[Network]) -> Destination:
    """Return the URL's destination. Raises ValueError if no webhook may be there, without resolving its name; the text
    says why.
    """
    place = Destination(url)
    literal = _literal(place.host)
    if literal is not None and not is_public(literal) and not _is_in(literal, allowed):
        raise ValueError("This address is not one that everybody can reach.")
    if not place.is_secure and not (literal is None and allowed) and not (literal and _is_in(literal, allowed)):
        raise ValueError("Say https://HOST/PATH.")
    return place


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Return whether the address is public, and not one of SPECIAL."""
    inner = _inner(address)
    return (inner.version == 4 or inner in UNICAST) and not _is_in(inner, SPECIAL)


def _inner(address: Address) -> Address:
    """Return the address that is reached: an IPv6 address may stand for an IPv4 address."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _is_in(address: Address, networks: Sequence[Network]) -> bool:
    inner = _inner(address)
    return any(inner.version == network.version and inner in network for network in networks)


def resolve(place: Destination, allowed: Sequence[Network], patience: float) -> tuple[Any, ...]:
    """Return the socket addresses of the destination, all of which may be connected to, as `socket.getaddrinfo` does.

    Raises:  AddressRefused if there is none, if one of them is private, or if it must use TLS and does not.
    """
    rows = _look_up(place, patience)
    addresses = [ip_address(str(row[4][0]).partition("%")[0]) for row in rows]
    # one private address is enough to refuse: nobody knows to which of them the name leads next
    if not rows or any(not is_public(address) and not _is_in(address, allowed) for address in addresses):
        raise AddressRefused("no-address")
    if not place.is_secure and not all(_is_in(address, allowed) for address in addresses):
        raise AddressRefused("no-tls")
    return tuple(rows)


def _look_up(place: Destination, patience: float) -> list[Any]:
    """Return the rows that `socket.getaddrinfo` gives for the name; none if it takes too long."""
    rows: list[Any] = []

    def ask() -> None:
        try:
            rows.extend(socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError):
            return  # there is no such name: no rows

    # getaddrinfo has no timeout: a thread that is late is left behind
    asking = Thread(target=ask, name="look-up", daemon=True)
    asking.start()
    asking.join(patience)
    return [] if asking.is_alive() else rows
