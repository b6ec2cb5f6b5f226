"""The small signed texts in addresses and links of mails. The service does not store them.

The part of an address before the @ has at most 64 characters, and some servers fold its case, so the tokens of
addresses are a packed value and the start of its signature in lower-case base32. The token of a link is the signer's
text.
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
"""Bytes of an id, as `events.chain.fresh_id` draws them."""

INVITED = 0
"""It stands in place of a decision, which is a version of the log, if an invitation is answered."""

_SHAPE = struct.Struct(f">{_ID}sBI4s")


class Reply(msgspec.Struct, frozen=True):
    """The content of a reply address. The player is part of its signature only, and not of its content."""

    match: str
    seat: int
    decision: int
    moves: bytes
    """The digest of the moves that were numbered: see `moves_digest`."""


class MailTokens:
    """Makes and reads tokens."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer

    def reply(self, player: str, match: str, seat: int, decision: int, moves: list[str]) -> str | None:
        """Return the token of the address that answers the decision; None if the match's id is not of our form."""
        try:
            packed = _SHAPE.pack(_unname("m_", match), seat, decision, moves_digest(moves))
        except (ValueError, struct.error):
            return None
        return _text(packed + self._signature(REPLY, packed, player))

    def read_reply(self, text: str, whose: Callable[[Reply], str | None]) -> tuple[Reply, str]:
        """Return a token's content, and the player. `whose` returns who may answer it now. Raises NotOurs."""
        packed, signature = _split(text, _SHAPE.size)
        match, seat, decision, moves = _SHAPE.unpack(packed)
        reply = Reply(_name("m_", match), seat, decision, moves)
        player = whose(reply)
        if player is None or not compare_digest(signature, self._signature(REPLY, packed, player)):
            raise NotOurs(REPLY)
        return reply, player

    def bounce(self, player: str, address: str) -> str | None:
        """Return the token of the address to which undelivered mail for `address` comes back; None if the player's id
        is not of our form.
        """
        try:
            packed = _unname("p_", player) + _mark(address)
        except ValueError:
            return None
        return _text(packed + self._signature(BOUNCE, packed, ""))

    def read_bounce(self, text: str) -> tuple[str, Callable[[str], bool]]:
        """Return the player, and a function that returns whether the mail was sent to an address. Raises NotOurs."""
        packed, signature = _split(text, _ID + 5)
        if not compare_digest(signature, self._signature(BOUNCE, packed, "")):
            raise NotOurs(BOUNCE)
        return _name("p_", packed[:_ID]), lambda address: _mark(address) == packed[_ID:]

    def unsubscribe(self, player: str, match: str = "") -> str:
        """Return the token of the link that ends the mails of a match, or all mails if it is ""."""
        return self._signer.sign(UNSUBSCRIBE, [player, match])

    def read_unsubscribe(self, text: str) -> tuple[str, str]:
        """Return the player and the match of such a token. Raises NotOurs."""
        player, match = self._signer.read(UNSUBSCRIBE, text)
        return player, match

    def name(self, *parts: Any) -> str:
        """Return a mail's name: the same for the same parts each time, and nobody can find the parts from it."""
        return sha256(self._signer.sign("mail name", list(parts)).encode()).hexdigest()[:32]

    def _signature(self, purpose: str, packed: bytes, player: str) -> bytes:
        return sha256(self._signer.sign(purpose, [packed.hex(), player]).encode()).digest()[:SIGNED]


def moves_digest(moves: list[str]) -> bytes:
    """Return a digest of a list of moves: a number means the same move only in the same list."""
    return sha256("\n".join(moves).encode()).digest()[:4]


def _mark(address: str) -> bytes:
    return sha256(address.lower().encode()).digest()[:5]


def _unname(kind: str, id: str) -> bytes:
    """Return the random bytes of an id. Raises ValueError."""
    try:
        drawn = b32decode(id.removeprefix(kind).upper())
    except Error as error:
        raise ValueError(id) from error
    if _name(kind, drawn) != id or len(drawn) != _ID:
        raise ValueError(id)
    return drawn


def _name(kind: str, drawn: bytes) -> str:
    return f"{kind}{b32encode(drawn).decode().lower()}"


def _text(packed: bytes) -> str:
    return b32encode(packed).decode().lower().rstrip("=")


def _split(text: str, size: int) -> tuple[bytes, bytes]:
    """Return the packed value and the signature of a token. Raises NotOurs."""
    folded = text.upper()
    try:
        raw = b32decode(folded + "=" * (-len(folded) % 8))
    except (Error, ValueError) as error:
        raise NotOurs(REPLY) from error
    if len(raw) != size + SIGNED or _text(raw) != text.lower():
        raise NotOurs(REPLY)
    return raw[:size], raw[size:]
