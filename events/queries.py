"""What all stores with tables share: judging appends, queries, the tables' versions, contents kept by name."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from events.chain import Head, Stored
from events.store import (
    Append,
    Appended,
    Command,
    CommandReused,
    Decision,
    Fact,
    OnCommit,
    Reader,
    Row,
    Span,
    StaleVersion,
    Statement,
    Store,
    StoreNewer,
    StoreUnusable,
    Tables,
    Write,
    match_of,
    seat_order,
)

logger = logging.getLogger(__name__)

STORED = ", ".join(Stored.__struct_fields__)
OF_STREAM = "partition = :partition AND stream = :stream"
OF_MATCH = "partition = :partition AND match = :match"
LIMIT = " LIMIT CAST(:limit AS bigint)"

FIND_COMMAND = f"SELECT match, id, digest, spans FROM commands WHERE {OF_MATCH} AND id = :id"
FIND_EVENTS = f"SELECT {STORED} FROM events WHERE {OF_STREAM} AND version > :after ORDER BY version"
FIND_FACTS = f"SELECT type, schema, public, secret FROM events WHERE {OF_STREAM} AND version > :after ORDER BY version"
FIND_HEAD = f"SELECT version, hash, at FROM events WHERE {OF_STREAM} ORDER BY version DESC LIMIT 1"
FIND_MATCHES = (
    "SELECT stream FROM events WHERE partition = :partition AND version = 1 AND stream NOT LIKE '%/%' ORDER BY stream"
)
# "0" is the character after "/"
FIND_PRIVATE = (
    "SELECT stream FROM events WHERE partition = :partition AND version = 1"
    " AND stream > :match || '/' AND stream < :match || '0'"
)
FIND_PROOF = f"SELECT proof FROM proofs WHERE {OF_MATCH}"
FIND_DECISIONS = "SELECT match, seat, since, due, who FROM decisions WHERE partition = :partition"
BY_WHO = " AND who BETWEEN :who AND :last"
BY_MATCH = " AND match = :match"
FIND_POSITION = "SELECT position FROM positions WHERE partition = :partition AND follower = :follower"

LAST_CHARACTER = "\U0010ffff"
"""The last character in the order of code points."""


def read_command(row: tuple[str, str, str, bytes]) -> tuple[Command, Appended]:
    """Return the command of a row and what it stored: see `Recorder.command`."""
    _, id, digest, spans = row
    return Command(id, digest), Appended(tuple(Span(*span) for span in msgspec.json.decode(spans)), repeated=True)


class Ends(msgspec.Struct):
    """The state of a partition as far as its appends need it; `judge` keeps it up to date."""

    position: int
    """The last position."""
    versions: dict[str, int]
    """The version of each stream that is written to."""
    commands: dict[tuple[str, str], tuple[Command, Appended]]
    """The commands that are stored, by match and id."""


class Rows(msgspec.Struct):
    """The rows that appends store, without the column of their partition."""

    events: list[Row] = []
    commands: list[Row] = []
    decisions: dict[str, tuple[Decision, ...]] = {}
    """The new open decisions by match; none for a match of which all are closed."""
    beside: list[Statement] = []
    written: set[str] = set()
    """The streams that the appends make longer; for an append without events its match."""


def spans_of(writes: tuple[Write, ...]) -> tuple[Span, ...]:
    """Return the spans of the writes that have events."""
    return tuple(
        Span(stream=write.stream, first=write.expected + 1, last=write.expected + len(write.events))
        for write in writes
        if write.events
    )


def grown_by(append: Append) -> set[str]:
    """Return the streams that the append makes longer; the match for an append without events."""
    return {write.stream for write in append.writes if write.events} or {append.match}


def call(on_commit: OnCommit | None, written: set[str]) -> None:
    """Call the listener if a commit has written anything. What it raises harms no append."""
    if written and on_commit:
        try:
            on_commit(frozenset(written))
        except Exception:
            logger.exception("on_commit failed")


def judge(append: Append, ends: Ends, rows: Rows) -> Appended:
    """Check an append and add its rows to those that are to be stored. Returns what it stores.

    For a command that is stored already it returns what that stored, and adds no row.
    Raises:  CommandReused, StaleVersion; then no row is added.
    """
    command = append.command
    if command and (before := ends.commands.get((append.match, command.id))):
        if before[0].digest != command.digest:
            raise CommandReused(command.id)
        return before[1]
    for write in append.writes:
        if (current := ends.versions[write.stream]) != write.expected:
            raise StaleVersion(write.stream, current)
    for write in append.writes:
        for event in write.events:
            ends.position += 1
            rows.events.append((*msgspec.structs.astuple(event), ends.position))
        ends.versions[write.stream] = write.expected + len(write.events)
    spans = spans_of(append.writes)
    if append.decisions is not None:
        rows.decisions[append.match] = append.decisions
    if command:
        ends.commands[append.match, command.id] = (command, Appended(spans, repeated=True))
        bare = msgspec.json.encode([(span.stream, span.first, span.last) for span in spans])
        rows.commands.append((append.match, command.id, command.digest, bare))
    rows.beside += append.beside
    rows.written |= grown_by(append)
    return Appended(spans)


class Reading(Reader):
    """The reading half of a store, by SQL queries."""

    PRIVATE_ENDS: ClassVar[str]
    """Selects the last event of each private stream of the match `:match`."""
    LATEST: ClassVar[str]
    """Selects the latest `at` in a partition without its imported matches; "" if there is none."""

    def _find(self, match: str, sql: str, /, **named: object) -> list[Row]:
        return self.find(Statement(sql, named, match))

    def command(self, match: str, id: str) -> tuple[Command, Appended] | None:
        rows = self._find(match, FIND_COMMAND, match=match, id=id)
        return read_command(rows[0]) if rows else None

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> tuple[Stored, ...]:
        sql, named = (FIND_EVENTS, {}) if limit is None else (f"{FIND_EVENTS}{LIMIT}", {"limit": limit})
        return tuple([Stored(*row) for row in self._find(match_of(stream), sql, stream=stream, after=after, **named)])

    def facts(self, stream: str, after: int = 0) -> Iterable[Fact]:
        return self._find(match_of(stream), FIND_FACTS, stream=stream, after=after)

    def head(self, stream: str) -> Head:
        rows = self._find(match_of(stream), FIND_HEAD, stream=stream)
        return Head(*rows[0]) if rows else Head()

    def matches(self, limit: int | None = None) -> tuple[str, ...]:
        sql, named = (FIND_MATCHES, {}) if limit is None else (f"{FIND_MATCHES}{LIMIT}", {"limit": limit})
        return tuple(sorted(stream for (stream,) in self.find_everywhere(sql, **named))[:limit])

    def private_ends(self, match: str) -> tuple[Stored, ...]:
        ends = (Stored(*row) for row in self._find(match, self.PRIVATE_ENDS, match=match))
        return tuple(sorted(ends, key=lambda event: seat_order(event.stream)))

    def proof(self, match: str) -> bytes | None:
        rows = self._find(match, FIND_PROOF, match=match)
        return bytes(rows[0][0]) if rows else None

    def latest(self) -> str:
        return max(str(at) for (at,) in self.find_everywhere(self.LATEST))

    def decisions(self, who_prefix: str = "", match: str | None = None) -> tuple[Decision, ...]:
        sql, named = FIND_DECISIONS, {}
        if who_prefix:
            sql, named = sql + BY_WHO, {"who": who_prefix, "last": who_prefix + LAST_CHARACTER}
        if match is None:
            rows = self.find_everywhere(sql, **named)
        else:
            rows = self._find(match, sql + BY_MATCH, match=match, **named)
        return tuple([Decision(*row) for row in sorted(rows)])

    def position(self, follower: str, partition: int) -> int:
        rows = self.find(Statement(FIND_POSITION, {"partition": partition, "follower": follower}))
        return int(rows[0][0]) if rows else 0


RUNNING = "SELECT count(DISTINCT match) FROM decisions"
"""Counts the matches that wait for somebody, also in a store of before the first version."""


class StoreOlder(StoreUnusable):
    """The store was written before the first release; it was not changed. `what` is the message without the advice."""

    INSTEAD = (
        "bring it up to date by the last state of the house that could, or play its matches out or break them off"
        ' there, `replays export` them and `replays import` them here (docs/operating.md, "A later release")'
    )

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}; {self.INSTEAD}")
        self.what = what


class Versions(msgspec.Struct, frozen=True):
    """The versions from the first one, which a new store begins with, to the one that this release writes."""

    first: int
    last: int
    of: str = "schema"

    def check(self, name: str, found: int, ask: Callable[[str], Any]) -> None:
        """Refuse a store of another version. Nothing has been changed then.

        Shape:   `name`: the store's; `found`: its version; `ask`: returns the first row that a statement finds there.
        Raises:  StoreNewer, StoreOlder.
        """
        if found > self.last:
            raise StoreNewer(f"{name} was written by a later release: {self.of} {found}, known is {self.last}")
        if found < self.first:
            (many,) = ask(RUNNING)
            running = f"{many} running {'match' if many == 1 else 'matches'} can't go on here"
            version = f"{self.of} {found}, the first is {self.first}"
            raise StoreOlder(f"{name} was written before the first release ({version}): {running}")


def numbered(folder: Path) -> dict[int, Path]:
    """Return the folder's scripts by the version that each makes of the one before; the first needs an empty store."""
    return {int(path.name.partition("_")[0]): path for path in sorted(folder.glob("[0-9]*.sql"))}


FIND_KEPT = "SELECT content FROM kept WHERE partition = :partition AND name = :name"

KEEP = (
    "INSERT INTO kept (partition, name, content) VALUES (:partition, :name, :content)"
    " ON CONFLICT (partition, name) DO NOTHING"
)

REPLACE = "UPDATE kept SET content = :content WHERE partition = :partition AND name = :name AND content = :before"


def find_kept(store: Tables, name: str) -> bytes | None:
    """Return the content that is kept by that name; None if there is none. Raises StoreError."""
    rows = store.find(Statement(FIND_KEPT, {"name": name}, name))
    return bytes(rows[0][0]) if rows else None


def keep(store: Store, name: str, content: bytes, before: bytes | None = None) -> bool:
    """Replace what is kept by that name, if it still is `before` (None: nothing); durable on return.

    Returns False if it is something else; so of two who do this at the same moment one gets False.
    Raises:  StoreError.
    """
    named = {"name": name, "content": content}
    if before is None:
        statement = Statement(KEEP, named, name)
    else:
        statement = Statement(REPLACE, {**named, "before": before}, name)
    return store.write([statement]) == (1,)
