"""One POST to a place that strangers have chosen: to an address that was judged, in a time and a size that are bounded.

No client of HTTP is used, for none can be told all of this: the connection goes to the address itself, nothing is
redirected, no proxy is asked, of the answer its status is read and no body, and all of it ends at one moment.
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
"""Seconds for all of it."""

HEAD = 1 << 14
"""Bytes of an answer that are read at most."""

STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [^\r\n]*)?\r?\n")
AFTER = re.compile(rb"\r?\nretry-after:[ \t]*([0-9]{1,6})[ \t]*\r?\n", re.IGNORECASE)
END = re.compile(rb"\r?\n\r?\n")
INTERIM = 4
"""Answers that only say that there will be one, at most."""


class DeliveryOutcome(msgspec.Struct, frozen=True):
    """What came of it."""

    answer: int | None
    """The status; None: there was no answer."""
    problem: str | None
    """A code; None: it was taken."""
    after: int = 0
    """Seconds that the receiver asks to be left alone."""


class Sender:
    """Sends. Any thread may use it."""

    def __init__(self, allowed: Sequence[Network] = (), patience: float = PATIENCE) -> None:
        """`allowed`: private networks that may be sent to, also without TLS."""
        self._allowed = tuple(allowed)
        self._patience = patience
        self._tls = ssl.create_default_context()
        self._tls.set_alpn_protocols(["http/1.1"])

    def send(self, url: str, headers: Mapping[str, str], body: bytes) -> DeliveryOutcome:
        """POST it."""
        end = monotonic() + self._patience
        try:
            place = Destination(url)
            found = resolve(place, self._allowed, self._patience / 2)
            with closing(self._connect(place, found, end)) as connection:
                _limit(connection, end)
                connection.sendall(_request(place, headers, body))
                return _answer(connection, end)
        except AddressRefused as error:
            return DeliveryOutcome(None, str(error))
        except TimeoutError:
            return DeliveryOutcome(None, "timeout")
        except ssl.SSLError:
            # before ValueError, which a certificate that proves nothing is too
            return DeliveryOutcome(None, "tls")
        except ValueError:
            return DeliveryOutcome(None, "no-address")
        except OSError:
            return DeliveryOutcome(None, "no-connection")

    def _connect(self, place: Destination, found: Sequence[Any], end: float) -> socket.socket:
        """Raises OSError, TimeoutError."""
        error: OSError = TimeoutError()
        for family, kind, protocol, _, address in found:
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
            # the socket is its own by now
            shielded.close()
            raise
        return shielded


def _limit(connection: socket.socket, end: float) -> None:
    """Have what comes next end in time. Raises TimeoutError."""
    left = end - monotonic()
    if left <= 0:
        raise TimeoutError
    connection.settimeout(left)


def _request(place: Destination, headers: Mapping[str, str], body: bytes) -> bytes:
    told = {"Host": place.name, **headers, "Content-Length": str(len(body)), "Connection": "close"}
    lines = [f"POST {place.target} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + body


def _answer(connection: socket.socket, end: float) -> DeliveryOutcome:
    """What the head of the answer says. Raises OSError, TimeoutError."""
    heard = b""
    for _ in range(INTERIM):
        while (headed := END.search(heard)) is None:
            _limit(connection, end)
            more = connection.recv(4096) if len(heard) <= HEAD else b""
            if not more:
                return _told(heard)
            heard += more
        found = _told(heard[: headed.end()])
        if found.answer is None or found.answer >= 200:
            return found
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
        # where it leads to may be anywhere, and a receiver that has moved can say so here
        return DeliveryOutcome(answer, "redirected")
    return DeliveryOutcome(answer, "status", seconds)
