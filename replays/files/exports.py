"""Writes a match as a file of JSON Lines (docs/log.md), and opens forks, which continue a match."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import starmap
from typing import Any, Protocol

import msgspec

from domain import matches, play
from domain.game import Refusal
from domain.matches import Match, Status
from domain.play import Told
from events import chain
from events.chain import Head, Shown, Stored, head_of, readable
from events.receipts import Key, Receipt
from events.store import Streams
from replays.files.format import ALL, FORMAT, ExportHeader, ExportPack, File, Proof, read_proof
from replays.log import TRUTH, Log, private_stream, secret_of


class Signer(Protocol):
    """Signs receipts: a `Keyring`."""

    @property
    def keys(self) -> tuple[Key, ...]:
        """The history of its keys, oldest first; the last one signs."""
        ...

    def sign(self, stream: str, head: Head) -> Receipt:
        """Return the receipt for a stream's head."""
        ...


TRIES = 50
"""How often a match is read again because it has grown meanwhile."""


class Busy(LookupError):
    """The match grows faster than it can be read."""


class Lost(LookupError):
    """The match that a fork continues is not in the store."""


def lines(log: Log, signer: Signer | None, seat: int | None = None, *, is_inside: bool = False) -> Iterator[bytes]:
    """Yield the lines of the export: everything of a finished match; of another what the seat, or anybody, may see.

    Before the start a seat may see no more than anybody. An imported match keeps what came with it: its receipts are
    those of the service where it was played. Without a signer there are no receipts. `is_inside` exports everything of
    a running match too, and is not for others.
    Shape:   the header, the match's log, the private logs that may be read, what a fork continues, receipts; each line
             ends in a newline.
    Raises:  Lost, Busy.
    """
    own = _own(log, seat, is_inside=is_inside)
    status = matches.status_of([event.type for event in own[log.id]])
    if status is Status.OPEN:
        # a seat that can still be left may know nothing; in a fork it would have cards
        seat = None
    is_over = status in {Status.FINISHED, Status.ABORTED}
    proof = _imported(log.store, log.id)
    is_open = is_over or is_inside
    # so that Lost is raised before the first line is written
    parents = tuple(ancestors(log.store, log.id, seat, is_open=is_open)) if proof is None else proof.parents
    header = ExportHeader(
        format=FORMAT,
        match=log.id,
        game=log.game.slug,
        rules=log.opening.version,
        pack=ExportPack(name=log.pack.name, hash=log.pack.hash, text=log.pack.data.decode()),
        viewer=ALL if is_open else seat,
        status=status,
        version=len(own[log.id]),
        keys=proof.keys if proof else signer.keys if signer else (),
    )
    yield _line(header)
    heads: dict[str, Head] = {}
    for stream, stored in own.items():
        for stored_event in stored:
            yield _line(chain.show(stored_event, seat, log.secret, is_open=is_open or stream != log.id))
        heads[stream] = head_of(stored)
    for event in parents:
        yield _line(event)
        heads[event.stream] = Head(version=event.version, hash=chain.raw_bytes(event.hash, 32), at=event.at)
    for receipt in proof.receipts if proof else starmap(signer.sign, heads.items()) if signer else ():
        yield _line(receipt)


def again(file: File) -> Iterator[bytes]:
    """Yield the lines of an export that was read: the same bytes, since only one form is canonical."""
    yield from map(_line, (file.header, *file.events, *file.receipts))


def _line(value: msgspec.Struct) -> bytes:
    return chain.encode_canonical(value) + b"\n"


def _own(log: Log, seat: int | None, *, is_inside: bool) -> dict[str, tuple[Stored, ...]]:
    """Return the match's stream and the private ones that may be read, all from one moment. Raises Busy."""
    for _ in range(TRIES):
        events = {log.id: log.store.read(log.id)}
        streams: tuple[str, ...] = ()
        if is_inside or events[log.id][-1].type in matches.LAST:
            streams = log.store.private_streams(log.id)
        elif seat is not None:
            streams = (private_stream(log.id, seat),)
        events |= {stream: stored for stream in streams if (stored := log.store.read(stream))}
        # if answers were closed between the two reads, the streams would not fit each other
        if log.store.head(log.id).version == len(events[log.id]):
            return events
    raise Busy(f"{log.id} moves on faster than it can be read. Try again.")


def ancestors(store: Streams, match_id: str, seat: int | None, *, is_open: bool) -> Iterator[Shown]:
    """Yield the events that a fork continues: its parent's up to that version, then those of the parent's parent.

    They are shown like the fork's own events: while it runs a seat does not learn from them what the others hold.
    Raises:  Lost.
    """
    forked = forked_from(store.read(match_id, 1, 1))
    if forked is None:
        return
    events = store.read(forked.parent, 0, forked.version)
    if len(events) < forked.version:
        raise Lost(f"{match_id} goes on from version {forked.version} of {forked.parent}, which is not here.")
    secret = secret_of(events[0])
    assert secret is not None, "a match that was forked is over, and its secret known"
    for event in events:
        yield chain.show(event, seat, secret, is_open=is_open)
    if (proof := _imported(store, forked.parent)) is None:
        yield from ancestors(store, forked.parent, seat, is_open=is_open)
    for shown in proof.parents if proof else ():
        yield msgspec.structs.replace(shown, secret=readable(shown.secret, seat, is_open=is_open))


def _imported(store: Streams, match_id: str) -> Proof | None:
    """Return what came with the import of the match; None if it was played here."""
    proof = store.proof(match_id)
    return None if proof is None else read_proof(proof)


def forked_from(second: Sequence[Stored]) -> matches.Forked | None:
    """Return what a log continues, given its second event; None if it is no fork."""
    if not second or second[0].type != matches.FORKED:
        return None
    return msgspec.json.decode(second[0].public, type=matches.Forked)


def fork(log: Log, version: int, secret: str) -> tuple[tuple[Told, ...], Match[Any]]:
    """Return the events that open a fork of the match at that version, and the fork after them, with all seats free.

    Shape:   `secret` is the fork's own, 32 bytes as hexadecimal digits.
    Raises:  Refusal when the match is not over, or nobody was asked at that version; OtherRules.
    """
    log.need_own_rules()
    if not log.is_over:
        raise Refusal("", "match-not-over")
    head = log.store.head(log.id).version
    if not 1 <= version < head:
        raise Refusal("", "fork-point", match=log.id, version=version)
    *events, following = log.events(TRUTH, 0, version + 1)
    parent = matches.fold(log.game, matches.begin(log.game, log.pack.pack, events[0]), events[1:])
    return play.fork_match(
        log.game,
        log.pack.pack,
        parent,
        [event for event in events if not isinstance(event, matches.EVENTS)],
        following,
        id=log.id,
        hash=log.store.read(log.id, version - 1, 1)[0].hash.hex(),
        secret=secret,
    )


def fork_points(log: Log) -> tuple[int, ...]:
    """Return the versions from which one can continue: those at which somebody was asked for a move."""
    events = log.events(TRUTH)
    started = next((at for at, event in enumerate(events) if isinstance(event, matches.Started)), len(events))
    return tuple(at for at, event in enumerate(events) if at > started and matches.begins_move(event))


def nearest_fork_points(log: Log, version: int) -> tuple[int, ...]:
    """Return the last such version before that one and the first after it, as far as they exist."""
    known = fork_points(log)
    after = bisect(known, version)
    return known[max(0, after - 1) : after + 1]
