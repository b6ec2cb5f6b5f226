"""The head of a request, read strictly and once: what two readers could take for different requests is refused.

Everything here follows RFC 9110 and RFC 9112. Where these leave a choice to the reader, the request is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

import msgspec

EOL = "\r\n"

FIRST = re.compile(r"([A-Z][A-Z-]{0,19}) ([!-~]+) HTTP/1\.([01])")
"""The first line: method, target and minor version."""

NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
LENGTH = re.compile(r"[0-9]{1,18}")

HOST = r"(?:[0-9A-Za-z._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?"
AUTHORITY = re.compile(HOST)
ABSOLUTE = re.compile(rf"https?://({HOST})(?=[/?]|$)", re.IGNORECASE)
"""The start of a target that names its host (RFC 9112, 3.2.2)."""

FIELDS = 100
"""Most fields of a request: each costs more memory than its bytes."""

SINGLE = frozenset({"authorization", "content-length", "content-type", "host", "transfer-encoding"})
"""Fields that may stand in a request once."""

FRAMING = frozenset({"content-length", "host", "transfer-encoding"})
"""Fields that may not stand after the body."""

APART = frozenset({"content-length", "content-type", "transfer-encoding"})
"""Fields that WSGI calls otherwise, or that are done with when the body is read."""


class Unframed(ValueError):
    """It is no request, or nobody can tell for sure which one, or where it ends."""


class Body(Enum):
    """How the end of a body is told, if not by its length."""

    CHUNKED = "chunked"


class Head(msgspec.Struct, frozen=True):
    """What stands before the body of a request."""

    method: str
    target: str
    """Path and query: it begins with "/", or is the "*" of OPTIONS."""
    version: str
    fields: dict[str, str]
    """By name in lower case; fields that came several times are joined."""
    body: int | Body
    """The bytes of the body, if they are known."""
    is_last: bool
    """Whether the connection is closed after the answer."""

    @property
    def is_awaiting_go(self) -> bool:
        """Whether the sender waits to be told to go on before it sends the body."""
        expected = self.fields.get("expect", "").lower() == "100-continue"
        return expected and self.version == "HTTP/1.1" and self.body != 0

    def for_environ(self) -> Iterator[tuple[str, str]]:
        """The fields as WSGI names them. Those with an underscore would pass for others, and are left out."""
        for name, value in self.fields.items():
            if "_" not in name and name not in APART:
                yield f"HTTP_{name.replace('-', '_').upper()}", value


def parse_head(head: bytes) -> Head:
    """Return what the head says, which is given without the empty line at its end. Raises Unframed."""
    first, *lines = head.decode("latin-1").split(EOL)
    found = FIRST.fullmatch(first)
    if found is None:
        raise Unframed("a first line that is none")
    fields = parse_fields(lines)
    method, version = found[1], f"HTTP/1.{found[3]}"
    target = _target(method, found[2], fields)
    _check_host(version, fields)
    options = {option.strip().lower() for option in fields.get("connection", "").split(",")}
    is_last = "close" in options or (version == "HTTP/1.0" and "keep-alive" not in options)
    return Head(method, target, version, fields, _body(version, fields), is_last)


def parse_fields(lines: list[str]) -> dict[str, str]:
    """Return the fields by name, from lines without their ends. Raises Unframed."""
    if len(lines) > FIELDS:
        raise Unframed("more fields than are read")
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not NAME.fullmatch(name) or CONTROL.search(value):
            raise Unframed("a line that is no field")
        name, value = name.lower(), value.strip(" \t")
        if name not in fields:
            fields[name] = value
        elif name in SINGLE:
            raise Unframed("a field that may stand there once")
        else:
            fields[name] += f"; {value}" if name == "cookie" else f",{value}"
    return fields


def check_trailers(lines: list[str]) -> None:
    """Raises Unframed for what may not follow a body. What may is not used."""
    if not FRAMING.isdisjoint(parse_fields(lines)):
        raise Unframed("a field that may not follow a body")


def _target(method: str, target: str, fields: dict[str, str]) -> str:
    if "#" in target:
        raise Unframed("a target with a fragment")
    if (found := ABSOLUTE.match(target)) is not None:
        # the host that a target names counts before the field (RFC 9112, 3.2.2)
        if "host" in fields:
            fields["host"] = found[1]
        target = target[found.end() :]
        return target if target.startswith("/") else f"/{target}"
    if not target.startswith("/") and (method, target) != ("OPTIONS", "*"):
        raise Unframed("a target that is no path")
    return target


def _check_host(version: str, fields: dict[str, str]) -> None:
    host = fields.get("host")
    if host is None and version == "HTTP/1.0":
        return
    if host is None or not AUTHORITY.fullmatch(host):
        raise Unframed("no host, or one that is none")


def _body(version: str, fields: dict[str, str]) -> int | Body:
    encoding, length = fields.get("transfer-encoding"), fields.get("content-length")
    if encoding is None:
        if length is not None and not LENGTH.fullmatch(length):
            raise Unframed("a length that is no number")
        return int(length or 0)
    if length is not None or encoding.lower() != "chunked" or version == "HTTP/1.0":
        raise Unframed("an encoding that is not known, or not alone")
    return Body.CHUNKED
