"""The store on SQLite: one file, any number of processes, which take turns to write.

The file is in WAL mode, so that reading never waits for writing; every commit is synced before it is answered.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

from events import opening
from events.batch import FIND_COMMAND, PARTITION, PARTITIONS, read_command
from events.chain import Head
from events.envelope import Stored
from events.pending import Pending
from events.store import (
    Append,
    Appended,
    Brief,
    Command,
    Decision,
    Fact,
    OnCommit,
    Result,
    Row,
    Statement,
    StoreError,
    Write,
    check_append,
    seat_order,
)
from events.writer import Writer

T = TypeVar("T")

STORED = ", ".join(Stored.__struct_fields__)
OF_STREAM = f"partition = {PARTITION} AND stream = ?"
FIRST = f"partition = {PARTITION} AND version = 1"
OF_MATCH = f"partition = {PARTITION} AND match = ?"
FIND_FACTS = f"SELECT type, schema, public, secret FROM events WHERE {OF_STREAM} AND version > ? ORDER BY version"
FIND_BRIEFS = f"""
SELECT type, public, CASE WHEN schema <> 1 THEN schema || ' ' || secret WHEN length(secret) > 2 THEN secret END
FROM events WHERE {OF_STREAM} AND version > ? ORDER BY version
"""
FIND_EVENTS = f"SELECT {STORED} FROM events WHERE {OF_STREAM} AND version > ? ORDER BY version LIMIT ?"
# "0" is the character after "/"
FIND_PRIVATE_ENDS = f"""
WITH private (stream) AS (SELECT stream FROM events WHERE {FIRST} AND stream > ? || '/' AND stream < ? || '0')
SELECT {", ".join(f"events.{name}" for name in Stored.__struct_fields__)} FROM private CROSS JOIN events
ON events.partition = {PARTITION} AND events.stream = private.stream AND events.version = (
    SELECT max(version) FROM events AS later WHERE later.partition = {PARTITION} AND later.stream = private.stream
)
"""
FIND_HEAD = f"SELECT version, hash, at FROM events WHERE {OF_STREAM} ORDER BY version DESC LIMIT 1"

# a stream's last event is its latest: one look a stream
FIND_LATEST = f"""
SELECT coalesce(max((
    SELECT at FROM events WHERE partition = {PARTITION} AND stream = streams.stream ORDER BY version DESC LIMIT 1
)), '') FROM (SELECT stream FROM events WHERE {FIRST}) AS streams
WHERE substr(stream, 1, instr(stream || '/', '/') - 1) NOT IN (SELECT match FROM proofs WHERE partition = {PARTITION})
"""
# looked for a run of events at a time, not each: what was stored at once lies together
FIND_ALL = f"""
WITH found AS (
    SELECT position, stream, version FROM events WHERE partition = ? AND position > ?
    ORDER BY partition, position LIMIT ?
), runs AS MATERIALIZED (
    SELECT stream, min(version) AS first, max(version) AS last FROM found GROUP BY stream, position - version
)
SELECT position, {", ".join(f"events.{name}" for name in Stored.__struct_fields__)} FROM runs CROSS JOIN events
ON events.partition = {PARTITION} AND events.stream = runs.stream AND events.version BETWEEN runs.first AND runs.last
"""
KEEP_PROOF = "INSERT INTO proofs VALUES (:partition, :match, :proof)"

ALL = -1
"""SQL's word for no limit."""


class SqliteReader:
    """The reading half of a `Recorder`. Any thread may use it; each has a connection of its own."""

    partitions = PARTITIONS

    def __init__(self, path: str | PathLike[str], uri: str) -> None:
        self.path = Path(path)
        self._uri = uri
        self._local = threading.local()
        self._readers: WeakSet[opening.Connection] = WeakSet()
        self._is_closed = False

    def reader(self) -> sqlite3.Connection:
        """This thread's connection; nothing can be written through it. Fetch whole answers: an open cursor keeps
        the log of writes from being folded into the file.

        Raises:  StoreError when the store is closed.
        """
        if self._is_closed:
            raise StoreError("the store is closed")
        connection: opening.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = opening.connect_to_read(self._uri)
            self._readers.add(connection)
        return connection

    def _rows(self, sql: str, *parameters: object) -> list[Any]:
        return self._ask(sql, parameters)

    def _ask(self, sql: str, parameters: tuple[object, ...] | dict[str, Any]) -> list[Row]:
        try:
            return self.reader().execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"the store could not read: {error}") from error

    def find(self, statement: Statement) -> list[Row]:
        """See `Tables.find`."""
        return self._ask(statement.sql, statement.bound(PARTITIONS))

    def find_each(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """See `Tables.find_each`."""
        return [self.find(one) for one in statements]

    def find_everywhere(self, sql: str, /, **named: object) -> list[Row]:
        """See `Tables.find_everywhere`."""
        return self._ask(sql, {**named, "partition": PARTITION})

    def command(self, match: str, id: str) -> tuple[Command, Appended] | None:
        """See `Recorder.command`."""
        rows = self._rows(FIND_COMMAND, match, id)
        return read_command(rows[0]) if rows else None

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> tuple[Stored, ...]:
        """See `Recorder.read`."""
        return tuple([Stored(*row) for row in self._rows(FIND_EVENTS, stream, after, ALL if limit is None else limit)])

    def facts(self, stream: str, after: int = 0) -> Iterable[Fact]:
        """See `Recorder.facts`."""
        return self._rows(FIND_FACTS, stream, after)

    def briefs(self, stream: str, after: int = 0) -> list[Brief]:
        """See `Recorder.briefs`."""
        return self._rows(FIND_BRIEFS, stream, after)

    def head(self, stream: str) -> Head:
        """See `Recorder.head`."""
        rows = self._rows(FIND_HEAD, stream)
        return Head(*rows[0]) if rows else Head()

    def read_all(self, partition: int, after: int, limit: int) -> tuple[tuple[int, Stored], ...]:
        """See `Recorder.read_all`."""
        rows = sorted(self._rows(FIND_ALL, partition, after, limit))
        return tuple([(position, Stored(*row)) for position, *row in rows])

    def matches(self, after: str = "", limit: int | None = None) -> tuple[str, ...]:
        """See `Recorder.matches`."""
        sql = (
            f"SELECT stream FROM events WHERE {FIRST} AND stream > ? AND instr(stream, '/') = 0 ORDER BY stream LIMIT ?"
        )
        return tuple([stream for (stream,) in self._rows(sql, after, ALL if limit is None else limit)])

    def private_streams(self, match: str) -> tuple[str, ...]:
        """See `Recorder.private_streams`."""
        # "0" is the character after "/"
        sql = f"SELECT stream FROM events WHERE {FIRST} AND stream > ? AND stream < ?"
        return tuple(sorted((stream for (stream,) in self._rows(sql, f"{match}/", f"{match}0")), key=seat_order))

    def private_ends(self, match: str) -> tuple[Stored, ...]:
        """See `Recorder.private_ends`."""
        found = (Stored(*row) for row in self._rows(FIND_PRIVATE_ENDS, match, match))
        return tuple(sorted(found, key=lambda event: seat_order(event.stream)))

    def proof(self, match: str) -> bytes | None:
        """See `Recorder.proof`."""
        rows = self._rows(f"SELECT proof FROM proofs WHERE {OF_MATCH}", match)
        return bytes(rows[0][0]) if rows else None

    def latest(self) -> str:
        """See `Recorder.latest`."""
        return str(self._rows(FIND_LATEST)[0][0])

    def decisions(
        self, who_prefix: str = "", match: str | None = None, due_by: str | None = None
    ) -> tuple[Decision, ...]:
        """See `Recorder.decisions`."""
        where, parameters = [f"partition = {PARTITION}"], []
        if who_prefix:
            # no character comes after the last one
            where.append("who BETWEEN ? AND ? || char(0x10FFFF)")
            parameters += [who_prefix, who_prefix]
        if match is not None:
            where.append("match = ?")
            parameters.append(match)
        if due_by is not None:
            where.append("due <> '' AND due <= ?")
            parameters.append(due_by)
        sql = f"SELECT match, seat, since, due, who FROM decisions WHERE {' AND '.join(where)} ORDER BY match, seat"
        return tuple([Decision(*row) for row in self._rows(sql, *parameters)])

    def position(self, follower: str, partition: int) -> int:
        """See `Recorder.position`."""
        sql = "SELECT position FROM positions WHERE partition = ? AND follower = ?"
        rows = self._rows(sql, partition, follower)
        return int(rows[0][0]) if rows else 0

    def close(self) -> None:
        """Close every thread's connection."""
        self._is_closed = True
        for connection in tuple(self._readers):
            connection.close()


class SqliteRecorder(SqliteReader):
    """A `Recorder` on an SQLite file, which it makes if there is none. Not to be carried through a fork."""

    def __init__(self, path: str | PathLike[str], *, on_commit: OnCommit | None = None, alone: bool = False) -> None:
        """`on_commit` is called on the writing thread after each commit of this process: it must not wait for the
        store. `alone`: no other process may have it open to write.

        Raises:  StoreUnusable, by its kinds.
        """
        self._locks, self._connection = opening.open_to_write(Path(path), alone=alone)
        super().__init__(path, opening.uri(Path(path), "rw"))
        self._writer = Writer(self._connection, self._locks, on_commit)

    @staticmethod
    def open_to_read(path: str | PathLike[str]) -> SqliteReader:
        """Open for reading beside the processes that write, or after them.

        Raises:  StoreUnusable, by its kinds.
        """
        return SqliteReader(path, opening.open_to_read(Path(path)))

    def submit(
        self,
        match: str,
        writes: Iterable[Write],
        *,
        command: Command | None = None,
        decisions: tuple[Decision, ...] | None = None,
        beside: Sequence[Statement] = (),
    ) -> Pending[Appended]:
        """An append that is not waited for; to wait for it raises what `append` does.

        Raises:  ValueError at once, see `Recorder.append`.
        """
        writes = tuple(writes)
        check_append(match, writes, decisions)
        return self._writer.submit([Append(match, writes, command, decisions, beside)])[0]

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
        """See `Store.append`."""
        if proof is not None:
            beside = [*beside, Statement(KEEP_PROOF, {"match": match, "proof": proof}, home=match)]
        return self.submit(match, writes, command=command, decisions=decisions, beside=beside).result()

    def append_all(self, appends: Sequence[Append]) -> list[Result]:
        """See `Recorder.append_all`."""
        for one in appends:
            check_append(one.match, one.writes, one.decisions)
        found = self._writer.submit(appends)
        return [one.exception() or one.result() for one in found]

    def write(self, statements: Sequence[Statement]) -> tuple[int, ...]:
        """See `Store.write`."""

        def execute(connection: sqlite3.Connection) -> tuple[int, ...]:
            return tuple([connection.execute(one.sql, one.bound(PARTITIONS)).rowcount for one in statements])

        return self.transact(execute)

    def probe(self) -> None:
        """See `Store.probe`."""
        self.transact(_touch)

    def transact(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        """Run the caller's own small transaction on the writing thread; durable on return. If `fn` raises, nothing
        of it stays and its error is raised here, SQLite's as the store's.

        `fn` must not end the transaction (`executescript` does), nor wait for the store, and may be run twice.
        """
        result: T = self._writer.submit([fn])[0].result()
        return result

    def note(self, follower: str, partition: int, position: int) -> None:
        """See `Recorder.note`."""
        sql = "INSERT OR REPLACE INTO positions VALUES (?, ?, ?)"
        self.transact(lambda connection: connection.execute(sql, (partition, follower, position)).close())

    def close(self) -> None:
        """See `Recorder.close`."""
        if not self._is_closed:
            self._writer.close()
            super().close()
            self._connection.close()
            self._locks.close()


def _touch(connection: sqlite3.Connection) -> None:
    """Write a page, durably, without changing what it says."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute(f"PRAGMA user_version = {version}").close()
