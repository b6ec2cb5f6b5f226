"""Checks that a match in a store still proves itself: its chains, its commits, and what came with an import.

It needs no rules, so it works for matches of any game and release, and is fast.
"""

from __future__ import annotations

import msgspec

from events import chain
from events.chain import GENESIS, Stored, commits_of, secrets_of
from events.store import StoreError
from replays.files.exports import forked_from
from replays.files.format import read_proof
from replays.log import Streams, secret_of


class Checked(msgspec.Struct, frozen=True):
    """The result of the check of a match."""

    match: str
    events: int
    fault: str = ""
    """The first thing that does not hold, as a line; "" if all holds."""


class Broken(ValueError):
    """Something does not hold. The message is one line."""


def check(store: Streams, match_id: str) -> Checked:
    """Check all streams of the match."""
    events = 0
    try:
        secret = _secret(store, match_id)
        for stream in (match_id, *store.private_streams(match_id)):
            events += _check_stream(store.read(stream), stream, secret)
        _check_origin(store, match_id)
    except (Broken, StoreError) as error:
        return Checked(match_id, events, " ".join(str(error).split()))
    return Checked(match_id, events)


def _secret(store: Streams, match_id: str) -> bytes | None:
    """Return the secret that salts the match's commits; None if its log hides nothing. Raises Broken."""
    first = store.read(match_id, 0, 1)
    try:
        return secret_of(first[0]) if first else None
    except (msgspec.DecodeError, chain.NotCanonical) as error:
        raise Broken(f"what version 1 of {match_id} hides can't be read") from error


def _check_stream(events: tuple[Stored, ...], stream: str, secret: bytes | None) -> int:
    previous = GENESIS
    for version, event in enumerate(events, 1):
        if event.version != version:
            raise Broken(f"version {event.version} of {stream} follows {version - 1}")
        if chain.link(previous, event) != event.hash:
            raise Broken(f"version {version} of {stream} does not fit its hash")
        if secret is not None:
            _check_commits(event, secret)
        previous = event.hash
    return len(events)


def _check_commits(event: Stored, secret: bytes) -> None:
    """Check that hidden values fit their commits. Raises Broken."""
    try:
        hidden, commits = secrets_of(event), commits_of(event)
        holds = hidden.keys() == commits.keys() and all(
            _commit(event, path, secret, bytes(part.value)) == commits[path].commit
            and part.readers == commits[path].readers
            for path, part in hidden.items()
        )
    except (msgspec.DecodeError, chain.NotCanonical):
        holds = False
    if not holds:
        raise Broken(f"what version {event.version} of {event.stream} hides is not what it has committed to")


def _commit(event: Stored, path: str, secret: bytes, value: bytes) -> str:
    return chain.commit_to(value, chain.salt(secret, event.stream, event.version, path)).hex()


def _check_origin(store: Streams, match_id: str) -> None:
    """Check that what came with an import can be read, and that a fork's parent is in the store. Raises Broken."""
    if (proof := store.proof(match_id)) is not None:
        try:
            read_proof(proof)
        except msgspec.DecodeError as error:
            raise Broken(f"what came with the import of {match_id} can't be read") from error
        return
    try:
        forked = forked_from(store.read(match_id, 1, 1))
    except msgspec.DecodeError as error:
        raise Broken(f"version 2 of {match_id} can't be read: {error}") from error
    if forked is not None and store.head(forked.parent).version < forked.version:
        raise Broken(f"{match_id} goes on from version {forked.version} of {forked.parent}, which is not here")
