"""The events of a log: how they are stored and shown, their canonical bytes, and the hash chain (docs/log.md)."""

from __future__ import annotations

import json
import re
import secrets
from base64 import b32encode
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from hmac import digest
from typing import Any, TypeVar

import msgspec

SAFE = 1 << 53
"""Every integer is smaller than this, and larger than its negative, so that a double can hold it."""

DEEPEST = 100
"""How deep lists and objects may nest, so that every reader can read them."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_LONG = re.compile(rb"\d{16}")
"""Matches bytes that may hold too large an integer."""
_encoder = msgspec.json.Encoder(order="sorted")


def _refuse_float(digits: str) -> None:
    raise ValueError(f"the float {digits}")


_decode_without_floats = msgspec.json.Decoder(float_hook=_refuse_float).decode


class NotCanonical(ValueError):
    """A value that canonical JSON can't hold, or bytes that are not its canonical form."""


def encode_canonical(value: Any) -> bytes:
    """Return the canonical bytes of a struct, or of a value that `check_canonical` accepts.

    Raises:  NotCanonical for a lone surrogate. Other faults are found by `check_canonical` only.
    """
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError as error:
        raise NotCanonical("value: a lone surrogate") from error


def check_canonical(value: object) -> None:
    """Check that canonical JSON can hold the value.

    The content of texts is free: no table of characters, which grows every year, decides what is valid.
    Raises:  NotCanonical for a float, a large integer, a key that is not ASCII, a lone surrogate, or too deep nesting.
    """
    if (fault_found := _fault(value, 0)) is not None:
        path, kind, fault = fault_found
        raise NotCanonical(f"{path.removeprefix('.') or kind}: {fault}" if kind else fault)


def _fault(value: object, depth: int) -> tuple[str, str, str] | None:
    """Return the first fault: its path, what to call a value without one, what is wrong. None if there is no fault."""
    if depth > DEEPEST:
        return "", "", f"nested deeper than {DEEPEST}"
    if isinstance(value, str):
        return None if value.isascii() or not _SURROGATE.search(value) else ("", "value", "a lone surrogate")
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return None if -SAFE < value < SAFE else ("", "value", f"the integer {value} is too large")
    if isinstance(value, dict):
        return _fault_inside(value, depth + 1)
    if isinstance(value, list | tuple):
        for i, item in enumerate(value):
            if (inner := _fault(item, depth + 1)) is not None:
                return f"[{i}]{inner[0]}", *inner[1:]
        return None
    return "", "value", f"{type(value).__name__} has no canonical form"


def _fault_inside(value: dict[Any, Any], depth: int) -> tuple[str, str, str] | None:
    for key, item in value.items():
        if not isinstance(key, str) or not key.isascii():
            return "", "object", f"the key {key!r} is not ASCII"
        if (inner := _fault(item, depth)) is not None:
            return f".{key}{inner[0]}", *inner[1:]
    return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotCanonical(f"a doubled key among {sorted(key for key, _ in pairs)}")
    return members


def decode_canonical(data: bytes) -> Any:
    """Return the value of canonical bytes. Raises NotCanonical unless `encode_canonical` makes these bytes of it."""
    if (usual := _decode_usual(data)) is not None:
        return usual
    try:
        value = json.loads(data, object_pairs_hook=_unique)
        check_canonical(value)
        again = encode_canonical(value)
    except NotCanonical:
        raise
    except (ValueError, RecursionError) as error:
        # ValueError: not UTF-8, not JSON, or an integer of more digits than Python reads
        raise NotCanonical(f"no JSON: {error}") from error
    if again != data:
        raise NotCanonical("not the canonical form of its value")
    return value


def _decode_usual(data: bytes) -> Any:
    """Return the value of canonical bytes that are plain to see as such, as those of nearly all events are; else None.

    What is ASCII and comes again byte by byte has no doubled key, no key that is not ASCII, and no lone surrogate.
    """
    if not data.isascii() or _LONG.search(data) or data.count(b"[") + data.count(b"{") > DEEPEST:
        return None
    try:
        value = _decode_without_floats(data)
        return value if _encoder.encode(value) == data else None
    except (ValueError, msgspec.DecodeError):
        return None


def raw_bytes(digits: str, length: int) -> bytes:
    """Return the `length` bytes of lower-case hexadecimal digits, the only spelling. Raises NotCanonical."""
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        data = b""
    if len(data) != length or data.hex() != digits:
        raise NotCanonical(f"{length} bytes as lower-case hexadecimal digits were expected")
    return data


Hex = str
"""Bytes as lower-case hexadecimal digits."""

EMPTY = b"{}"
"""The stored secrets, and the stored commits, of an event that hides nothing."""

MATCH = "[0-9A-Za-z][0-9A-Za-z_-]{0,63}"
"""The pattern of a match's id: it is safe as a file's name and in a terminal."""


class Draft(msgspec.Struct, frozen=True, gc=False):
    """An encoded event that has no place in a stream yet."""

    type: str
    schema: int
    public: bytes
    """Canonical JSON of the event as a reader without a seat gets it."""
    secret: bytes
    """Canonical JSON of `{path: {readers, value}}`; `{}` when nothing is hidden."""
    actor: str
    """`seat:N`, `clock` or `service`."""
    move: int
    """Number of the move that the event belongs to; 0 before the first."""


class Stored(msgspec.Struct, frozen=True, gc=False):
    """An event at its place in its stream's hash chain. The store adds partition and position."""

    stream: str
    version: int
    """Place in the stream: 1, 2, 3 and so on without gaps."""
    type: str
    schema: int
    at: str
    """UTC, RFC 3339 with milliseconds, never earlier than the event before it."""
    actor: str
    move: int
    public: bytes
    secret: bytes
    commits: bytes
    """Canonical JSON of `{path: {readers, commit}}`."""
    hash: bytes
    """32 bytes: see `events.chain.link`."""


class Secret(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A hidden value as the store keeps it."""

    readers: tuple[int, ...]
    value: msgspec.Raw


class Opening(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A hidden value as it is shown to a reader, who can check it against its commit."""

    readers: tuple[int, ...]
    salt: Hex
    value: msgspec.Raw


class Commit(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The part of a hidden value that everybody may see."""

    commit: Hex
    readers: tuple[int, ...]


class Shown(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An event as it leaves the store: `secret` holds what its reader may open. This is also a line of an export."""

    actor: str
    at: str
    commits: dict[str, Commit]
    hash: Hex
    move: int
    public: msgspec.Raw
    schema: int
    """Which version of the event's shape it has."""
    secret: dict[str, Opening]
    stream: str
    """The log that it stands in: the match's, or a seat's private one."""
    type: str
    version: int


Read = TypeVar("Read", Secret, Opening, Commit)

read_secrets = msgspec.json.Decoder(dict[str, Secret]).decode
"""Decodes a stored column of hidden values: returns them by path."""

_commits_decoder = msgspec.json.Decoder(dict[str, Commit])


def readable(parts: Mapping[str, Read], seat: int | None, *, is_open: bool = False) -> dict[str, Read]:
    """Return those hidden parts of an event, by path, that a seat may read (None: a reader without a seat).

    `is_open`: all may be read, since the match is over or the log is the reader's own.
    """
    return {path: part for path, part in parts.items() if is_open or seat in part.readers}


def secrets_of(event: Stored | Draft) -> dict[str, Secret]:
    """Return the event's hidden values by path."""
    return read_secrets(event.secret) if event.secret != EMPTY else {}


def commits_of(event: Stored) -> dict[str, Commit]:
    """Return the event's commits by the path of the value that they commit to."""
    return _commits_decoder.decode(event.commits) if event.commits != EMPTY else {}


def hashed_bytes(event: Stored) -> bytes:
    """Return the canonical bytes that the hash covers: all but partition, position, secret and the hash itself."""
    return b'{"actor":%b,"at":%b,"commits":%b,"move":%d,"public":%b,"schema":%d,"stream":%b,"type":%b,"version":%d}' % (
        encode_canonical(event.actor),
        encode_canonical(event.at),
        event.commits,
        event.move,
        event.public,
        event.schema,
        encode_canonical(event.stream),
        encode_canonical(event.type),
        event.version,
    )


def fresh_id(kind: str) -> str:
    """Return a new id: the kind (`m` for a match), `_`, and 80 random bits in lower-case base32."""
    return f"{kind}_{b32encode(secrets.token_bytes(10)).decode().lower()}"


def is_match_id(text: str) -> bool:
    """Return whether a match can have that id, which makes it safe as a file's name."""
    return re.fullmatch(MATCH, text) is not None


def now() -> datetime:
    """Return the time of the wall clock, in UTC."""
    return datetime.now(UTC)


def stamp(time: datetime) -> str:
    """Return the time as RFC 3339 in UTC, with milliseconds: `2026-03-01T12:00:00.000Z`."""
    utc = time if time.tzinfo is UTC else time.astimezone(UTC)
    return f"{utc.isoformat(timespec='milliseconds')[:-6]}Z"


GENESIS = bytes(32)
"""Stands for the previous hash before a stream's first event."""

SECRET = (1, "secret")
"""Version and path of the match's secret, the only hidden field without a salt: all salts are made from it."""


class Head(msgspec.Struct, frozen=True, gc=False):
    """The end of a stream."""

    version: int = 0
    hash: bytes = GENESIS
    at: str = ""


def salt(secret: bytes, stream: str, version: int, path: str) -> bytes:
    """Return the salt of one hidden field: HMAC-SHA256(secret, "salt:" stream ":" version ":" path), 32 bytes.

    The match's secret itself has none: b"".
    """
    if (version, path) == SECRET and "/" not in stream:
        return b""
    return digest(secret, f"salt:{stream}:{version}:{path}".encode(), "sha256")


def commit_to(value: bytes, salted: bytes) -> bytes:
    """Return SHA-256(salt, canonical value). Of the match's secret, which has no salt: SHA-256 of its 32 raw bytes.

    Raises:  msgspec.DecodeError, NotCanonical for a secret that is malformed.
    """
    return sha256(salted + value if salted else raw_bytes(msgspec.json.decode(value, type=str), 32)).digest()


def _commits(secrets: dict[str, Secret], secret: bytes, stream: str, version: int) -> bytes:
    return encode_canonical(
        {
            path: Commit(
                commit=commit_to(bytes(hidden.value), salt(secret, stream, version, path)).hex(),
                readers=hidden.readers,
            )
            for path, hidden in secrets.items()
        }
    )


def link(previous: bytes, event: Stored) -> bytes:
    """Return the hash of an event: SHA-256(previous hash, canonical bytes)."""
    return sha256(previous + hashed_bytes(event)).digest()


def seal(head: Head, stream: str, drafts: tuple[Draft, ...], at: str, secret: bytes) -> tuple[Stored, ...]:
    """Return the drafts as events after the head: with versions, commits salted from the match's secret, and hashes."""
    sealed = []
    previous, version = head.hash, head.version
    at = max(at, head.at)
    for draft in drafts:
        version += 1
        hidden = secrets_of(draft)
        event = Stored(
            stream=stream,
            version=version,
            type=draft.type,
            schema=draft.schema,
            at=at,
            actor=draft.actor,
            move=draft.move,
            public=draft.public,
            secret=draft.secret,
            commits=_commits(hidden, secret, stream, version) if hidden else EMPTY,
            hash=b"",
        )
        previous = link(previous, event)
        sealed.append(msgspec.structs.replace(event, hash=previous))
    return tuple(sealed)


def head_of(events: tuple[Stored, ...]) -> Head:
    """Return the head of a stream, given its last events."""
    return Head(version=events[-1].version, hash=events[-1].hash, at=events[-1].at)


def show(event: Stored, seat: int | None, secret: bytes, *, is_open: bool = False) -> Shown:
    """Return the event with what a seat may read (None: a reader without a seat).

    `secret` is the match's secret, from which the salts are made. `is_open`: the match is over and all may be read.
    """
    shown = {
        path: Opening(
            readers=hidden.readers,
            salt=salt(secret, event.stream, event.version, path).hex(),
            value=hidden.value,
        )
        for path, hidden in readable(secrets_of(event), seat, is_open=is_open).items()
    }
    return Shown(
        actor=event.actor,
        at=event.at,
        commits=commits_of(event),
        hash=event.hash.hex(),
        move=event.move,
        public=msgspec.Raw(event.public),
        schema=event.schema,
        secret=shown,
        stream=event.stream,
        type=event.type,
        version=event.version,
    )
