"""What addresses and links of mails hold: small signed texts of which nothing is kept.

The part of an address before the @ has at most 64 characters, and some servers fold its case, so the tokens of
addresses are a packed value and the start of its signature in lower-case base32. A link's is the signer's own text.
"""

from __future__ import annotations

import struct
from base64 import b32decode, b32encode
from binascii import Error
from collections.abc import Callable
from hashlib import sha256
from hmac import compare_digest
from typing import Any

import msgspec

from service.signing import NotOurs, Signer

REPLY, BOUNCE, UNSUBSCRIBE = "mail reply", "mail bounce", "mail unsubscribe"
PLAY_TO, BOUNCE_TO = "play+", "bounce+"

SIGNED = 14
"""Bytes of the signature: 112 bits."""

_ID = 10
"""Bytes of an id, as `events.naming.fresh_id` draws them."""

INVITED = 0
"""Stands for a decision, which is a version of the log, where an invitation is answered."""

_SHAPE = struct.Struct(f">{_ID}sBI4s")


class Reply(msgspec.Struct, frozen=True):
    """What a reply address stands for, before it is known whose it is: the player is signed, and not said."""

    match: str
    seat: int
    decision: int
    moves: bytes
    """Stands for the list of moves that was numbered."""


class MailTokens:
    """Makes and reads them."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer

    def reply(self, player: str, match: str, seat: int, decision: int, moves: list[str]) -> str | None:
        """Of the address that answers the decision; None for a match whose id is none of ours."""
        try:
            packed = _SHAPE.pack(_unname("m_", match), seat, decision, moves_digest(moves))
        except (ValueError, struct.error):
            return None
        return _text(packed + self._signature(REPLY, packed, player))

    def read_reply(self, text: str, whose: Callable[[Reply], str | None]) -> tuple[Reply, str]:
        """What it stands for, and the player; `whose`: who may answer it now. Raises NotOurs."""
        packed, signature = _split(text, _SHAPE.size)
        match, seat, decision, moves = _SHAPE.unpack(packed)
        found = Reply(_name("m_", match), seat, decision, moves)
        player = whose(found)
        if player is None or not compare_digest(signature, self._signature(REPLY, packed, player)):
            raise NotOurs(REPLY)
        return found, player

    def bounce(self, player: str, address: str) -> str | None:
        """Of the address to which mail goes that could not be delivered there; None for ids that are none of ours."""
        try:
            packed = _unname("p_", player) + _mark(address)
        except ValueError:
            return None
        return _text(packed + self._signature(BOUNCE, packed, ""))

    def read_bounce(self, text: str) -> tuple[str, Callable[[str], bool]]:
        """The player, and whether an address is the one that it was sent to. Raises NotOurs."""
        packed, signature = _split(text, _ID + 5)
        if not compare_digest(signature, self._signature(BOUNCE, packed, "")):
            raise NotOurs(BOUNCE)
        return _name("p_", packed[:_ID]), lambda address: _mark(address) == packed[_ID:]

    def unsubscribe(self, player: str, match: str = "") -> str:
        """Of the link that ends the mails of a match, or ("") all of them."""
        return self._signer.sign(UNSUBSCRIBE, [player, match])

    def read_unsubscribe(self, text: str) -> tuple[str, str]:
        """Player and match. Raises NotOurs."""
        player, match = self._signer.read(UNSUBSCRIBE, text)
        return player, match

    def name(self, *parts: Any) -> str:
        """A name for a mail that tells nobody what it was made of, the same each time."""
        return sha256(self._signer.sign("mail name", list(parts)).encode()).hexdigest()[:32]

    def _signature(self, purpose: str, packed: bytes, player: str) -> bytes:
        return sha256(self._signer.sign(purpose, [packed.hex(), player]).encode()).digest()[:SIGNED]


def moves_digest(moves: list[str]) -> bytes:
    """Stands for a list of moves: a number means the same move only in the same list."""
    return sha256("\n".join(moves).encode()).digest()[:4]


def _mark(address: str) -> bytes:
    return sha256(address.lower().encode()).digest()[:5]


def _unname(kind: str, id: str) -> bytes:
    """The random bytes of an id. Raises ValueError."""
    try:
        found = b32decode(id.removeprefix(kind).upper())
    except Error as error:
        raise ValueError(id) from error
    if _name(kind, found) != id or len(found) != _ID:
        raise ValueError(id)
    return found


def _name(kind: str, found: bytes) -> str:
    return f"{kind}{b32encode(found).decode().lower()}"


def _text(packed: bytes) -> str:
    return b32encode(packed).decode().lower().rstrip("=")


def _split(text: str, size: int) -> tuple[bytes, bytes]:
    """Packed value and signature. Raises NotOurs."""
    folded = text.upper()
    try:
        found = b32decode(folded + "=" * (-len(folded) % 8))
    except (Error, ValueError) as error:
        raise NotOurs(REPLY) from error
    if len(found) != size + SIGNED or _text(found) != text.lower():
        raise NotOurs(REPLY)
    return found[:size], found[size:]
