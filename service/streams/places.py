"""Places in a player's stream, as they leave the process: sealed, and all of one length.

Where the store's events stand is nobody's business outside: it would tell how much others do, under seal too.
"""

from __future__ import annotations

import base64
import binascii
import struct
from hashlib import sha256

import msgspec

from service.problems import Malformed
from service.signing import NotOurs, Signer

PURPOSE = "a place in a player's events"
SHORT = 8
"""Bytes of a digest: it need only be another one than those before."""


class StreamPlace(msgspec.Struct, frozen=True):
    """A place between two things that are told."""

    positions: tuple[int, ...]
    """By partition, that of the last event that was told or needed no telling."""
    partition: int = 0
    """That of the event that was told last."""
    is_done: bool = True
    """Whether what follows from that event was told too."""
    invited: bytes = bytes(SHORT)
    """Of the invitations that were told."""


def short(text: str) -> bytes:
    """A digest."""
    return sha256(text.encode()).digest()[:SHORT]


def seal(signer: Signer, player: str, place: StreamPlace) -> str:
    """The place as a cursor of that player's."""
    packed = struct.pack(
        f">{SHORT}s{SHORT}sB?{len(place.positions)}Q",
        short(player),
        place.invited,
        place.partition,
        place.is_done,
        *place.positions,
    )
    return signer.seal(PURPOSE, base64.b64encode(packed).decode("ascii"))


def unseal(signer: Signer, player: str, cursor: str, partitions: int) -> StreamPlace:
    """The place again. Raises Malformed for what is none of that player's in this store."""
    try:
        packed = base64.b64decode(signer.unseal(PURPOSE, cursor))
        whose, invited, partition, is_done, *positions = struct.unpack(f">{SHORT}s{SHORT}sB?{partitions}Q", packed)
    except (NotOurs, struct.error, binascii.Error) as error:
        raise Malformed("malformed-cursor") from error
    if whose != short(player) or partition >= partitions:
        raise Malformed("malformed-cursor")
    return StreamPlace(tuple(positions), partition, is_done, invited)
