"""Sends one signed POST request to a URL that a stranger has chosen: to a checked address, in bounded time and size.

A player chooses a webhook's host name, and the owner of the name chooses its addresses at each moment. So the name is
resolved here once, each address is checked, and the connection goes to exactly such an address. If the name were
resolved a second time, it might mean this machine, its neighbours, or the host that gives a cloud's tenants their
secrets.

Messages are signed as Standard Webhooks (standardwebhooks.com), version 1, says: the signature covers the id, the
moment and the body, and uses the webhook's own secret. So the receiver can check who sent the message, that nobody has
changed it, and that it is not an old message sent again.

It uses no HTTP client library, since none can do all of this: the connection goes to the checked address itself, it
follows no redirects, uses no proxy, reads the answer's status and no body, and ends at a fixed moment in any case.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import socket
import ssl
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from threading import Thread
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from service.limits import Network
from service.outbox import ChannelOutcome
from service.store import deliveries

LONGEST = 2048
"""The most characters of a URL."""

Address = IPv4Address | IPv6Address

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
        if len(url) > LONGEST or not all("!" <= char <= "~" for char in url):
            raise ValueError(f"A URL has at most {LONGEST} visible ASCII characters.")
        parts = urlsplit(url)
        if parts.scheme not in {"https", "http"} or not parts.hostname:
            raise ValueError("Write https://HOST/PATH.")
        if parts.username is not None or parts.password is not None or "\\" in url or "%" in parts.netloc:
            raise ValueError("A URL can't contain a user or a zone.")
        self.is_secure = parts.scheme == "https"
        self.host = parts.hostname
        self._usual_port = 443 if self.is_secure else 80
        try:
            self.port = self._usual_port if parts.port is None else parts.port
        except ValueError:
            self.port = 0
        if self.port == 0:
            raise ValueError("A port is 1 to 65535.")
        self.target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    @property
    def name(self) -> str:
        """The host and the port, as in the header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == self._usual_port else f"{host}:{self.port}"


def check(url: str, allowed: Sequence[Network]) -> Destination:
    """Return the URL's destination. Raises ValueError, which says why, if no webhook may be there; resolves no name."""
    place = Destination(url)
    literal = _literal(place.host)
    if literal is not None and not is_public(literal) and not _is_in(literal, allowed):
        raise ValueError("This address is not one that everybody can reach.")
    if not place.is_secure and not (literal is None and allowed) and not (literal and _is_in(literal, allowed)):
        raise ValueError("Write https://HOST/PATH.")
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
    """Return the destination's socket addresses, as `socket.getaddrinfo` does. Raises AddressRefused."""
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


PREFIX = "whsec_"
"""The prefix of a secret, by which people and programs recognise it as a secret."""


ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
"""The names of the headers."""


def fresh_secret() -> str:
    """Return a new secret of 256 random bits."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode("ascii")


def sign(secret: str, id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message that is sent at the moment `timestamp`, in whole seconds since 1970."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signature = hmac.digest(key, b"%s.%d.%s" % (id.encode(), timestamp, body), hashlib.sha256)
    return f"v1,{base64.b64encode(signature).decode('ascii')}"


def headers(keys: Iterable[str], id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of a message, with a signature by each of the secrets: the receiver must know one of them."""
    signatures = " ".join([sign(secret, id, timestamp, body) for secret in keys])
    return {ID: id, TIMESTAMP: str(timestamp), SIGNATURE: signatures}


PATIENCE = 10.0
"""Seconds for the whole request."""

HEAD = 1 << 14
"""The number of bytes of an answer after which no more is read."""

STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [^\r\n]*)?\r?\n")
AFTER = re.compile(rb"\r?\nretry-after:[ \t]*([0-9]{1,6})[ \t]*\r?\n", re.IGNORECASE)
END = re.compile(rb"\r?\n\r?\n")


class Sender:
    """Sends requests to webhooks. Any thread may use it."""

    def __init__(self, allowed: Sequence[Network], patience: float = PATIENCE) -> None:
        """`allowed`: private networks to which requests may go, also without TLS."""
        self._allowed = tuple(allowed)
        self._patience = patience
        self._tls = ssl.create_default_context()
        self._tls.set_alpn_protocols(["http/1.1"])

    def send(self, url: str, headers: Mapping[str, str], body: bytes) -> ChannelOutcome:
        """Send a POST request. Returns the result, also if nothing could be sent."""
        end = monotonic() + self._patience
        try:
            place = Destination(url)
            addresses = resolve(place, self._allowed, self._patience / 2)
            with closing(self._connect(place, addresses, end)) as connection:
                _limit(connection, end)
                connection.sendall(_request(place, headers, body))
                return _answer(connection, end)
        except AddressRefused as error:
            return _failed(None, str(error))
        except TimeoutError:
            return _failed(None, "timeout")
        except ssl.SSLError:
            # before ValueError: an error of a certificate is also a ValueError
            return _failed(None, "tls")
        except ValueError:
            return _failed(None, "no-address")
        except OSError:
            return _failed(None, "no-connection")

    def _connect(self, place: Destination, addresses: Sequence[Any], end: float) -> socket.socket:
        """Return a connection to the first of the addresses that answers. Raises OSError, TimeoutError."""
        error: OSError = TimeoutError()
        for family, kind, protocol, _, address in addresses:
            connection = socket.socket(family, kind, protocol)
            try:
                _limit(connection, end)
                connection.connect(address)
                _limit(connection, end)
                return self._tls.wrap_socket(connection, server_hostname=place.host) if place.is_secure else connection
            except OSError as failed:
                connection.close()
                error = failed
        raise error


def _limit(connection: socket.socket, end: float) -> None:
    """Let the next operation end in time. Raises TimeoutError."""
    left = end - monotonic()
    if left <= 0:
        raise TimeoutError
    connection.settimeout(left)


def _request(place: Destination, headers: Mapping[str, str], body: bytes) -> bytes:
    every = {"Host": place.name, **headers, "Content-Length": str(len(body)), "Connection": "close"}
    lines = [f"POST {place.target} HTTP/1.1", *(f"{name}: {value}" for name, value in every.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + body


def _answer(connection: socket.socket, end: float) -> ChannelOutcome:
    """Return what the head of the answer says. Raises OSError, TimeoutError."""
    heard = b""
    for _ in range(4):  # answers, interim ones and the final one
        while (headed := END.search(heard)) is None:
            _limit(connection, end)
            more = connection.recv(4096) if len(heard) <= HEAD else b""
            if not more:
                return _told(heard)
            heard += more
        outcome = _told(heard[: headed.end()])
        if outcome.answer is None or outcome.answer >= 200:
            return outcome
        heard = heard[headed.end() :]
    return _failed(None, "no-http")


def _told(head: bytes) -> ChannelOutcome:
    status = STATUS.match(head)
    if status is None:
        return _failed(None, "no-http")
    answer = int(status[1])
    if 200 <= answer < 300:
        return ChannelOutcome(answer=answer)
    if 300 <= answer < 400:
        # not followed: it may lead anywhere, and a player whose receiver has moved can change the webhook's URL
        return _failed(answer, "redirected")
    after = AFTER.search(head)
    return _failed(answer, "status", int(after[1]) if after else 0)


def _failed(answer: int | None, problem: str, after: int = 0) -> ChannelOutcome:
    return ChannelOutcome(deliveries.WAITING, answer, problem, after)
