"""What was heard of a request so far, and whether that is all of it."""

from __future__ import annotations

import re
from enum import Enum

HEAD = 1 << 16
"""Bytes of a request's head, at most."""

LINE = 8000
"""Bytes of a request's first line, at most: the method, the path with what it asks for, and the protocol."""

EOL = b"\r\n"
END = b"\r\n\r\n"

LENGTH = re.compile(rb"[0-9]{1,18}")
SIZE = re.compile(rb"[0-9A-Fa-f]{1,15}")


class Heard(Enum):
    """How much of a request is there."""

    PART = "part"
    WHOLE = "whole"
    """All of it is there; or enough to refuse it by its headers."""
    LONG_LINE = "long line"
    LONG_HEAD = "long head"
    LONG_BODY = "long body"
    BROKEN = "broken"
    """Nobody can tell for sure where it ends, and what would be the next one."""


class Intake:
    """Bytes of a request, and of those that may follow it, as they come in."""

    def __init__(self, body: int) -> None:
        """`body`: the bytes of the largest body that is taken."""
        self._most = body
        self._heard = bytearray()
        self._body = -1
        """Where the body begins; -1 as long as the head is not whole."""
        self._length: int | None = None
        """Of the body; None when it comes in chunks."""
        self._chunk = 0
        """Where the next chunk begins."""
        self._size = 0
        """Bytes of the chunks before that."""
        self.is_awaiting_go = False
        """Whether the sender wants to be told to go on before it sends the body."""
        self.languages = ""
        """What the head says of those in which to answer (`Accept-Language`); "" as long as it is not whole."""

    def __len__(self) -> int:
        return len(self._heard)

    def add(self, data: bytes) -> Heard:
        """Hear more: how much is there then."""
        begin = max(0, len(self._heard) - len(END) + 1)
        self._heard += data
        if self._body < 0:
            if len(self._heard) > LINE + 1 and self._heard.find(EOL, 0, LINE + len(EOL)) < 0:
                return Heard.LONG_LINE
            end = self._heard.find(END, begin)
            if end > HEAD or (end < 0 and len(self._heard) > HEAD):
                return Heard.LONG_HEAD
            if end < 0:
                return Heard.PART
            self._body = self._chunk = end + len(END)
            if not self._read_head(bytes(self._heard[:end])):
                return Heard.BROKEN
        if self._length is None:
            return self._chunks()
        if self._length > self._most:
            return Heard.LONG_BODY
        return Heard.WHOLE if len(self._heard) >= self._body + self._length else Heard.PART

    def take(self) -> bytes:
        """All that was heard, to be handed over; what is heard next is of the next request."""
        heard = bytes(self._heard)
        self._heard.clear()
        self._body, self._size, self.is_awaiting_go, self.languages = -1, 0, False, ""
        return heard

    def _read_head(self, head: bytes) -> bool:
        """Whether the body's end can be told by it in one way alone."""
        if not _has_whole_lines(head):
            return False
        lengths, has_length, is_chunked = [0], False, False
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.lower().partition(b":")
            match name.strip():
                case b"transfer-encoding":
                    is_chunked = True
                case b"content-length":
                    has_length = True
                    if LENGTH.fullmatch(value.strip()):
                        lengths.append(int(value))
                case b"accept-language":
                    self.languages = value.strip().decode("latin-1")
                case b"expect" if value.strip() == b"100-continue":
                    self.is_awaiting_go = True
                case _:
                    pass
        self._length = None if is_chunked else max(lengths)
        return not (is_chunked and has_length)

    def _chunks(self) -> Heard:
        """Go from chunk to chunk to the last one, which is empty and followed by trailers and an empty line."""
        while (eol := self._heard.find(b"\r\n", self._chunk)) >= 0:
            size = bytes(self._heard[self._chunk : eol]).partition(b";")[0].strip()
            if not SIZE.fullmatch(size):
                return Heard.BROKEN
            if int(size, 16) == 0:
                if (end := self._heard.find(END, eol)) >= 0:
                    return Heard.WHOLE if _has_whole_lines(bytes(self._heard[eol:end])) else Heard.BROKEN
                break
            if self._size + int(size, 16) > self._most:
                return Heard.LONG_BODY
            following = eol + 2 + int(size, 16) + 2
            if following > len(self._heard):
                break
            if self._heard[following - 2 : following] != b"\r\n":
                return Heard.BROKEN
            self._chunk = following
            self._size += int(size, 16)
        # what chunks are wrapped in counts as well
        return Heard.LONG_BODY if len(self._heard) - self._body > 2 * self._most else Heard.PART


def _has_whole_lines(text: bytes) -> bool:
    """Whether no line ends by LF alone, which some take for the end of a line and some do not."""
    return text.count(b"\n") == text.count(b"\r\n")
