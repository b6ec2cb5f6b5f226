"""Writes a match as a file: JSON Lines, a header, its events as somebody may read them, and receipts (docs/log.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from domain import match
from domain.match import Status
from events import canonical, chain
from events.chain import Head
from events.envelope import Shown, Stored
from events.receipts import Key, Receipt
from replays.files import ALL, FORMAT, Header, PackText, read_proof
from replays.log import Log, Streams, private_stream, secret_of


class Signer(Protocol):
    """Who signs receipts: a `Keyring`."""

    @property
    def keys(self) -> Sequence[Key]:
        """The history, the oldest first; the last one signs."""
        ...

    def sign(self, stream: str, head: Head) -> Receipt:
        """The receipt for a stream's head."""
        ...


class Lost(LookupError):
    """What a fork goes on from is not in the store."""


def lines(log: Log, signer: Signer | None, seat: int | None = None, *, is_inside: bool = False) -> Iterator[bytes]:
    """The lines of the export: of a match that is over everything, of another what the seat may see, or anybody.

    What came with an import goes out as it came: its receipts are those of the service where it was played.

    Without a signer there are no receipts, and `is_inside` tells everything of a running match too: nothing for others.

    Shape:   the header, the match's log, the private logs that may be read, what a fork goes on from, receipts; each
             line ends in a newline.
    Raises:  Lost.
    """
    status, version = _status(log)
    is_over = status in {Status.FINISHED, Status.ABORTED}
    imported = log.store.proof(log.id)
    proof = None if imported is None else read_proof(imported)
    is_open = is_over or is_inside
    # what lacks is found before the first line is out
    parents = tuple(ancestors(log.store, log.id)) if proof is None else proof.parents
    header = Header(
        format=FORMAT,
        match=log.id,
        game=log.game.slug,
        rules=log.opening.version,
        pack=PackText(name=log.pack.name, hash=log.pack.hash, text=log.pack.data.decode()),
        viewer=ALL if is_open else seat,
        status=status,
        version=version,
        keys=proof.keys if proof else tuple(signer.keys) if signer else (),
    )
    yield _line(header)
    heads: list[tuple[str, Head]] = []
    for events in _own(log, seat, version, is_open=is_open):
        for event in events:
            yield _line(event)
        heads.append((events[-1].stream, _head(events[-1])))
    for event in parents:
        yield _line(event)
        if heads[-1][0] != event.stream:
            heads.append((event.stream, _head(event)))
        heads[-1] = (event.stream, _head(event))
    for receipt in proof.receipts if proof else (signer.sign(*head) for head in heads) if signer else ():
        yield _line(receipt)


def _status(log: Log) -> tuple[Status, int]:
    """Where the match is in its life, and its last version: by the types of its events, which need not be folded."""
    types = [kind for kind, *_ in log.store.facts(log.id)]
    last = {"match/Finished": Status.FINISHED, "match/Aborted": Status.ABORTED}.get(types[-1])
    return last or (Status.PLAYING if "match/Started" in types else Status.OPEN), len(types)


def _line(value: Header | Shown | Receipt) -> bytes:
    return canonical.encode(value) + b"\n"


def _head(event: Shown) -> Head:
    return Head(version=event.version, hash=bytes.fromhex(event.hash), at=event.at)


def _own(log: Log, seat: int | None, version: int, *, is_open: bool) -> Iterator[list[Shown]]:
    """The match's stream and the private ones that may be read, those that have events."""
    streams = [log.id]
    if is_open:
        streams.extend(log.store.private_streams(log.id))
    elif seat is not None:
        streams.append(private_stream(log.id, seat))
    for stream in streams:
        # what came while this is written is left out: the header says up to where
        stored = log.store.read(stream, 0, version if stream == log.id else None)
        if stored:
            yield [chain.show(event, seat, log.secret, is_open=is_open or stream != log.id) for event in stored]


def ancestors(store: Streams, match_id: str) -> Iterator[Shown]:
    """What a fork goes on from: the events of its parent up to there, everything open, then of that one's parent.

    Raises:  Lost.
    """
    forked = forked_from(store.read(match_id, 1, 1))
    if forked is None:
        return
    events = store.read(forked.parent, 0, forked.version)
    if len(events) < forked.version:
        raise Lost(f"{match_id} goes on from version {forked.version} of {forked.parent}, which is not here.")
    secret = secret_of(events[0])
    assert secret is not None, "a match that was forked is over, and its secret told"
    for event in events:
        yield chain.show(event, None, secret, is_open=True)
    imported = store.proof(forked.parent)
    if imported is None:
        yield from ancestors(store, forked.parent)
    else:
        yield from read_proof(imported).parents


def forked_from(second: Sequence[Stored]) -> match.Forked | None:
    """From where a log goes on, by its second event."""
    if not second or second[0].type != match.FORKED:
        return None
    return msgspec.json.decode(second[0].public, type=match.Forked)
