"""Collects the bytes of a request until it is complete, and parses its head.

The head is parsed strictly: one that two servers could read differently is refused. It follows RFC 9110 and RFC 9112.
Where they leave a choice to the server, the request is refused.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Any
from urllib.parse import unquote_to_bytes

import msgspec

HEAD = 1 << 16
"""The most bytes of a request's head, and of the trailers after its last chunk."""

BODY = 1 << 16
"""The most bytes of a body."""

LINE = 8000
"""The most bytes of a request's first line: method, path and query, and version."""

CHUNK_LINE = 256
"""The most bytes of the line before a chunk."""

EOL = b"\r\n"
END = b"\r\n\r\n"

CHUNK = re.compile(
    rb"([0-9A-Fa-f]{1,15})(?:;[!#-'*+.^_`|~0-9A-Za-z-]+(?:=(?:[!#-'*+.^_`|~0-9A-Za-z-]+|\"[ !#-~]*\"))?)*"
)
"""The line before a chunk: its size, and extensions, which are not used."""

FIRST = re.compile(r"([A-Z][A-Z-]{0,19}) ([!-~]+) HTTP/1\.([01])")
"""The first line: method, target and minor version."""

NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
LENGTH = re.compile(r"[0-9]{1,18}")

HOST = r"(?:[0-9A-Za-z._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?"
AUTHORITY = re.compile(HOST)
ABSOLUTE = re.compile(rf"https?://({HOST})(?=[/?]|$)", re.IGNORECASE)
"""The start of a target that names its host (RFC 9112, 3.2.2)."""

LANGUAGES = re.compile(rb"\r\naccept-language:([^\r\n]*)\r\n", re.IGNORECASE)

FIELDS = 100
"""The most fields of a request, since each costs more memory than its bytes."""

SINGLE = frozenset({"authorization", "content-length", "content-type", "host", "idempotency-key", "transfer-encoding"})
"""Fields that a request may have only once."""

FRAMING = frozenset({"content-length", "host", "transfer-encoding"})
"""Fields that may not follow the body."""

APART = frozenset({"content-length", "content-type", "transfer-encoding"})
"""Fields that have other names in WSGI, or no use once the body is read."""


class Unframed(ValueError):
    """The bytes are no request, or could be read as different ones."""


class Head(msgspec.Struct, frozen=True):
    """The head of a request: its first line and fields."""

    method: str
    target: str
    """Path and query: it begins with "/", or is the "*" of OPTIONS."""
    version: str
    fields: dict[str, str]
    """The values by name in lower case; the values of a repeated field are joined."""
    body: int | None
    """The number of bytes of the body; None if it comes in chunks."""
    is_last: bool
    """Whether the connection closes after the answer."""

    @property
    def is_awaiting_go(self) -> bool:
        """Whether the client waits for `100 Continue` before it sends the body."""
        expected = self.fields.get("expect", "").lower() == "100-continue"
        return expected and self.version == "HTTP/1.1" and self.body != 0

    def for_environ(self) -> dict[str, str]:
        """Return the fields by their WSGI names, without those with an underscore, which could pass for others."""
        fields = {
            f"HTTP_{name.replace('-', '_').upper()}": value
            for name, value in self.fields.items()
            if "_" not in name and name not in APART
        }
        return fields | ({"CONTENT_TYPE": self.fields["content-type"]} if "content-type" in self.fields else {})


def parse_head(head: bytes) -> Head:
    """Return the head from its bytes, without the empty line at the end. Raises Unframed."""
    first, *lines = head.decode("latin-1").split("\r\n")
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


def _body(version: str, fields: dict[str, str]) -> int | None:
    encoding, length = fields.get("transfer-encoding"), fields.get("content-length")
    if encoding is None:
        if length is not None and not LENGTH.fullmatch(length):
            raise Unframed("the length is no number")
        return int(length or 0)
    if length is not None or encoding.lower() != "chunked" or version == "HTTP/1.0":
        raise Unframed("the transfer encoding is unknown, or there are several")
    return None


class Heard(Enum):
    """How complete a request is, or why it is refused."""

    PART = "part"
    WHOLE = "whole"
    LONG_LINE = "long line"
    LONG_HEAD = "long head"
    LONG_BODY = "long body"
    BROKEN = "broken"
    """It can be read in different ways, or its end is unclear."""


class Asked(msgspec.Struct, frozen=True):
    """A complete request."""

    head: Head
    body: bytes

    def environ(self) -> dict[str, Any]:
        """Return what the request itself says in its WSGI environment."""
        head = self.head
        path, _, query = head.target.partition("?")
        length = {"CONTENT_LENGTH": str(len(self.body))} if head.body != 0 or "content-length" in head.fields else {}
        return {
            **head.for_environ(),
            **length,
            "REQUEST_METHOD": head.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "SERVER_PROTOCOL": head.version,
        }


class Intake:
    """The bytes of a request, and perhaps of the next ones, as they arrive. Only this class reads them."""

    def __init__(self, body: int) -> None:
        """`body`: the most bytes of a body."""
        self._most = body
        self._heard = bytearray()
        """The bytes that are not parsed yet."""
        self._looked = 0
        """The number of these bytes in which no head ends."""
        self._body = bytearray()
        """The content of the chunks so far."""
        self._wrapped = 0
        """The number of bytes around the chunks so far."""
        self.head: Head | None = None
        """The request's head, once it is complete."""
        self._head_size = 0

    def __len__(self) -> int:
        return self._head_size + len(self._body) + len(self._heard)

    def languages(self) -> str:
        """Return the value of Accept-Language, as far as it is there, also of a head that can't be parsed."""
        if self.head is not None:
            return self.head.fields.get("accept-language", "")
        match = LANGUAGES.search(self._heard.partition(END)[0] + EOL)
        return "" if match is None else match[1].decode("latin-1")

    def add(self, data: bytes) -> Heard:
        """Add bytes. Returns how complete the request is; nothing may be added to one that is refused."""
        self._heard += data
        try:
            if self.head is None and (heard := self._read_head()) is not Heard.WHOLE:
                return heard
            assert self.head is not None
            if self.head.body is None:
                return self._read_chunks()
        except Unframed:
            return Heard.BROKEN
        if self.head.body > self._most:
            return Heard.LONG_BODY
        return Heard.WHOLE if len(self._heard) >= self.head.body else Heard.PART

    def take(self) -> Asked:
        """Return the complete request, and begin the next one with the bytes after it."""
        assert self.head is not None
        body, size = bytes(self._body), self.head.body
        if size is not None:
            body = bytes(self._heard[:size])
            del self._heard[:size]
        asked = Asked(self.head, body)
        self._looked = self._wrapped = self._head_size = 0
        self._body.clear()
        self.head = None
        return asked

    def _read_head(self) -> Heard:
        """Parse the head if it is complete. Raises Unframed."""
        if len(self._heard) > LINE + 1 and self._heard.find(EOL, 0, LINE + len(EOL)) < 0:
            return Heard.LONG_LINE
        end = self._heard.find(END, max(0, self._looked - len(END) + 1))
        self._looked = len(self._heard)
        if end > HEAD or (end < 0 and len(self._heard) > HEAD):
            return Heard.LONG_HEAD
        if end < 0:
            return Heard.PART
        self.head, self._head_size = parse_head(bytes(self._heard[:end])), end
        del self._heard[: end + len(END)]
        return Heard.WHOLE

    def _read_chunks(self) -> Heard:
        """Read the chunks up to the last one, which is empty. Raises Unframed."""
        while (eol := self._heard.find(EOL, 0, CHUNK_LINE + len(EOL))) >= 0:
            match = CHUNK.fullmatch(self._heard, 0, eol)
            if match is None:
                raise Unframed("the line before a chunk is malformed")
            begin, size = eol + len(EOL), int(match[1], 16)
            if size == 0:
                return self._read_trailers(eol)
            if len(self._body) + size > self._most:
                return Heard.LONG_BODY
            end = begin + size
            if len(self._heard) < end + len(EOL):
                return Heard.PART
            if self._heard[end : end + len(EOL)] != EOL:
                raise Unframed("a chunk is longer than it says")
            self._body += self._heard[begin:end]
            del self._heard[: end + len(EOL)]
            self._wrapped += eol + 2 * len(EOL)
            if self._wrapped > self._most:
                return Heard.LONG_BODY
        if len(self._heard) > CHUNK_LINE + 1:
            raise Unframed("the line before a chunk is too long")
        return Heard.PART

    def _read_trailers(self, eol: int) -> Heard:
        """Read the trailers between the last chunk's line, which ends at `eol`, and an empty line. Raises Unframed."""
        end = self._heard.find(END, eol)
        if end > HEAD or (end < 0 and len(self._heard) > HEAD):
            return Heard.LONG_HEAD
        if end < 0:
            return Heard.PART
        lines = self._heard[eol + len(EOL) : end].decode("latin-1").split("\r\n")
        if end > eol and not FRAMING.isdisjoint(parse_fields(lines)):
            raise Unframed("a field may not follow the body")
        del self._heard[: end + len(END)]
        return Heard.WHOLE
