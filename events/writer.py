"""The one thread that writes to an SQLite store: whatever waits is committed together, so that one sync serves all."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from events.store import (
    Appended,
    Command,
    CommandReused,
    Decision,
    Span,
    StaleVersion,
    StoreError,
    Write,
    spans_of,
)

T = TypeVar("T")

Beside = Sequence[tuple[str, tuple[Any, ...]]]
"""SQL statements on the caller's own tables with their parameters."""

OnCommit = Callable[[frozenset[str]], object]
"""Told the ids of the matches that a commit has written to."""

GROUP = 256
"""Most requests that share a commit: it bounds how long the first of them waits."""

REMEMBERED = 100_000
"""Streams whose versions are remembered, so that an append need not look them up."""

PARTITION = 0
"""SQLite's only one."""

FAILURES = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_READONLY,
}
"""Result codes that tell of the store's trouble, not of the statement's."""

INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

logger = logging.getLogger(__name__)


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 when Python's own module refused."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def as_told(error: BaseException) -> BaseException:
    """What the caller is told: a failing disk is the store's error, a broken constraint the statement's own."""
    if isinstance(error, sqlite3.Error) and code_of(error) in FAILURES:
        failure = StoreError(f"the store could not write: {error}")
        failure.__cause__ = error
        return failure
    return error


class Place:
    """Where the store ends: what the writer knows without looking."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.versions: dict[str, int] = {}
        self.position = 0
        self.look_again()

    def look_again(self) -> None:
        """Forget what was to be written: it was rolled back."""
        self.versions.clear()
        sql = "SELECT coalesce(max(position), 0) FROM events WHERE partition = ?"
        (self.position,) = self.connection.execute(sql, (PARTITION,)).fetchone()

    def version(self, stream: str) -> int:
        """Version of the stream's head."""
        if (known := self.versions.get(stream)) is not None:
            return known
        sql = "SELECT coalesce(max(version), 0) FROM events WHERE stream = ?"
        (version,) = self.connection.execute(sql, (stream,)).fetchone()
        if len(self.versions) >= REMEMBERED:
            self.versions.clear()
        self.versions[stream] = version
        return int(version)

    def advance(self, spans: tuple[Span, ...], position: int) -> None:
        """These spans were written, up to that position."""
        self.position = position
        for span in spans:
            self.versions[span.stream] = span.last


class Work(Protocol):
    """What a request does inside of a transaction."""

    match: str
    """The match that it writes to; "" is none."""
    risky: bool
    """Whether it may fail after it has written, so that it needs a savepoint of its own."""

    def run(self, connection: sqlite3.Connection, place: Place) -> Any:
        """Write. An error rolls back the request only."""
        ...


class Append:
    """An append: all that can refuse it is looked at before the first row is written."""

    def __init__(
        self,
        match: str,
        writes: tuple[Write, ...],
        command: Command | None,
        decisions: tuple[Decision, ...] | None,
        beside: Beside,
    ) -> None:
        self.match = match
        self.risky = bool(beside)
        self._writes = writes
        self._command = command
        self._decisions = decisions
        self._beside = beside

    def run(self, connection: sqlite3.Connection, place: Place) -> Appended:
        """See `Recorder.append`."""
        if self._command and (row := connection.execute(FIND_COMMAND, (self._command.id,)).fetchone()):
            before, appended = read_command(row)
            if before.digest != self._command.digest:
                raise CommandReused(self._command.id)
            return appended
        for write in self._writes:
            if (current := place.version(write.stream)) != write.expected:
                raise StaleVersion(write.stream, current)
        spans = spans_of(self._writes)
        position = self._insert(connection, place.position)
        if self._decisions is not None:
            replace_decisions(connection, self.match, self._decisions)
        if self._command:
            bare = msgspec.json.encode([(span.stream, span.first, span.last) for span in spans])
            connection.execute("INSERT INTO commands VALUES (?, ?, ?)", (self._command.id, self._command.digest, bare))
        for statement, parameters in self._beside:
            connection.execute(statement, parameters)
        place.advance(spans, position)
        return Appended(spans)

    def _insert(self, connection: sqlite3.Connection, position: int) -> int:
        rows = []
        for write in self._writes:
            for event in write.events:
                position += 1
                rows.append((*msgspec.structs.astuple(event), PARTITION, position))
        connection.executemany(INSERT, rows)
        return position


class Call(Generic[T]):
    """A caller's own small transaction."""

    match = ""
    risky = True

    def __init__(self, fn: Callable[[sqlite3.Connection], T]) -> None:
        self._fn = fn

    def run(self, connection: sqlite3.Connection, place: Place) -> T:
        """What the caller's function answers."""
        return self._fn(connection)


FIND_COMMAND = "SELECT id, digest, spans FROM commands WHERE id = ?"


def read_command(row: tuple[str, str, bytes]) -> tuple[Command, Appended]:
    """See `Recorder.command`."""
    id, digest, spans = row
    return Command(id, digest), Appended(tuple(Span(*span) for span in msgspec.json.decode(spans)), repeated=True)


def replace_decisions(connection: sqlite3.Connection, match: str, decisions: tuple[Decision, ...]) -> None:
    """See `Recorder.append`."""
    connection.execute("DELETE FROM decisions WHERE match = ?", (match,))
    rows = [msgspec.structs.astuple(decision) for decision in decisions]
    connection.executemany("INSERT INTO decisions VALUES (?, ?, ?, ?, ?)", rows)


class Writer:
    """Takes requests from any thread and commits them in groups, in the order in which they came."""

    def __init__(self, connection: sqlite3.Connection, on_commit: OnCommit | None) -> None:
        self._connection = connection
        self._place = Place(connection)
        self._on_commit = on_commit
        self._queue: SimpleQueue[tuple[Work, Future[Any]] | None] = SimpleQueue()
        self._door = Lock()
        self._is_closed = False
        self._process = os.getpid()
        self._thread = Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Work) -> Future[Any]:
        """Queue a request; the future resolves when it is durable or refused."""
        if os.getpid() != self._process:
            raise StoreError("the store was opened before this process was forked: open it after")
        future: Future[Any] = Future()
        with self._door:
            if self._is_closed:
                raise StoreError("the store is closed")
            self._queue.put((work, future))
        return future

    def close(self) -> None:
        """Commit what was submitted, then end the thread. The connection stays open."""
        with self._door:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (group := self._take()) is not None:
            self._commit(group)

    def _take(self) -> list[tuple[Work, Future[Any]]] | None:
        """Whatever waits, at most GROUP; None when the writer is closed and nothing waits."""
        group = []
        request = self._queue.get()
        while request is not None:
            if request[1].set_running_or_notify_cancel():
                group.append(request)
            if len(group) >= GROUP:
                return group
            try:
                request = self._queue.get_nowait()
            except Empty:
                return group
        if group:
            self._queue.put(None)
        return group or None

    def _commit(self, group: list[tuple[Work, Future[Any]]]) -> None:
        """Commit a group; if the whole transaction fails, each request again by itself, so that one harms no other."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            outcomes = [self._attempt(work) for work, _ in group]
            self._connection.execute("COMMIT")
        except BaseException as error:
            self._roll_back()
            if len(group) > 1:
                for request in group:
                    self._commit([request])
                return
            outcomes = [(None, error)]
        written = set()
        for (work, future), (value, refusal) in zip(group, outcomes, strict=True):
            if refusal is not None:
                future.set_exception(as_told(refusal))
            else:
                if work.match and not value.repeated:
                    written.add(work.match)
                future.set_result(value)
        self._tell(frozenset(written))

    def _attempt(self, work: Work) -> tuple[Any, BaseException | None]:
        """What the request answers, or its refusal; raises what breaks the whole transaction."""
        if not work.risky:
            try:
                return work.run(self._connection, self._place), None
            except (CommandReused, StaleVersion) as refusal:
                return None, refusal
        self._connection.execute("SAVEPOINT request")
        outcome: tuple[Any, BaseException | None]
        try:
            outcome = work.run(self._connection, self._place), None
        except BaseException as error:
            if not self._connection.in_transaction:
                raise
            self._connection.execute("ROLLBACK TO request")
            outcome = None, error
        if not self._connection.in_transaction:
            raise StoreError("a request ended the transaction that it was a part of")
        self._connection.execute("RELEASE request")
        return outcome

    def _roll_back(self) -> None:
        """End a transaction that failed. SQLite may have ended it already; looking again may fail as it did."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._place.look_again()
        except sqlite3.Error:
            logger.exception("the store could not roll back")

    def _tell(self, written: frozenset[str]) -> None:
        if written and self._on_commit:
            try:
                self._on_commit(written)
            except Exception:
                logger.exception("on_commit failed")
