"""Streams that are packed: what many are told is packed once for all of them, and not once a connection.

The coding is `deflate` (RFC 9110, the zlib format of RFC 1950). Each part is packed by itself and ends on a whole byte,
so that parts can follow one another in any stream. The sum at the end, Adler's, is put together from theirs.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

import msgspec

CODING = "deflate"
LEVEL = 6

BEGIN = b"\x78\x9c"
"""What the format begins with: deflated, a window of 32 KiB, no dictionary."""

LAST = b"\x03\x00"
"""A last block, in which there is nothing."""

KEPT = 64
"""Parts that are remembered; the same bytes are mostly the same object, found without being looked through."""

BASE = 65521


class Part(msgspec.Struct, frozen=True):
    """Something told, packed."""

    data: bytes
    low: int
    """The lower half of its sum: of its bytes, and one."""
    high: int
    """The upper half: of all the lower ones on the way."""
    length: int
    """In bytes, unpacked."""


@lru_cache(KEPT)
def pack(told: bytes) -> Part:
    """Those bytes packed, whatever was told before them."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = packer.compress(told) + packer.flush(zlib.Z_FULL_FLUSH)
    total = zlib.adler32(told)
    return Part(data=data, low=total & 0xFFFF, high=total >> 16, length=len(told))


class Packing:
    """One stream: it remembers the sum of what it was told."""

    def __init__(self) -> None:
        self._low, self._high = 1, 0

    def begin(self, told: bytes) -> bytes:
        """The first bytes."""
        return BEGIN + self.tell(told)

    def tell(self, told: bytes) -> bytes:
        """What is written for it, to be read as soon as it is there."""
        part = pack(told)
        self._high = (self._high + part.high + part.length * (self._low - 1)) % BASE
        self._low = (self._low + part.low - 1) % BASE
        return part.data

    def end(self) -> bytes:
        """The last bytes."""
        return LAST + (self._high << 16 | self._low).to_bytes(4, "big")
