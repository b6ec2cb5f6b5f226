"""The one thread of a process that writes to an SQLite store: all requests that wait share one commit and one sync.

The appends of a transaction are checked one by one, and stored together in few statements. Each statement releases
Python's lock and must win it back from the threads that submit: one statement a row would halve the number of events
that a busy process stores in a second.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

import msgspec

from events.opening import as_told
from events.queries import Ends, Rows, call, grown_by, judge, read_command
from events.store import Append, Appended, CommandReused, OnCommit, Row, StaleVersion, StoreError, Write

T = TypeVar("T")


class Pending(Generic[T]):
    """The result of a request, for which any thread may wait; one thread sets it, once.

    It replaces the standard library's Future, which is slower, since every move waits for one and none is cancelled.
    """

    __slots__ = ("_error", "_gate", "_value")

    _value: T

    def __init__(self) -> None:
        self._error: BaseException | None = None
        self._gate = Lock()
        self._gate.acquire()  # until the result is set

    def result(self) -> T:
        """Wait, and return the value. Raises the error if one was set."""
        if error := self.exception():
            raise error
        return self._value

    def exception(self) -> BaseException | None:
        """Wait, and return the error that was set; None if there is none."""
        with self._gate:
            return self._error

    def set(self, value: T, error: BaseException | None = None) -> None:
        """Set the value, or the error to raise in its place; then let those who wait go on. It is set once."""
        self._value, self._error = value, error
        self._gate.release()


PARTITION, PARTITIONS = 0, 1
"""SQLite has one partition only."""

REMEMBERED = 100_000
"""The most streams whose versions are remembered, so that an append need not look them up."""

FIND_VERSIONS = (
    f"SELECT value, (SELECT coalesce(max(version), 0) FROM events WHERE partition = {PARTITION} AND stream = value)"
    " FROM json_each(?)"
)

ROWS = 64
"""The most rows that one statement inserts. SQLite keeps one prepared statement for each number of rows."""

FIND_COMMANDS = (
    "SELECT commands.match, commands.id, commands.digest, commands.spans FROM json_each(?) AS asked CROSS JOIN commands"
    f" ON commands.partition = {PARTITION} AND commands.match = json_extract(asked.value, '$[0]')"
    " AND commands.id = json_extract(asked.value, '$[1]')"
)
CLOSE_DECISIONS = f"DELETE FROM decisions WHERE partition = {PARTITION} AND match IN (SELECT value FROM json_each(?))"


@cache
def _insertion(table: str, columns: int, rows: int) -> str:
    places = f"({PARTITION}, {', '.join('?' * columns)})"
    return f"INSERT INTO {table} VALUES {', '.join([places] * rows)}"


class Batch:
    """The appends of a transaction that are checked and not yet stored, and the ends of the streams once they are.

    Only the writing thread uses it.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.forget()

    def forget(self) -> None:
        """Forget what is remembered of the store, and read its last position again.

        Called after a rollback, and when another connection has written.
        """
        sql = "SELECT coalesce(max(position), 0) FROM events WHERE partition = ?"
        # if it can't be read now, the next transaction begins with it
        self._seen: int | None = None
        self._rows = Rows()
        self._ends = Ends(self._connection.execute(sql, (PARTITION,)).fetchone()[0], {}, {})

    def begin(self) -> None:
        """Prepare for the appends of a transaction that has just begun."""
        self._ends.commands.clear()
        # the number changes with each commit of another connection
        (seen,) = self._connection.execute("PRAGMA data_version").fetchone()
        if seen != self._seen:
            self.forget()
            self._seen = seen
        elif len(self._ends.versions) > REMEMBERED:
            self._ends.versions.clear()

    def expect(self, commands: Iterable[tuple[str, str]]) -> None:
        """Look up at once which of these commands, as (match, id), the store has.

        A command that was not looked up is taken for a new one; if it is not, `store` fails.
        """
        asked = msgspec.json.encode(list(commands)).decode()
        rows = self._connection.execute(FIND_COMMANDS, (asked,)).fetchall()
        self._ends.commands.update({(row[0], row[1]): read_command(row) for row in rows})

    def take(self, append: Append) -> Appended:
        """Check an append and keep it until `store`. Its streams must have been looked up by `find_versions`.

        Raises:  CommandReused, StaleVersion; then nothing of it is kept.
        """
        try:
            return judge(append, self._ends, self._rows)
        except StaleVersion:
            if append.command is None:
                raise
            # the stream may have grown because the same command was stored before
            self.expect([(append.match, append.command.id)])
            return judge(append, self._ends, self._rows)

    def give_back(self, append: Append) -> None:
        """Undo the append that was taken last, after it alone was rolled back."""
        self._rows = Rows()
        for write in append.writes:
            self._ends.versions[write.stream] = write.expected
            self._ends.position -= len(write.events)
        if append.command:
            del self._ends.commands[append.match, append.command.id]

    def store(self) -> None:
        """Write the appends that were taken."""
        rows = self._rows
        self._insert("events", rows.events)
        if rows.decisions:
            matches = msgspec.json.encode(list(rows.decisions)).decode()
            self._connection.execute(CLOSE_DECISIONS, (matches,))
            asked = [decision for decisions in rows.decisions.values() for decision in decisions]
            self._insert("decisions", [msgspec.structs.astuple(decision) for decision in asked])
        self._insert("commands", rows.commands)
        self._rows = Rows()

    def _insert(self, table: str, rows: list[Row]) -> None:
        for start in range(0, len(rows), ROWS):
            part = rows[start : start + ROWS]
            sql = _insertion(table, len(part[0]), len(part))
            self._connection.execute(sql, [value for row in part for value in row])

    def find_versions(self, writes: Sequence[Write]) -> None:
        """Look up at once the versions of the streams that are not remembered, for the appends that are taken next."""
        if unknown := [write.stream for write in writes if write.stream not in self._ends.versions]:
            asked = msgspec.json.encode(unknown).decode()
            self._ends.versions.update(self._connection.execute(FIND_VERSIONS, (asked,)).fetchall())


Call = Callable[[sqlite3.Connection], Any]
"""A caller's own small transaction."""

Turn = Callable[[], AbstractContextManager[None]]
"""Waits for the process's turn to commit, and keeps the others from committing meanwhile."""

Request = tuple[Append | Call, Pending[Any]]

Outcome = tuple[Any, BaseException | None]
"""A request's result, or the error to raise."""

GROUP = 256
"""The number of requests from which on a commit takes no more: it limits how long the first of them waits."""

logger = logging.getLogger(__name__)


class Writer:
    """A queue of requests from any thread, and the thread that commits them in groups, in their order."""

    def __init__(self, connection: sqlite3.Connection, turn: Turn, on_commit: OnCommit | None) -> None:
        self._connection = connection
        self._turn = turn
        self._batch = Batch(connection)
        self._on_commit = on_commit
        self._queue: SimpleQueue[list[Request] | None] = SimpleQueue()
        self._door = Lock()
        self._is_closed = False
        self._process = os.getpid()
        self._thread = Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, asked: Sequence[Append | Call]) -> list[Pending[Any]]:
        """Queue requests, which share commits. Returns pending results, each set once it is durable or refused.

        Raises:  StoreError when the writer is closed, or belongs to another process.
        """
        if os.getpid() != self._process:
            raise StoreError("the store was opened before this process was forked: open it after")
        requests: list[Request] = [(request, Pending()) for request in asked]
        with self._door:
            if self._is_closed:
                raise StoreError("the store is closed")
            for start in range(0, len(requests), GROUP):
                self._queue.put(requests[start : start + GROUP])
        return [pending for _, pending in requests]

    def close(self) -> None:
        """Commit what was submitted, then end the thread. The connection stays open."""
        with self._door:
            self._is_closed = True
            self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        is_open = True
        while is_open:
            group, is_open = self._take()
            if group:
                self._commit(group)

    def _take(self) -> tuple[list[Request], bool]:
        """Wait for requests and return up to about GROUP of them, and whether more may come."""
        group: list[Request] = []
        some = self._queue.get()
        while some is not None:
            group += some
            if len(group) >= GROUP:
                return group, True
            try:
                some = self._queue.get_nowait()
            except Empty:
                return group, True
        return group, False

    def _commit(self, group: list[Request], *, looks: bool = False) -> None:
        """Commit a group. If the whole transaction fails, commit each request alone, so that one can't harm the others.

        `looks`: look up first which commands are repeated. Few are, so at first it is not done, and the transaction
        fails if one is.
        """
        appends = (asked for asked, _ in group if isinstance(asked, Append))
        commands = [(append.match, append.command.id) for append in appends if append.command]
        try:
            with self._turn():
                outcomes, failure = self._transact(group, commands if looks else [])
        except StoreError as error:
            outcomes, failure = [], error
        if failure is not None:
            if len(group) > 1 or (commands and not looks):
                for request in group:
                    self._commit([request], looks=True)
                return
            outcomes = [(None, failure)]
        self._answer(group, outcomes)

    def _transact(
        self, group: list[Request], expected: list[tuple[str, str]]
    ) -> tuple[list[Outcome], BaseException | None]:
        """Carry the requests out in one transaction. Returns an outcome for each; or none, and the error."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._batch.begin()
            if expected:
                self._batch.expect(expected)
            self._batch.find_versions(
                [write for asked, _ in group if isinstance(asked, Append) for write in asked.writes]
            )
            outcomes = [self._attempt(asked) for asked, _ in group]
            self._batch.store()
            self._connection.execute("COMMIT")
        except BaseException as error:
            self._roll_back()
            return [], error
        return outcomes, None

    def _answer(self, group: list[Request], outcomes: list[Outcome]) -> None:
        written: set[str] = set()
        for (asked, pending), (value, refusal) in zip(group, outcomes, strict=True):
            if refusal is None and isinstance(asked, Append) and not value.repeated:
                written |= grown_by(asked)
            pending.set(value, None if refusal is None else as_told(refusal))
        call(self._on_commit, written)

    def _attempt(self, asked: Append | Call) -> Outcome:
        """Return the request's outcome. Raises an error that breaks the whole transaction."""
        if not isinstance(asked, Append):
            self._batch.store()
            return self._guarded(asked)
        if asked.beside:
            self._batch.store()
            # look the command up first: a repeated one must not fail because of the caller's statements
            if asked.command:
                self._batch.expect([(asked.match, asked.command.id)])
        try:
            appended = self._batch.take(asked)
        except (CommandReused, StaleVersion) as error:
            return None, error
        if appended.repeated or not asked.beside:
            return appended, None
        _, refusal = self._guarded(lambda connection: self._store_with(asked, connection))
        if refusal:
            self._batch.give_back(asked)
        return appended, refusal

    def _store_with(self, append: Append, connection: sqlite3.Connection) -> None:
        self._batch.store()
        for statement in append.beside:
            connection.execute(statement.sql, statement.bound(PARTITIONS)).close()

    def _guarded(self, call: Call) -> Outcome:
        """Run a call that may fail after it has written, within a savepoint."""
        self._connection.execute("SAVEPOINT request")
        outcome: Outcome
        try:
            outcome = call(self._connection), None
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
        """End a transaction that failed. SQLite may have ended it already, and reading the store again may fail too."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._batch.forget()
        except sqlite3.Error:
            logger.exception("the store could not roll back")
