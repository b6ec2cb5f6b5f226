"""Places in a player's stream, in the form in which clients get them: sealed, and all of one length.

Nobody outside may see the positions of the store's events: they would show how much others do, under seal too.
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
"""Bytes of a digest: it must only differ from the digests before it."""


class StreamPlace(msgspec.Struct, frozen=True):
    """A place between two items of a player's stream."""

    positions: tuple[int, ...]
    """By partition, the position of the last event that was sent or was not to be sent."""
    partition: int = 0
    """The partition of the event that was sent last."""
    is_done: bool = True
    """Whether the turn that follows from that event was sent too."""
    invited: bytes = bytes(SHORT)
    """The digest of the invitations that were sent."""


def short(text: str) -> bytes:
    """Return a digest of the text."""
    return sha256(text.encode()).digest()[:SHORT]


def seal(signer: Signer, player: str, place: StreamPlace) -> str:
    """Return the place as a cursor, which only this player can use."""
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
    """Return the place of a cursor. Raises Malformed if it is no cursor of this player in this store."""
    try:
        packed = base64.b64decode(signer.unseal(PURPOSE, cursor))
        whose, invited, partition, is_done, *positions = struct.unpack(f">{SHORT}s{SHORT}sB?{partitions}Q", packed)
    except (NotOurs, struct.error, binascii.Error) as error:
        raise Malformed("malformed-cursor") from error
    if whose != short(player) or partition >= partitions:
        raise Malformed("malformed-cursor")
    return StreamPlace(tuple(positions), partition, is_done, invited)
