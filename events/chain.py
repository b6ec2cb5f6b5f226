"""The hash chain and the commits, which make a log prove itself (docs/log.md has each formula)."""

from __future__ import annotations

from hashlib import sha256
from hmac import digest

import msgspec

from events import canonical
from events.envelope import (
    EMPTY,
    Commit,
    Draft,
    Opening,
    Secret,
    Shown,
    Stored,
    commits_of,
    hashed_bytes,
    readable,
    secrets_of,
)

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
    return sha256(salted + value if salted else canonical.raw(msgspec.json.decode(value, type=str), 32)).digest()


def _commits(secrets: dict[str, Secret], secret: bytes, stream: str, version: int) -> bytes:
    return canonical.encode(
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
