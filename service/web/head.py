"""Parses the head of a request, strictly: one that two servers could read differently is refused.

It follows RFC 9110 and RFC 9112. Where they leave a choice to the server, the request is refused.
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
"""The most fields of a request, since each costs more memory than its bytes."""

SINGLE = frozenset({"authorization", "content-length", "content-type", "host", "transfer-encoding"})
"""Fields that a request may have only once."""

FRAMING = frozenset({"content-length", "host", "transfer-encoding"})
"""Fields that may not follow the body."""

APART = frozenset({"content-length", "content-type", "transfer-encoding"})
"""Fields that have other names in WSGI, or no use once the body is read."""


class Unframed(ValueError):
    """The bytes are no request, or could be read as different ones."""


class Body(Enum):
    """How a body without a length is delimited."""

    CHUNKED = "chunked"


class Head(msgspec.Struct, frozen=True):
    """The head of a request: its first line and fields."""

    method: str
    target: str
    """Path and query: it begins with "/", or is the "*" of OPTIONS."""
    version: str
    fields: dict[str, str]
    """The values by name in lower case; the values of a repeated field are joined."""
    body: int | Body
    """The number of bytes of the body, or how it is delimited."""
    is_last: bool
    """Whether the connection closes after the answer."""

    @property
    def is_awaiting_go(self) -> bool:
        """Whether the client waits for `100 Continue` before it sends the body."""
        expected = self.fields.get("expect", "").lower() == "100-continue"
        return expected and self.version == "HTTP/1.1" and self.body != 0

    def for_environ(self) -> Iterator[tuple[str, str]]:
        """Yield the fields by their WSGI names, without those with an underscore, which could pass for others."""
        for name, value in self.fields.items():
            if "_" not in name and name not in APART:
                yield f"HTTP_{name.replace('-', '_').upper()}", value


def parse_head(head: bytes) -> Head:
    """Return the head from its bytes, without the empty line at the end. Raises Unframed."""
    first, *lines = head.decode("latin-1").split(EOL)
    match = FIRST.fullmatch(first)
    if match is None:
        raise Unframed("the first line is malformed")
    fields = parse_fields(lines)
    method, version = match[1], f"HTTP/1.{match[3]}"
    target = _target(method, match[2], fields)
    _check_host(version, fields)
    options = {option.strip().lower() for option in fields.get("connection", "").split(",")}
    is_last = "close" in options or (version == "HTTP/1.0" and "keep-alive" not in options)
    return Head(method, target, version, fields, _body(version, fields), is_last)


def parse_fields(lines: list[str]) -> dict[str, str]:
    """Return the fields by name, from lines without their ends. Raises Unframed."""
    if len(lines) > FIELDS:
        raise Unframed("there are too many fields")
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not NAME.fullmatch(name) or CONTROL.search(value):
            raise Unframed("a field is malformed")
        name, value = name.lower(), value.strip(" \t")
        if name not in fields:
            fields[name] = value
        elif name in SINGLE:
            raise Unframed("a field is repeated that may not be")
        else:
            fields[name] += f"; {value}" if name == "cookie" else f",{value}"
    return fields


def check_trailers(lines: list[str]) -> None:
    """Raise Unframed for fields that may not follow a body. Other trailers are not used."""
    if not FRAMING.isdisjoint(parse_fields(lines)):
        raise Unframed("a field may not follow the body")


def _target(method: str, target: str, fields: dict[str, str]) -> str:
    if "#" in target:
        raise Unframed("the target has a fragment")
    if (match := ABSOLUTE.match(target)) is not None:
        # the host in the target replaces the one in the field (RFC 9112, 3.2.2)
        if "host" in fields:
            fields["host"] = match[1]
        target = target[match.end() :]
        return target if target.startswith("/") else f"/{target}"
    if not target.startswith("/") and (method, target) != ("OPTIONS", "*"):
        raise Unframed("the target is no path")
    return target


def _check_host(version: str, fields: dict[str, str]) -> None:
    host = fields.get("host")
    if host is None and version == "HTTP/1.0":
        return
    if host is None or not AUTHORITY.fullmatch(host):
        raise Unframed("the host is missing or malformed")


def _body(version: str, fields: dict[str, str]) -> int | Body:
    encoding, length = fields.get("transfer-encoding"), fields.get("content-length")
    if encoding is None:
        if length is not None and not LENGTH.fullmatch(length):
            raise Unframed("the length is no number")
        return int(length or 0)
    if length is not None or encoding.lower() != "chunked" or version == "HTTP/1.0":
        raise Unframed("the transfer encoding is unknown, or there are several")
    return Body.CHUNKED
