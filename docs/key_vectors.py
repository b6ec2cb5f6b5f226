"""The vectors of receipts and of the keys that sign them; docs/make_vectors.py writes them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import chain

Vector = dict[str, Any]

SIGNERS = tuple(Ed25519PrivateKey.from_private_bytes(sha256(b"key %d" % number).digest()) for number in range(3))
PUBLIC = tuple(signer.public_key().public_bytes_raw() for signer in SIGNERS)
KEY_NAMES = tuple(sha256(public).hexdigest()[:16] for public in PUBLIC)
SINCE = tuple(f"2024-0{month}-01T00:00:00.000Z" for month in (1, 3, 6))


def signed(message: Vector, signer: int) -> str:
    """Return the signature of a message. These keys are public, so everybody can sign with them."""
    return SIGNERS[signer].sign(chain.encode_canonical(message)).hex()


def key(number: int, signer: int | None = None, **other: Any) -> Vector:
    """Return an entry of the history of keys, signed by the key `signer`, or by itself if that is None."""
    before = None if signer is None else KEY_NAMES[signer]
    told = {"by": before, "key": KEY_NAMES[number], "public": PUBLIC[number].hex(), "since": SINCE[number], **other}
    return {**told, "signature": signed({**told, "domain": "foldtable-key-1"}, number if signer is None else signer)}


KEYS = [key(0), key(1, 0), key(2, 1)]


def keys() -> list[Vector]:
    """Return histories of keys: three that hold, and some that must be refused."""
    first, second, third = KEYS
    wrong = {
        "another signature": [first, second, {**third, "signature": second["signature"]}],
        "the first by nobody": [{**first, "signature": "00" * 64}],
        "another name": [first, key(1, 0, key="0" * 16)],
        "another time": [first, {**second, "since": SINCE[2]}],
        "re-signed: not later": [first, key(1, 0, since=SINCE[0])],
        "re-signed: anew, and not later": [first, key(1, since=SINCE[0])],
        "re-signed: anew, by the one before it": [first, key(1, 0, by=None)],
        "re-signed: by itself, in another's name": [first, key(1, by=first["key"])],
        "re-signed: by one that is not before it": [first, second, key(2, 0)],
        "re-signed: the first by another": [key(0, by=second["key"])],
        "one left out": [first, third],
        "another order": [second, first],
    }
    return [
        {"name": "one", "keys": KEYS[:1], "holds": True},
        {"name": "three", "keys": KEYS, "holds": True},
        {"name": "begun anew", "keys": [first, key(1), key(2, 1)], "holds": True},
        *({"name": name, "keys": history, "holds": False} for name, history in wrong.items()),
    ]


def receipt(event: Vector, number: int, **other: Any) -> Vector:
    """Return a receipt for an event, by that key."""
    told = {
        "domain": "foldtable-receipt-1",
        "stream": event["stream"],
        "version": event["version"],
        "hash": event["hash"],
        "at": event["at"],
        "key": KEYS[number]["key"],
        **other,
    }
    return {**told, "signature": signed(told, number)}


def receipts(before: Vector, last: Vector) -> list[Vector]:
    """Return receipts for events of a match: some that hold, and some that must be refused."""
    head = {name: last[name] for name in ("stream", "version", "hash", "at")}
    held = receipt(last, 1)
    early = {**head, "at": "2024-02-29T23:59:59.999Z"}
    late = {**head, "at": SINCE[2]}
    rows: tuple[tuple[str, Vector, Vector, bool], ...] = (
        ("at the event's moment", head, held, True),
        ("from the moment of a key", early, receipt(early, 1, at=SINCE[1]), True),
        ("before the next key", early, receipt(early, 0), True),
        ("by the last key", late, receipt(late, 2), True),
        ("another signature", head, {**held, "signature": receipt(before, 1)["signature"]}, False),
        ("another hash", head, {**held, "hash": before["hash"]}, False),
        ("another domain", head, receipt(last, 1, domain="foldtable-receipt-0"), False),
        ("re-signed: another version's hash", head, receipt(last, 1, hash=before["hash"]), False),
        ("re-signed: another version", head, receipt(last, 1, version=before["version"]), False),
        ("re-signed: another stream", head, receipt(last, 1, stream=last["stream"] + "/seat:1"), False),
        ("re-signed: before the event", head, receipt(last, 1, at=before["at"][:-4] + "006Z"), False),
        ("re-signed: before its key", early, receipt(early, 1), False),
        ("re-signed: when the next key signs", late, receipt(late, 1), False),
        ("re-signed: by a key in another's name", head, receipt(last, 2, key=held["key"]), False),
        ("re-signed: by a key that nobody knows", head, receipt(last, 1, key="0" * 16), False),
    )
    return [
        {"name": name, "keys": KEYS, "event": event, "receipt": one, "holds": holds} for name, event, one, holds in rows
    ]
