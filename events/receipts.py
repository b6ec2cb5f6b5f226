"""Receipts, the service's signatures under the heads of streams, and their keys: what holds of them (docs/log.md)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Annotated

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events import chain
from events.chain import Head, Hex

RECEIPT = "foldtable-receipt-1"
KEY = "foldtable-key-1"


class Key(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A public key, which signs from `since` until the next key does."""

    by: str | None
    """The key before it, which signed this one; null for a first key, which signed itself."""
    key: str
    """The name by which receipts refer to the key."""
    public: Hex
    """The public key (Ed25519), hexadecimal."""
    signature: Hex
    """The signature (Ed25519), hexadecimal."""
    since: Annotated[str, msgspec.Meta(extra_json_schema={"format": "date-time"})]
    """The moment from which it signs: UTC, RFC 3339 with milliseconds."""


class Keys(msgspec.Struct, frozen=True):
    """The service's public keys, the oldest first; the last one signs."""

    keys: tuple[Key, ...]


class Receipt(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The service's signature under an event, and so under all events before it in its stream: keep it."""

    at: Annotated[str, msgspec.Meta(extra_json_schema={"format": "date-time"})]
    """When the service signed for it: the head's `at`, or the key's `since`, whichever is later."""
    domain: str
    """The kind of text that is signed, so that the signature can't be used for another kind."""
    hash: Hex
    key: str
    """The name of the key that signed; GET /api/keys returns it."""
    signature: Hex
    """The signature (Ed25519), hexadecimal."""
    stream: str
    """The log of the event: the match's, or a seat's private one."""
    version: int


class Fault(ValueError):
    """A receipt or a key does not hold; the message is one line that says why."""


def name_of(public: bytes) -> str:
    """Return a key's name: the first 16 hexadecimal digits of the SHA-256 of its 32 raw bytes."""
    return sha256(public).hexdigest()[:16]


def key_bytes(by: str | None, name: str, public: Hex, since: str) -> bytes:
    """Return the canonical bytes that the signature under a key covers."""
    return chain.encode_canonical({"by": by, "domain": KEY, "key": name, "public": public, "since": since})


def signed_bytes(receipt: Receipt) -> bytes:
    """Return the canonical bytes of all fields but the signature."""
    signed = msgspec.structs.asdict(receipt)
    del signed["signature"]
    return chain.encode_canonical(signed)


@lru_cache(maxsize=256)
def _holds(public: str, signature: str, signed: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(chain.raw_bytes(public, 32)).verify(chain.raw_bytes(signature, 64), signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def begun_anew(keys: Sequence[Key]) -> tuple[str, ...]:
    """Return the names of the keys that were made after a loss: no key before them vouches for them."""
    return tuple(key.key for key in keys[1:] if key.by is None)


def faults_of(keys: Sequence[Key]) -> list[str]:
    """Return the faults of a history of keys, a line each (LOG-8)."""
    faults = []
    before: Key | None = None
    for key in keys:
        if key.key != name_of(chain.raw_bytes(key.public, 32)):
            faults.append(f"key {key.key}: the name is not its public key's")
        if key.by is not None and key.by != (before.key if before else None):
            faults.append(f"key {key.key}: it is not by the key before it")
        if before and key.since <= before.since:
            faults.append(f"key {key.key}: it signs since {key.since}, not after the key before it")
        signer = before.public if before and key.by is not None else key.public
        if not _holds(signer, key.signature, key_bytes(key.by, key.key, key.public, key.since)):
            faults.append(f"key {key.key}: its signature does not hold")
        before = key
    return faults


def check(receipt: Receipt, keys: Sequence[Key], head: Head) -> None:
    """Check that a receipt is for this head, and by the key that signed at its `at` (LOG-9). Raises Fault."""
    if (receipt.version, receipt.hash) != (head.version, head.hash.hex()):
        raise Fault(f"the receipt is for version {receipt.version} with the hash {receipt.hash}")
    number = next((i for i, key in enumerate(keys) if key.key == receipt.key), None)
    if number is None:
        raise Fault(f"the receipt is by the key {receipt.key}, which is not one of the keys")
    key, following = keys[number], keys[number + 1 : number + 2]
    if receipt.at < key.since or any(receipt.at >= next_key.since for next_key in following):
        raise Fault(f"the receipt is by the key {receipt.key}, which did not sign at {receipt.at}")
    if receipt.at != max(head.at, key.since):
        raise Fault(f"the receipt is of {receipt.at}, neither the event's moment nor the key's first")
    if receipt.domain != RECEIPT or not _holds(key.public, receipt.signature, signed_bytes(receipt)):
        raise Fault("the receipt's signature does not hold")
