"""What every store of streams is: the values that go in and out, its errors, what may be asked of it.

A match has one stream, named by its id, and private ones beside it, `{id}/seat:{n}`. One append writes to streams of
one match only. All that it touches (the command that it answers, the decisions that it leaves open, a proof) names that
match and lies in its partition. So a store can be divided by partitions, and no append needs two of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from events.chain import Head, Stored

Fact = tuple[str, int, bytes, bytes]
"""Type, schema, public and secret of an event: all that folding needs."""

Brief = tuple[str, bytes, bytes | str | None]
"""A fact in fewer values, so that a whole log is read faster: type, public, and what is unusual about the event.

The third value is None for an event of schema 1 without secrets, as most are; the secret for one that has some; and for
an event of another schema one text of the schema, a space and the secret.
"""

Row = tuple[Any, ...]

OnCommit = Callable[[frozenset[str]], object]
"""Called with the streams that a commit made longer, and the match of an append without events.

It must not wait for the store. A private stream that grew alone is named alone, so that only its seat notices.
"""


class Write(msgspec.Struct, frozen=True, gc=False):
    """Events for one stream. Without events it only demands that the stream still ends at the expected version."""

    stream: str
    expected: int
    """The stream's version before the write; 0 for an empty stream."""
    events: tuple[Stored, ...] = ()


class Command(msgspec.Struct, frozen=True, gc=False):
    """The request that an append answers. A store carries it out once in its match.

    A command is looked up by its match. So a request that opens a match is no command: see `service.store.idempotency`.
    """

    id: str
    digest: str
    """Of the request's body. The same id with another digest is another request."""


class Decision(msgspec.Struct, frozen=True, gc=False):
    """An open decision: a seat that owes an answer. A match has at most one a seat."""

    match: str
    seat: int
    since: int
    """Version of the match's stream at which the seat was asked."""
    due: str
    """The deadline: UTC, RFC 3339 with milliseconds; "" for none."""
    who: str
    """Who answers, in the caller's own form: `player:ID`, `bot:greedy`."""


class Span(msgspec.Struct, frozen=True, gc=False):
    """The events of a stream from version `first` to `last`, both included."""

    stream: str
    first: int
    last: int


class Appended(msgspec.Struct, frozen=True, gc=False):
    """What an append stored: one span for each stream that grew. `repeated`: the same command had stored it before."""

    spans: tuple[Span, ...]
    repeated: bool = False


class Statement(msgspec.Struct, frozen=True):
    """An SQL statement on the caller's own tables, in SQL that every store with tables understands."""

    sql: str
    named: dict[str, Any] = {}
    """The values of its placeholders, `:name`."""
    home: str = ""
    """The text that decides its partition, such as a match's id, bound to `:partition`; "" for none."""

    def bound(self, partitions: int) -> dict[str, Any]:
        """Return the values of its placeholders, in a store with that number of partitions."""
        return {**self.named, "partition": partition_of(self.home, partitions)} if self.home else self.named


class Append(msgspec.Struct, frozen=True):
    """What `Recorder.append` is asked to store of one match."""

    match: str
    writes: tuple[Write, ...]
    command: Command | None = None
    decisions: tuple[Decision, ...] | None = None
    beside: Sequence[Statement] = ()
    """Statements for the same transaction; only for a store that has tables beside its streams."""


Result = Appended | BaseException
"""What an append stored, or why it was refused."""


class StoreError(Exception):
    """The store could not do what it was asked. Nothing of the request was stored, except perhaps for `StoreUnsure`."""


class StoreUnsure(StoreError):
    """The store was cut off during the commit and can't be asked: the request is stored whole, or not at all."""


class BrokenConstraint(StoreError):
    """A statement of the caller's breaks a constraint: its key exists already, or a row that it refers to does not."""


class MissingValue(BrokenConstraint):
    """One of the caller's statements leaves out a value that its column needs."""


class NulInText(StoreError):
    """A text holds the character NUL, which this store can't keep."""


class StaleVersion(StoreError):
    """The stream does not end at the version that the caller expected."""

    def __init__(self, stream: str, current: int) -> None:
        super().__init__(f"{stream} is at version {current}")
        self.stream = stream
        self.current = current


class CommandReused(StoreError):
    """The match had a command with this id before, and another digest."""

    def __init__(self, id: str) -> None:
        super().__init__(f"the command {id} came before with another body")
        self.id = id


class StoreUnusable(StoreError):
    """The store can't be opened. The message is one line that names the store."""


class StoreMissing(StoreUnusable):
    """There is no store."""


class StoreUnwritable(StoreUnusable):
    """The store's folder does not exist, or can't be written to."""


class StoreCorrupt(StoreUnusable):
    """The store is damaged, or is something else."""


class StoreNewer(StoreUnusable):
    """A later release wrote the store."""


class StoreInUse(StoreUnusable):
    """Another process writes to the store."""


KEEP_PROOF = "INSERT INTO proofs (partition, match, proof) VALUES (:partition, :match, :proof)"
NOTE = (
    "INSERT INTO positions (partition, follower, position) VALUES (:partition, :follower, :position)"
    " ON CONFLICT (partition, follower) DO UPDATE SET position = excluded.position"
)


class Streams(ABC):
    """A store that can be read: streams of events, the commands that wrote them, the decisions that they leave open."""

    partitions: int
    """The number of partitions, fixed when the store is made."""

    @abstractmethod
    def command(self, match: str, id: str) -> tuple[Command, Appended] | None:
        """Return the match's command with that id, and what it stored (with `repeated`); None if there is none."""

    @abstractmethod
    def read(self, stream: str, after: int = 0, limit: int | None = None) -> tuple[Stored, ...]:
        """Return the stream's events after that version, in order, at most `limit`."""

    @abstractmethod
    def facts(self, stream: str, after: int = 0) -> Iterable[Fact]:
        """Return the facts of the stream's events after that version, in order."""

    def briefs(self, stream: str, after: int = 0) -> list[Brief]:
        """Return what `facts` returns, in fewer values."""
        return briefs_of(self.facts(stream, after))

    @abstractmethod
    def head(self, stream: str) -> Head:
        """Return the end of the stream; `Head()` for an empty one."""

    @abstractmethod
    def read_all(self, partition: int, after: int, limit: int) -> tuple[tuple[int, Stored], ...]:
        """Return at most `limit` events of a partition after that position, in order, each with its position.

        No event is ever added before one that was read. So a reader that follows the positions misses none.
        """

    @abstractmethod
    def matches(self, limit: int | None = None) -> tuple[str, ...]:
        """Return at most `limit` match ids, ordered by code points. Private streams are no matches."""

    def private_streams(self, match: str) -> tuple[str, ...]:
        """Return the names of a match's private streams that have events, ordered by seat: seat 2 before seat 10."""
        return tuple(end.stream for end in self.private_ends(match))

    @abstractmethod
    def private_ends(self, match: str) -> tuple[Stored, ...]:
        """Return the last event of each private stream of a match that has events, ordered by seat."""

    @abstractmethod
    def proof(self, match: str) -> bytes | None:
        """Return what was imported with a match beside its events, in the importer's form; None for own matches."""

    @abstractmethod
    def latest(self) -> str:
        """Return the latest `at` of the store's own events, without imported ones; "" if there are none."""

    @abstractmethod
    def decisions(self, who_prefix: str = "", match: str | None = None) -> tuple[Decision, ...]:
        """Return open decisions, ordered by match and seat: only those whose `who` begins so, or of that match."""

    @abstractmethod
    def close(self) -> None:
        """Finish what was asked for and release the store. A second call does nothing."""


class Recorder(Streams):
    """A store of streams that can be read and written."""

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
        """Store all of it or nothing; durable on return.

        `decisions` replaces all of the match's open decisions; None leaves them as they are. `proof` is kept beside the
        match, which must not have one yet. `beside`, which only a store with tables executes, is part of the same
        transaction, except for a repeated command. If a statement fails, so does the append. The statements may be
        executed again after a rollback.
        Raises:  ValueError for a write with a gap, for another match's stream, or for two writes to one stream;
                 CommandReused; StaleVersion; BrokenConstraint; StoreError when the store fails.
        """
        if proof is not None:
            beside = [*beside, Statement(KEEP_PROOF, {"match": match, "proof": proof}, home=match)]
        (result,) = self.append_all([Append(match, tuple(writes), command, decisions, beside)])
        if isinstance(result, BaseException):
            raise result
        return result

    def append_all(self, appends: Sequence[Append]) -> list[Result]:
        """Store each append as `append` does, in order but in few commits; durable on return. Returns their results.

        An append that is refused does not affect the others.
        Raises:  ValueError for one that no store would accept, StoreError if the store is closed; then nothing is
                 stored.
        """
        for append in appends:
            check_append(append)
        return self._commit_all(appends)

    @abstractmethod
    def _commit_all(self, appends: Sequence[Append]) -> list[Result]:
        """Do what `append_all` does, with appends that were checked."""


class Tables(ABC):
    """A store whose tables beside the streams can be read. They belong to the program that opened the store."""

    @abstractmethod
    def find(self, statement: Statement) -> list[Row]:
        """Return the rows that the statement selects. Raises StoreError."""

    @abstractmethod
    def find_each(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Return the rows that each statement selects; all are asked at once. Raises StoreError."""

    @abstractmethod
    def find_everywhere(self, sql: str, /, **named: object) -> list[Row]:
        """Return the rows that it selects in each partition (`:partition`), one after the other. Raises StoreError."""


class Reader(Streams, Tables):
    """A store with tables beside its streams, for reading."""

    @abstractmethod
    def position(self, follower: str, partition: int) -> int:
        """Return the position that the follower noted last; 0 if it noted none."""


class Store(Recorder, Reader):
    """A store with tables beside its streams, which appends write in their own transactions."""

    @abstractmethod
    def write(self, statements: Sequence[Statement]) -> tuple[int, ...]:
        """Execute all statements or none, and return how many rows each has written; durable on return.

        Raises:  BrokenConstraint; StoreError when the store fails.
        """

    def note(self, follower: str, partition: int, position: int) -> None:
        """Note the position up to which the follower has read the partition."""
        self.write([Statement(NOTE, {"partition": partition, "follower": follower, "position": position})])

    @abstractmethod
    def probe(self) -> None:
        """Write as an append does, without changing anything. Raises StoreError when that fails."""


def check_append(append: Append) -> None:
    """Check what every store demands of an append: see `Recorder.append`. Raises ValueError."""
    match, decisions = append.match, append.decisions
    if not match or "/" in match:
        raise ValueError(f"{match!r} is no match id")
    if len({write.stream for write in append.writes}) != len(append.writes):
        raise ValueError(f"{match}: two writes to one stream")
    for write in append.writes:
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


def partition_of(match: str, partitions: int) -> int:
    """Return the partition of a match: the first four bytes of its id's SHA-256, big-endian, modulo `partitions`."""
    if partitions == 1:
        return 0
    return int.from_bytes(sha256(match.encode()).digest()[:4], "big") % partitions


def match_of(stream: str) -> str:
    """Return the id of the match that a stream belongs to."""
    return stream.partition("/")[0]


def seat_order(stream: str) -> tuple[int, str]:
    """Return the key that sorts a match's private streams by seat number."""
    return len(stream), stream


def briefs_of(facts: Iterable[Fact]) -> list[Brief]:
    """Return the facts as briefs."""
    return [
        (name, public, f"{schema} {secret.decode()}" if schema != 1 else secret if len(secret) > 2 else None)
        for name, schema, public, secret in facts
    ]
