"""Checks that a match in a store still proves itself: its chains, its commits, and what came with an import.

It needs no rules, so it works for matches of any game and release, and is fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from events import chain
from events.chain import GENESIS, Stored, commits_of, secrets_of
from events.store import StoreError, Streams
from replays.files.exports import forked_from
from replays.files.format import read_proof
from replays.log import secret_of


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
        first = store.read(match_id, 0, 1)
        with _broken(f"what version 1 of {match_id} hides can't be read"):
            secret = secret_of(first[0]) if first else None
        for stream in (match_id, *store.private_streams(match_id)):
            events += _check_stream(store.read(stream), stream, secret)
        _check_origin(store, match_id)
    except (Broken, StoreError) as error:
        return Checked(match_id, events, " ".join(str(error).split()))
    return Checked(match_id, events)


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
    reason = f"what version {event.version} of {event.stream} hides is not what it has committed to"
    with _broken(reason):
        hidden, commits = secrets_of(event), commits_of(event)
        for path in hidden.keys() | commits.keys():
            part, commit = hidden.get(path), commits.get(path)
            if part is None or commit is None or part.readers != commit.readers:
                raise Broken(reason)
            salted = chain.salt(secret, event.stream, event.version, path)
            if chain.commit_to(bytes(part.value), salted).hex() != commit.commit:
                raise Broken(reason)


@contextmanager
def _broken(reason: str) -> Iterator[None]:
    """Raise Broken in the place of an error of decoding."""
    try:
        yield
    except (msgspec.DecodeError, chain.NotCanonical) as error:
        raise Broken(reason) from error


def _check_origin(store: Streams, match_id: str) -> None:
    """Check that what came with an import can be read, and that a fork's parent is in the store. Raises Broken."""
    if (proof := store.proof(match_id)) is not None:
        with _broken(f"what came with the import of {match_id} can't be read"):
            read_proof(proof)
        return
    with _broken(f"version 2 of {match_id} can't be read"):
        forked = forked_from(store.read(match_id, 1, 1))
    if forked is not None and store.head(forked.parent).version < forked.version:
        raise Broken(f"{match_id} goes on from version {forked.version} of {forked.parent}, which is not here")
