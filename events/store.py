"""What a store of streams promises, whatever keeps it: the values that go in and out, its errors, the protocol.

A match has one stream, named by its id, and private ones beside it, `{id}/seat:{n}`. One append writes to streams of
one match only, and everything that it touches (the command that it answers, the decisions that it leaves open, a proof)
names that match and lies in its partition, so that a store can be cut by partitions and no append reaches across two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Protocol

import msgspec

from events.chain import Head
from events.envelope import Stored

Fact = tuple[str, int, bytes, bytes]
"""Type, schema, public and secret of an event: all that folding needs."""

Brief = tuple[str, bytes, bytes | str | None]
"""The same in fewer values, of which a whole log is read sooner: type, public, and what is unusual about the event.

That is None for an event of schema 1 without secrets, as most are; the secret, of one that has some; and for an event
of another schema the schema and the secret as one text, a space between them.
"""

Row = tuple[Any, ...]

OnCommit = Callable[[frozenset[str]], object]
"""Told the streams that a commit has made longer, and of appends without events the match; it must not wait for the
store. A private stream that grew alone is told alone: nobody but its seat is to notice.
"""


class Write(msgspec.Struct, frozen=True, gc=False):
    """Events for one stream. Without events it only demands that the stream still ends where it is expected to."""

    stream: str
    expected: int
    """Version of the stream's head before; 0 for a stream that has none."""
    events: tuple[Stored, ...] = ()


class Command(msgspec.Struct, frozen=True, gc=False):
    """The request that an append answers. A store acts on it once a match.

    Whoever looks one up knows the match: a request that opens one is no command, see `service.store.idempotency`.
    """

    id: str
    digest: str
    """Of the request's body: the same id with another digest is another request."""


class Decision(msgspec.Struct, frozen=True, gc=False):
    """A seat that owes an answer; a match has at most one open decision a seat."""

    match: str
    seat: int
    since: int
    """Version of the match's stream at which the seat was asked."""
    due: str
    """UTC, RFC 3339 with milliseconds; "" is no deadline."""
    who: str
    """Who answers, in the caller's own words: `player:ID`, `bot:greedy`."""


class Span(msgspec.Struct, frozen=True, gc=False):
    """The events from version `first` to `last` of a stream, both included."""

    stream: str
    first: int
    last: int


class Appended(msgspec.Struct, frozen=True, gc=False):
    """What an append stored, one span a stream that grew; `repeated`: its command had stored it before."""

    spans: tuple[Span, ...]
    repeated: bool = False


class Statement(msgspec.Struct, frozen=True):
    """SQL on the caller's own tables, in words that every store with tables understands."""

    sql: str
    named: dict[str, Any] = {}
    """What stands in its places, `:name`."""
    home: str = ""
    """What tells the partition that it keeps to, as a match's id does; bound to `:partition`. "": it has none."""

    def bound(self, partitions: int) -> dict[str, Any]:
        """What stands in its places, in a store of so many partitions."""
        return {**self.named, "partition": partition_of(self.home, partitions)} if self.home else self.named


class Append(msgspec.Struct, frozen=True):
    """What an append is asked to store, of one match: see `Recorder.append`."""

    match: str
    writes: tuple[Write, ...]
    command: Command | None = None
    decisions: tuple[Decision, ...] | None = None
    beside: Sequence[Statement] = ()
    """Only where the store has tables beside its streams."""


Result = Appended | BaseException
"""What came of an append: what it stored, or why it was refused."""


def grown_by(append: Append) -> set[str]:
    """The streams that the append makes longer; the match where it has no events."""
    return {write.stream for write in append.writes if write.events} or {append.match}


class StoreError(Exception):
    """The store could not do what it was asked; nothing of the request was stored, but for `StoreUnsure`."""


class StoreUnsure(StoreError):
    """The store was cut off while it committed, and can't be asked: the request is stored whole, or not at all."""


class BrokenConstraint(StoreError):
    """A statement of the caller's wants what its table forbids: a key that is there, or another row that is not."""


class MissingValue(BrokenConstraint):
    """A statement of the caller's leaves a value empty that must be there."""


class NulInText(StoreError):
    """A text that is to be stored holds the character NUL, which this store can't keep."""


class StaleVersion(StoreError):
    """The stream does not end where the caller expected it to."""

    def __init__(self, stream: str, current: int) -> None:
        super().__init__(f"{stream} is at version {current}")
        self.stream = stream
        self.current = current


class CommandReused(StoreError):
    """The command's id came before in its match, with another digest."""

    def __init__(self, id: str) -> None:
        super().__init__(f"the command {id} came before with another body")
        self.id = id


class StoreUnusable(StoreError):
    """The store can't be opened. The message is one line that names the file."""


class StoreMissing(StoreUnusable):
    """There is no store to read there."""


class StoreUnwritable(StoreUnusable):
    """The store's directory is none, or nothing can be written in it."""


class StoreReadOnly(StoreUnusable):
    """The store's file can't be written to."""


class StoreCorrupt(StoreUnusable):
    """The file is damaged, or is something else."""


class StoreNewer(StoreUnusable):
    """A later release has written the store."""


class StoreInUse(StoreUnusable):
    """Another process writes to the store."""


class Streams(Protocol):
    """Reading of a store: streams of events, the commands that wrote them, the decisions that they leave open."""

    partitions: int
    """Fixed when the store is created."""

    def command(self, match: str, id: str) -> tuple[Command, Appended] | None:
        """The match's command of that id and what it stored (`repeated` is true), None if there was none."""
        ...

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> tuple[Stored, ...]:
        """The stream's events after that version, in order."""
        ...

    def facts(self, stream: str, after: int = 0) -> Iterable[Fact]:
        """Of the stream's events after that version, in order, what folding needs."""
        ...

    def briefs(self, stream: str, after: int = 0) -> list[Brief]:
        """`facts` in fewer values."""
        ...

    def head(self, stream: str) -> Head:
        """Where the stream ends; `Head()` before its first event."""
        ...

    def read_all(self, partition: int, after: int, limit: int) -> tuple[tuple[int, Stored], ...]:
        """A partition's events after that position, with their positions.

        An event that comes to stand before one that was read has been read: following positions misses none.
        """
        ...

    def matches(self, after: str = "", limit: int | None = None) -> tuple[str, ...]:
        """Ids after that one, in their order by code points. Private streams are no matches."""
        ...

    def private_streams(self, match: str) -> tuple[str, ...]:
        """The private streams of a match that have events, seat 2 before seat 10."""
        ...

    def private_ends(self, match: str) -> tuple[Stored, ...]:
        """The last event of each private stream of a match that has any, seat 2 before seat 10."""
        ...

    def proof(self, match: str) -> bytes | None:
        """What came with an imported match beside its events, in the importer's form; None for the store's own."""
        ...

    def latest(self) -> str:
        """The latest `at` of the events that are the store's own, "" if it has none; imported ones are others'."""
        ...

    def decisions(
        self, who_prefix: str = "", match: str | None = None, due_by: str | None = None
    ) -> tuple[Decision, ...]:
        """Open decisions by match and seat: those whose `who` begins so, of one match, due at that time or before."""
        ...

    def position(self, follower: str, partition: int) -> int:
        """The position that the follower noted last; 0 before it noted one."""
        ...

    def close(self) -> None:
        """Finish what was asked for and let go of the store; closing twice is closing once."""
        ...


class Recorder(Streams, Protocol):
    """A store of streams that can be written to."""

    def append(
        self,
        match: str,
        writes: Iterable[Write],
        *,
        command: Command | None = None,
        decisions: tuple[Decision, ...] | None = None,
        proof: bytes | None = None,
    ) -> Appended:
        """Store all of it or nothing; durable on return.

        `decisions` replaces all of the match's open decisions; None leaves them as they are. `proof` is kept beside
        the match, which has none yet.

        Raises:  ValueError when a write leaves a gap, is not the match's, or comes twice for a stream;
                 CommandReused; StaleVersion; StoreError when the store fails.
        """
        ...

    def append_all(self, appends: Sequence[Append]) -> list[Result]:
        """Store each of them as `append` does, one after the other, in few commits: what came of each.

        One that is refused refuses no other. What is stored is durable on return.

        Raises:  ValueError for one that no store would take, StoreError for a store that is closed: then none of them
                 is stored.
        """
        ...

    def note(self, follower: str, partition: int, position: int) -> None:
        """Note up to where the follower has followed the partition."""
        ...


class Tables(Protocol):
    """Reading of tables beside the streams, which belong to whoever opened the store."""

    def find(self, statement: Statement) -> list[Row]:
        """The rows that the statement finds. Raises StoreError."""
        ...

    def find_each(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """The rows that each of them finds, asked at once. Raises StoreError."""
        ...

    def find_everywhere(self, sql: str, /, **named: object) -> list[Row]:
        """The rows that it finds in each partition, `:partition`, one after the other. Raises StoreError."""
        ...


class Reader(Streams, Tables, Protocol):
    """A store with tables beside its streams, to be read."""


class Store(Recorder, Tables, Protocol):
    """A store with tables beside its streams, which are written in the transactions of the appends."""

    def append(
        self,
        match: str,
        writes: Iterable[Write],
        *,
        command: Command | None = None,
        decisions: tuple[Decision, ...] | None = None,
        proof: bytes | None = None,
        beside: Sequence[Statement] = (),
    ) -> Appended:
        """See `Recorder.append`.

        `beside` is executed in the same transaction, but for a repeated command; if a statement fails the append
        does. They may be executed again, after all that they did was undone.

        Raises:  BrokenConstraint too.
        """
        ...

    def write(self, statements: Sequence[Statement]) -> tuple[int, ...]:
        """Execute all of them or none, durable on return: how many rows each has written.

        Raises:  BrokenConstraint; StoreError when the store fails.
        """
        ...

    def probe(self) -> None:
        """Write as an append does, without changing anything. Raises StoreError when that fails."""
        ...


def partition_of(match: str, partitions: int) -> int:
    """The partition of a match: the first four bytes of its id's SHA-256, big-endian, modulo their number."""
    if partitions == 1:
        return 0
    return int.from_bytes(sha256(match.encode()).digest()[:4], "big") % partitions


def match_of(stream: str) -> str:
    """The id of the match that a stream belongs to."""
    return stream.partition("/")[0]


def seat_order(stream: str) -> tuple[int, str]:
    """Sorts the private streams of a match by their seats' numbers."""
    return len(stream), stream


def check_append(match: str, writes: tuple[Write, ...], decisions: tuple[Decision, ...] | None) -> None:
    """Refuse, by ValueError, what no store would take: see `Recorder.append`."""
    if not match or "/" in match:
        raise ValueError(f"{match!r} is no match id")
    if len({write.stream for write in writes}) != len(writes):
        raise ValueError(f"{match}: two writes to one stream")
    for write in writes:
        _check_write(match, write)
    if decisions:
        if any(decision.match != match for decision in decisions):
            raise ValueError(f"{match}: a decision of another match")
        if len({decision.seat for decision in decisions}) != len(decisions):
            raise ValueError(f"{match}: two open decisions of one seat")


def _check_write(match: str, write: Write) -> None:
    if match_of(write.stream) != match or write.stream == f"{match}/":
        raise ValueError(f"{write.stream} is no stream of {match}")
    for version, event in enumerate(write.events, write.expected + 1):
        if event.stream != write.stream or event.version != version:
            raise ValueError(f"{event.stream}, version {event.version} where {write.stream}, {version} belongs")


def briefs_of(facts: Iterable[Fact]) -> list[Brief]:
    """The same events in fewer values."""
    return [
        (name, public, f"{schema} {secret.decode()}" if schema != 1 else secret if len(secret) > 2 else None)
        for name, schema, public, secret in facts
    ]


def spans_of(writes: tuple[Write, ...]) -> tuple[Span, ...]:
    """The spans of the writes that have events."""
    return tuple(
        Span(stream=write.stream, first=write.expected + 1, last=write.expected + len(write.events))
        for write in writes
        if write.events
    )
