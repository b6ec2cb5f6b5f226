"""The one thread of a process that writes to an SQLite store: all requests that wait share one commit and one sync."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any

from events.batch import PARTITIONS, Batch
from events.locks import Locks
from events.pending import Pending
from events.store import (
    Append,
    BrokenConstraint,
    CommandReused,
    MissingValue,
    OnCommit,
    StaleVersion,
    StoreError,
    grown_by,
)

Call = Callable[[sqlite3.Connection], Any]
"""A caller's own small transaction."""

Request = tuple[Append | Call, Pending[Any]]

Outcome = tuple[Any, BaseException | None]
"""A request's result, or the error to raise."""

GROUP = 256
"""The number of requests from which on a commit takes no more: it limits how long the first of them waits."""

logger = logging.getLogger(__name__)


def code_of(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code; 0 when Python's own module refused."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def as_told(error: BaseException) -> BaseException:
    """Return the error for the caller: SQLite's errors as the store's own, others as they are."""
    if not isinstance(error, sqlite3.Error):
        return error
    failure: StoreError
    if not isinstance(error, sqlite3.IntegrityError):
        failure = StoreError(f"the store could not write: {error}")
    elif error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_NOTNULL:
        failure = MissingValue(str(error))
    else:
        failure = BrokenConstraint(str(error))
    failure.__cause__ = error
    return failure


def _commands_of(group: list[Request]) -> list[tuple[str, str]]:
    """Return (match, id) of each command in the group."""
    appends = (asked for asked, _ in group if isinstance(asked, Append))
    return [(append.match, append.command.id) for append in appends if append.command]


class Writer:
    """A queue of requests from any thread, and the thread that commits them in groups, in their order."""

    def __init__(self, connection: sqlite3.Connection, locks: Locks, on_commit: OnCommit | None) -> None:
        self._connection = connection
        self._locks = locks
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
        commands = _commands_of(group)
        with self._locks.turn():
            outcomes, failure = self._transact(group, commands if looks else [])
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
            appends = [asked for asked, _ in group if isinstance(asked, Append)]
            self._batch.find_versions([write for append in appends for write in append.writes])
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
            if refusal is not None:
                pending.set_exception(as_told(refusal))
            else:
                if isinstance(asked, Append) and not value.repeated:
                    written |= grown_by(asked)
                pending.set_result(value)
        if written and self._on_commit:
            try:
                self._on_commit(frozenset(written))
            except Exception:
                logger.exception("on_commit failed")

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
