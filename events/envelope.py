"""An event as it is stored, shown and exported (docs/log.md, "An event, as stored")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from events import canonical

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

_secrets = msgspec.json.Decoder(dict[str, Secret])
_commits = msgspec.json.Decoder(dict[str, Commit])


def readable(parts: Mapping[str, Read], seat: int | None, *, is_open: bool = False) -> dict[str, Read]:
    """Return those hidden parts of an event, by path, that a seat may read (None: a reader without a seat).

    `is_open`: all may be read, since the match is over or the log is the reader's own.
    """
    return {path: part for path, part in parts.items() if is_open or seat in part.readers}


def secrets_of(event: Stored | Draft) -> dict[str, Secret]:
    """Return the event's hidden values by path."""
    return _secrets.decode(event.secret) if event.secret != EMPTY else {}


def commits_of(event: Stored) -> dict[str, Commit]:
    """Return the event's commits by the path of the value that they commit to."""
    return _commits.decode(event.commits) if event.commits != EMPTY else {}


def hashed_bytes(event: Stored) -> bytes:
    """Return the canonical bytes that the hash covers: all but partition, position, secret and the hash itself."""
    return b'{"actor":%b,"at":%b,"commits":%b,"move":%d,"public":%b,"schema":%d,"stream":%b,"type":%b,"version":%d}' % (
        canonical.encode(event.actor),
        canonical.encode(event.at),
        event.commits,
        event.move,
        event.public,
        event.schema,
        canonical.encode(event.stream),
        canonical.encode(event.type),
        event.version,
    )
