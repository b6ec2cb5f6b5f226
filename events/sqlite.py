"""The store on SQLite: one file for any number of processes, which take turns to write.

The file is in WAL mode, so that readers never wait for writers. Every commit is synced before it is answered.
"""

from __future__ import annotations

import fcntl
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from weakref import WeakSet

from events import opening
from events.chain import Stored
from events.files import user_of
from events.queries import FIND_PRIVATE, OF_STREAM, Reading
from events.store import (
    Append,
    Appended,
    Brief,
    OnCommit,
    Result,
    Row,
    Statement,
    Store,
    StoreError,
    StoreInUse,
    StoreUnwritable,
    check_append,
)
from events.writer import PARTITION, PARTITIONS, Pending, Writer

T = TypeVar("T")

FAULTS = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError, sqlite3.InterfaceError)

FIND_BRIEFS = f"""
SELECT type, public, CASE WHEN schema <> 1 THEN schema || ' ' || secret WHEN length(secret) > 2 THEN secret END
FROM events WHERE {OF_STREAM} AND version > :after ORDER BY version
"""
FIND_PRIVATE_ENDS = f"""
WITH private (stream) AS ({FIND_PRIVATE})
SELECT {", ".join(f"events.{name}" for name in Stored.__struct_fields__)} FROM private CROSS JOIN events
ON events.partition = :partition AND events.stream = private.stream AND events.version = (
    SELECT max(version) FROM events AS later WHERE later.partition = :partition AND later.stream = private.stream
)
"""
# a stream's last event has its latest `at`, so one row a stream is read
FIND_LATEST = f"""
SELECT coalesce(max((
    SELECT at FROM events WHERE partition = {PARTITION} AND stream = streams.stream ORDER BY version DESC LIMIT 1
)), '') FROM (SELECT stream FROM events WHERE partition = {PARTITION} AND version = 1) AS streams
WHERE substr(stream, 1, instr(stream || '/', '/') - 1) NOT IN (SELECT match FROM proofs WHERE partition = {PARTITION})
"""
# one lookup for each run of a stream's events, not for each event: what was stored at once lies together
FIND_ALL = f"""
WITH found AS (
    SELECT position, stream, version FROM events WHERE partition = :partition AND position > :after
    ORDER BY partition, position LIMIT :limit
), runs AS MATERIALIZED (
    SELECT stream, min(version) AS first, max(version) AS last FROM found GROUP BY stream, position - version
)
SELECT position, {", ".join(f"events.{name}" for name in Stored.__struct_fields__)} FROM runs CROSS JOIN events
ON events.partition = {PARTITION} AND events.stream = runs.stream AND events.version BETWEEN runs.first AND runs.last
"""


class SqliteReader(Reading):
    """The reading half of a `Recorder`. Any thread may use it; each has a connection of its own."""

    partitions = PARTITIONS
    PRIVATE_ENDS = FIND_PRIVATE_ENDS
    LATEST = FIND_LATEST

    def __init__(self, path: str | PathLike[str], uri: str) -> None:
        self.path = Path(path)
        self._uri = uri
        self._local = threading.local()
        self._readers: WeakSet[opening.Connection] = WeakSet()
        self._is_closed = False

    def reader(self) -> sqlite3.Connection:
        """Return this thread's connection, which can't write.

        Fetch whole results: an open cursor keeps SQLite from copying its write-ahead log into the file.
        Raises:  StoreError when the store is closed.
        """
        if self._is_closed:
            raise StoreError("the store is closed")
        connection: opening.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = opening.connect(self._uri)
            connection.execute("PRAGMA query_only = ON")
            self._readers.add(connection)
        return connection

    def _ask(self, sql: str, named: dict[str, Any]) -> list[Row]:
        try:
            return self.reader().execute(sql, named).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"the store could not read: {error}") from error

    def find(self, statement: Statement) -> list[Row]:
        return self._ask(statement.sql, {"partition": PARTITION, **statement.named})

    def find_each(self, statements: Sequence[Statement]) -> list[list[Row]]:
        return [self.find(statement) for statement in statements]

    def find_everywhere(self, sql: str, /, **named: object) -> list[Row]:
        return self._ask(sql, {**named, "partition": PARTITION})

    def briefs(self, stream: str, after: int = 0) -> list[Brief]:
        return self._ask(FIND_BRIEFS, {"partition": PARTITION, "stream": stream, "after": after})

    def read_all(self, partition: int, after: int, limit: int) -> tuple[tuple[int, Stored], ...]:
        rows = sorted(self._ask(FIND_ALL, {"partition": partition, "after": after, "limit": limit}))
        return tuple([(position, Stored(*row)) for position, *row in rows])

    def close(self) -> None:
        """Close every thread's connection."""
        self._is_closed = True
        for connection in tuple(self._readers):
            connection.close()


class SqliteRecorder(SqliteReader, Store):
    """A `Recorder` on an SQLite file, which it makes if there is none. It can't be used across a fork."""

    def __init__(self, path: str | PathLike[str], *, on_commit: OnCommit | None = None, alone: bool = False) -> None:
        """Open the store, and make it if there is none.

        `on_commit` is called on the writing thread after each commit of this process, so it must not wait for the
        store. `alone`: no other process may have the store open to write.
        Raises:  StoreUnusable, by its kinds.
        """
        opening.check_file(Path(path))
        self._locks = Locks(Path(path), alone=alone)
        try:
            self._connection = opening.open_to_write(Path(path), self._locks.turn)
        except BaseException:
            self._locks.close()
            raise
        super().__init__(path, opening.uri(Path(path), "rw"))
        self._writer = Writer(self._connection, self._locks.turn, on_commit)

    @staticmethod
    def open_to_read(path: str | PathLike[str]) -> SqliteReader:
        """Open an existing store to read it, while others may write. Raises StoreUnusable, by its kinds."""
        return SqliteReader(path, opening.open_to_read(Path(path)))

    def submit(self, append: Append) -> Pending[Appended]:
        """Submit an append without waiting for it. Waiting for its result raises what `append` raises.

        Raises:  ValueError at once, see `Recorder.append`.
        """
        check_append(append)
        return self._writer.submit([append])[0]

    def _commit_all(self, appends: Sequence[Append]) -> list[Result]:
        results = self._writer.submit(appends)
        return [result.exception() or result.result() for result in results]

    def write(self, statements: Sequence[Statement]) -> tuple[int, ...]:
        return self.transact(lambda connection: tuple([self.execute(connection, one) for one in statements]))

    def probe(self) -> None:
        self.transact(_touch)

    def transact(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        """Run the caller's own small transaction on the writing thread; return what `fn` returns. Durable on return.

        `fn` must neither end the transaction (`executescript` does) nor wait for the store, and may be called again. If
        it raises, nothing of it is stored, and its error is raised here; SQLite's errors become the store's.
        """
        result: T = self._writer.submit([fn])[0].result()
        return result

    def execute(self, connection: sqlite3.Connection, statement: Statement) -> int:
        """Execute the statement within `transact`; return how many rows it has written."""
        return connection.execute(statement.sql, statement.bound(self.partitions)).rowcount

    @staticmethod
    def is_fault(error: Exception) -> bool:
        """Return whether a statement is at fault rather than the store."""
        # what SQLite can't make out, such as a table that there is not, has the class of a full disk
        is_meant = isinstance(error, sqlite3.Error) and opening.code_of(error) == sqlite3.SQLITE_ERROR
        return is_meant or isinstance(error, FAULTS)

    def close(self) -> None:
        if not self._is_closed:
            self._writer.close()
            super().close()
            self._connection.close()
            self._locks.close()


def _touch(connection: sqlite3.Connection) -> None:
    """Write one page durably without changing its content."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute(f"PRAGMA user_version = {version}").close()


FIRST_PAUSE, LONGEST_PAUSE = 0.0002, 0.002
"""Seconds between two attempts to get the turn, at first and at most: about as long as a commit takes."""


class Locks:
    """The locks of a process that has a store open to write.

    SQLite's own lock also lets one commit at a time, but a process that finds it taken sleeps for a tenth of a second
    or more before it tries again.
    """

    def __init__(self, path: Path, *, alone: bool) -> None:
        """Lock the store. `alone`: no other process may have it open to write meanwhile.

        Raises:  StoreInUse when another process has it open, and one of the two wants to be alone; StoreUnwritable.
        """
        self._open = _file(path, ".lock")
        try:
            fcntl.flock(self._open, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError as error:
            self._open.close()
            holder = user_of(Path(f"{path}.lock"))
            named = f", {holder}" if holder else ""
            raise StoreInUse(f"{path} is written to by another process{named}") from error
        try:
            self._turn = _file(path, ".turn")
        except StoreUnwritable:
            self._open.close()
            raise

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until no other process commits, and keep the others from committing until this is left.

        The wait sleeps in short steps, so that the process's other greenlets go on; a blocking lock would stop them
        all. Raises StoreError if the lock can't be asked for.
        """
        pause = FIRST_PAUSE
        while not self._take():
            time.sleep(pause)
            pause = min(LONGEST_PAUSE, 1.2 * pause)
        try:
            yield
        finally:
            fcntl.flock(self._turn, fcntl.LOCK_UN)

    def _take(self) -> bool:
        try:
            fcntl.flock(self._turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise StoreError(f"the store can't be locked: {error.strerror}") from error
        return True

    def close(self) -> None:
        """Release the store."""
        self._turn.close()
        self._open.close()


def _file(path: Path, suffix: str) -> BinaryIO:
    try:
        return open(f"{path}{suffix}", "a+b")
    except OSError as error:
        raise StoreUnwritable(f"{path} can't be made or written to: {error.strerror}") from error
