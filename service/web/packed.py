"""Compressed streams. Data that goes to many streams is compressed once, not once for each connection.

The coding is `deflate` (RFC 9110, the zlib format of RFC 1950). Each part is compressed by itself and ends on a whole
byte, so that parts can follow one another in any stream. The Adler checksum at the end is computed from theirs.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

import msgspec

CODING = "deflate"

BASE = 65521


class Part(msgspec.Struct, frozen=True):
    """A compressed part of a stream."""

    data: bytes
    low: int
    """The lower half of its Adler checksum: 1 plus the sum of its bytes."""
    high: int
    """The upper half: the sum of the lower half after each byte."""
    length: int
    """The uncompressed length in bytes."""


@lru_cache(64)  # equal bytes are mostly the same object, so they are found fast
def pack(plain: bytes) -> Part:
    """Return the bytes compressed, independently of what comes before them."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = packer.compress(plain) + packer.flush(zlib.Z_FULL_FLUSH)
    total = zlib.adler32(plain)
    return Part(data=data, low=total & 0xFFFF, high=total >> 16, length=len(plain))


class Packing:
    """A compressed stream, with the checksum so far."""

    def __init__(self) -> None:
        self._low, self._high = 1, 0

    def begin(self, plain: bytes) -> bytes:
        """Return the header (deflate, a window of 32 KiB, no dictionary), and these first bytes compressed."""
        return b"\x78\x9c" + self.tell(plain)

    def tell(self, plain: bytes) -> bytes:
        """Return the next bytes compressed; a client can read them at once."""
        part = pack(plain)
        self._high = (self._high + part.high + part.length * (self._low - 1)) % BASE
        self._low = (self._low + part.low - 1) % BASE
        return part.data

    def end(self) -> bytes:
        """Return the end of the stream: an empty last block, and the checksum."""
        return b"\x03\x00" + (self._high << 16 | self._low).to_bytes(4, "big")
