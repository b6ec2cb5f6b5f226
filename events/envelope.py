"""An event as it is stored, shown and exported (docs/log.md, "An event, as stored")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from events import canonical

Hex = str
"""Bytes in JSON: lower-case hexadecimal."""

EMPTY = b"{}"
"""The secrets, and the commits, of an event that hides nothing."""

MATCH = "[0-9A-Za-z][0-9A-Za-z_-]{0,63}"
"""A match's id, as a pattern: it can be a file's name, and says nothing to a terminal."""


class Draft(msgspec.Struct, frozen=True, gc=False):
    """An encoded event before it has its place in a stream."""

    type: str
    schema: int
    public: bytes
    """Canonical JSON of the event as somebody without a seat is told it."""
    secret: bytes
    """Canonical JSON of `{path: {readers, value}}`; `{}` when nothing is hidden."""
    actor: str
    """`seat:N`, `clock` or `service`."""
    move: int
    """Number of the move that it belongs to; 0 before the first."""


class Stored(msgspec.Struct, frozen=True, gc=False):
    """An event in its place: sealed into its stream's hash chain. The store adds partition and position."""

    stream: str
    version: int
    """Place in the stream, from 1, no gaps."""
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
    """32 bytes, see `chain`."""


class Secret(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A hidden value, as stored."""

    readers: tuple[int, ...]
    value: msgspec.Raw


class Opening(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A hidden value, as shown to a reader: with it they open its commit."""

    readers: tuple[int, ...]
    salt: Hex
    value: msgspec.Raw


class Commit(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What everybody is shown of a hidden value."""

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
    """Of what an event hides, by its path, what a seat may read (None: somebody without a seat).

    `is_open`: all may be read, since the match is over or the log is one's own.
    """
    return {path: one for path, one in parts.items() if is_open or seat in one.readers}


def secrets_of(event: Stored | Draft) -> dict[str, Secret]:
    """The hidden values by their path."""
    return _secrets.decode(event.secret) if event.secret != EMPTY else {}


def commits_of(event: Stored) -> dict[str, Commit]:
    """The commits by the path of what they commit to."""
    return _commits.decode(event.commits) if event.commits != EMPTY else {}


def hashed_bytes(event: Stored) -> bytes:
    """The canonical bytes that the hash covers: everything but partition, position, secret and the hash itself."""
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
