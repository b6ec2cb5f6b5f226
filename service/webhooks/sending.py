"""Sends one POST request to a URL that a stranger has chosen: to an address that was checked, in bounded time and size.

It uses no HTTP client library, since none can do all of this: the connection goes to the checked address itself, it
follows no redirects, uses no proxy, reads the answer's status and no body, and ends at a fixed moment in any case.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import closing
from time import monotonic
from typing import Any

import msgspec

from service.webhooks.addresses import AddressRefused, Destination, Network, resolve

PATIENCE = 10.0
"""Seconds for the whole request."""

HEAD = 1 << 14
"""The number of bytes of an answer after which no more is read."""

STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [^\r\n]*)?\r?\n")
AFTER = re.compile(rb"\r?\nretry-after:[ \t]*([0-9]{1,6})[ \t]*\r?\n", re.IGNORECASE)
END = re.compile(rb"\r?\n\r?\n")
INTERIM = 4
"""The most answers, interim ones and the final one, that are read."""


class DeliveryOutcome(msgspec.Struct, frozen=True):
    """The result of one request."""

    answer: int | None
    """The status of the answer; None if there was none."""
    problem: str | None
    """A code for what was wrong; None if the receiver took the message."""
    after: int = 0
    """Seconds for which the receiver asks not to be sent anything."""


class Sender:
    """Sends requests to webhooks. Any thread may use it."""

    def __init__(self, allowed: Sequence[Network] = (), patience: float = PATIENCE) -> None:
        """`allowed`: private networks to which requests may go, also without TLS."""
        self._allowed = tuple(allowed)
        self._patience = patience
        self._tls = ssl.create_default_context()
        self._tls.set_alpn_protocols(["http/1.1"])

    def send(self, url: str, headers: Mapping[str, str], body: bytes) -> DeliveryOutcome:
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
            return DeliveryOutcome(None, str(error))
        except TimeoutError:
            return DeliveryOutcome(None, "timeout")
        except ssl.SSLError:
            # before ValueError: an error of a certificate is also a ValueError
            return DeliveryOutcome(None, "tls")
        except ValueError:
            return DeliveryOutcome(None, "no-address")
        except OSError:
            return DeliveryOutcome(None, "no-connection")

    def _connect(self, place: Destination, addresses: Sequence[Any], end: float) -> socket.socket:
        """Return a connection to the first of the addresses that answers. Raises OSError, TimeoutError."""
        error: OSError = TimeoutError()
        for family, kind, protocol, _, address in addresses:
            connection = socket.socket(family, kind, protocol)
            try:
                _limit(connection, end)
                connection.connect(address)
                return self._shield(connection, place, end) if place.is_secure else connection
            except OSError as failed:
                connection.close()
                error = failed
        raise error

    def _shield(self, connection: socket.socket, place: Destination, end: float) -> socket.socket:
        _limit(connection, end)
        shielded = self._tls.wrap_socket(connection, server_hostname=place.host, do_handshake_on_connect=False)
        try:
            shielded.do_handshake()
        except BaseException:
            # wrap_socket has taken the socket over, so `connection.close()` would do nothing
            shielded.close()
            raise
        return shielded


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


def _answer(connection: socket.socket, end: float) -> DeliveryOutcome:
    """Return what the head of the answer says. Raises OSError, TimeoutError."""
    heard = b""
    for _ in range(INTERIM):
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
    return DeliveryOutcome(None, "no-http")


def _told(head: bytes) -> DeliveryOutcome:
    status = STATUS.match(head)
    if status is None:
        return DeliveryOutcome(None, "no-http")
    answer = int(status[1])
    after = AFTER.search(head)
    seconds = int(after[1]) if after else 0
    if 200 <= answer < 300:
        return DeliveryOutcome(answer, None)
    if 300 <= answer < 400:
        # not followed: it may lead anywhere, and a player whose receiver has moved can change the webhook's URL
        return DeliveryOutcome(answer, "redirected")
    return DeliveryOutcome(answer, "status", seconds)
