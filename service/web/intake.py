"""Collects the bytes of a request until it is complete."""

from __future__ import annotations

import re
from enum import Enum

import msgspec

from service.web.head import Body, Head, Unframed, check_trailers, parse_head

HEAD = 1 << 16
"""The most bytes of a request's head, and of the trailers after its last chunk."""

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

    def add(self, data: bytes) -> Heard:
        """Add bytes. Returns how complete the request is; nothing may be added to one that is refused."""
        self._heard += data
        try:
            if self.head is None and (heard := self._read_head()) is not Heard.WHOLE:
                return heard
            assert self.head is not None
            if isinstance(self.head.body, Body):
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
        if not isinstance(size, Body):
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
        if end > eol:
            check_trailers(self._heard[eol + len(EOL) : end].decode("latin-1").split("\r\n"))
        del self._heard[: end + len(END)]
        return Heard.WHOLE
