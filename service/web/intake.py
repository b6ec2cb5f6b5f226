"""What was heard of a request so far, and whether that is all of it."""

from __future__ import annotations

import re
from enum import Enum

import msgspec

from service.web.head import Body, Head, Unframed, check_trailers, parse_head

HEAD = 1 << 16
"""Bytes of a request's head, at most; also of what follows its last chunk."""

LINE = 8000
"""Bytes of a request's first line, at most: the method, the path with what it asks for, and the protocol."""

CHUNK_LINE = 256
"""Bytes of the line before a chunk, at most."""

EOL = b"\r\n"
END = b"\r\n\r\n"

CHUNK = re.compile(
    rb"([0-9A-Fa-f]{1,15})(?:;[!#-'*+.^_`|~0-9A-Za-z-]+(?:=(?:[!#-'*+.^_`|~0-9A-Za-z-]+|\"[ !#-~]*\"))?)*"
)
"""The line before a chunk: its size, and extensions, which are not used."""


class Heard(Enum):
    """How much of a request is there."""

    PART = "part"
    WHOLE = "whole"
    LONG_LINE = "long line"
    LONG_HEAD = "long head"
    LONG_BODY = "long body"
    BROKEN = "broken"
    """Nobody can tell for sure what it is, or where it ends and the next one begins."""


class Asked(msgspec.Struct, frozen=True):
    """A whole request."""

    head: Head
    body: bytes


class Intake:
    """Bytes of a request, and of those that may follow it, as they come in. Nobody else reads a request."""

    def __init__(self, body: int) -> None:
        """`body`: the bytes of the largest body that is taken."""
        self._most = body
        self._heard = bytearray()
        """What is not read yet."""
        self._looked = 0
        """Bytes of it in which no head ends."""
        self._body = bytearray()
        """The chunks that were read."""
        self._wrapped = 0
        """Bytes that these were wrapped in."""
        self.head: Head | None = None
        """The request's head, as soon as it is there."""
        self._head_size = 0

    def __len__(self) -> int:
        return self._head_size + len(self._body) + len(self._heard)

    def add(self, data: bytes) -> Heard:
        """Hear more. Returns how much is there then; after what is neither a part nor whole nothing may be added."""
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
        """Return the request that is whole; what was heard beside it is of the next one."""
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
        """Read the head if all of it is there. Raises Unframed."""
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
        """Read chunk by chunk up to the last one, which is empty. Raises Unframed."""
        while (eol := self._heard.find(EOL, 0, CHUNK_LINE + len(EOL))) >= 0:
            found = CHUNK.fullmatch(self._heard, 0, eol)
            if found is None:
                raise Unframed("a line before a chunk that is none")
            begin, size = eol + len(EOL), int(found[1], 16)
            if size == 0:
                return self._read_trailers(eol)
            if len(self._body) + size > self._most:
                return Heard.LONG_BODY
            end = begin + size
            if len(self._heard) < end + len(EOL):
                return Heard.PART
            if self._heard[end : end + len(EOL)] != EOL:
                raise Unframed("a chunk that goes on after its end")
            self._body += self._heard[begin:end]
            del self._heard[: end + len(EOL)]
            self._wrapped += eol + 2 * len(EOL)
            if self._wrapped > self._most:
                return Heard.LONG_BODY
        if len(self._heard) > CHUNK_LINE + 1:
            raise Unframed("a line before a chunk that does not end")
        return Heard.PART

    def _read_trailers(self, eol: int) -> Heard:
        """Read what stands between the last chunk's line, which ends there, and an empty line. Raises Unframed."""
        end = self._heard.find(END, eol)
        if end > HEAD or (end < 0 and len(self._heard) > HEAD):
            return Heard.LONG_HEAD
        if end < 0:
            return Heard.PART
        if end > eol:
            check_trailers(self._heard[eol + len(EOL) : end].decode("latin-1").split("\r\n"))
        del self._heard[: end + len(END)]
        return Heard.WHOLE
