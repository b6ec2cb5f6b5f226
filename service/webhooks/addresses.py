"""Where a webhook may be: looked up once, and what was looked at is what is connected to.

Whoever makes one chooses a name, and its owner what that name means at each moment. So the name is resolved here, each
address is judged, and the connection goes to the very address that was: asked a second time the name might mean this
machine, its neighbours, or the one that tells a cloud's tenants their secrets.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Thread
from typing import Any
from urllib.parse import SplitResult, urlsplit

LONGEST = 2048
"""Characters of a URL."""

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

NAT64 = IPv6Network("64:ff9b::/96")
"""Each address in it stands for the IPv4 address in its last bits."""

UNICAST = IPv6Network("2000::/3")
"""All that IANA has allocated to be reached by everybody; whatever lies beside it is somebody's own, or nobody's."""

SPECIAL = tuple(
    map(
        ip_network,
        (
            # IANA's IPv4 Special-Purpose Address Registry
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
            *("192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
            *("240.0.0.0/4", "255.255.255.255/32"),
            # its IPv6 one, as far as it lies in 2000::/3; 2002::/16 is judged by what it holds
            *("2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20"),
            # multicast; and Azure's host, which each machine there reaches at a public address
            *("224.0.0.0/4", "168.63.129.16/32"),
        ),
    )
)
"""What no webhook is sent to. It is our own list: what Python takes for public differs between its releases."""


class AddressRefused(Exception):
    """It can't be sent there; the text is a code."""


class Destination:
    """Where a URL leads."""

    def __init__(self, url: str) -> None:
        """Raises ValueError for a URL that can't be a webhook's; the words say why."""
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
        """Host and port, as the header Host has them."""
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
    """The place. Raises ValueError when it can't be a webhook's, whatever its name means; the words say why."""
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
    """Whether anybody can reach it, and nobody but its owner is behind it."""
    inner = _inner(address)
    return (inner.version == 4 or inner in UNICAST) and not _is_in(inner, SPECIAL)


def _inner(address: Address) -> Address:
    """The address that is reached by it: an IPv6 address may be a way to write an IPv4 one."""
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
    """The socket addresses of the place, each of which may be connected to: family, kind and address.

    Raises:  Refused when it has none, when one of them is private, or when it must be TLS and is not.
    """
    found = _look_up(place, patience)
    addresses = [ip_address(str(one[4][0]).partition("%")[0]) for one in found]
    # of a name that means both, nobody knows what it means next
    if not found or any(not is_public(one) and not _is_in(one, allowed) for one in addresses):
        raise AddressRefused("no-address")
    if not place.is_secure and not all(_is_in(one, allowed) for one in addresses):
        raise AddressRefused("no-tls")
    return tuple(found)


def _look_up(place: Destination, patience: float) -> list[Any]:
    """What the system says of the name, if it does so in time."""
    told: list[Any] = []

    def ask() -> None:
        try:
            told.extend(socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError):
            return  # there is no such name: nothing is told

    # the system can't be asked for less patience: whoever is late is left behind
    asking = Thread(target=ask, name="look-up", daemon=True)
    asking.start()
    asking.join(patience)
    return [] if asking.is_alive() else told
