"""Commits a group of appends to a partition under the partition's lock: one round trip, two if the first is refused.

Positions are given out under the lock, which the server releases only when what was written is visible to all. So a
reader that has read up to a position has seen everything before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
import psycopg
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout

from events.chain import Stored
from events.postgres import groups
from events.postgres.asking import Asked, as_psycopg, ask, insertions, text, texts
from events.postgres.groups import Lane, MaybeSent, Waiting, is_stored
from events.postgres.opening import BEGIN, LOCK, LOCKS, Connection, GuardedPool, told
from events.queries import Ends, Rows, call, grown_by, read_command, spans_of
from events.store import (
    NOTE,
    Append,
    Appended,
    BrokenConstraint,
    MissingValue,
    NulInText,
    OnCommit,
    Result,
    Statement,
    StoreError,
    StoreUnsure,
    match_of,
    partition_of,
)

LOCKED = "SELECT pg_advisory_xact_lock($1, $2)::text, pg_current_xact_id()::text"
FIND_POSITION = "SELECT coalesce(max(position), 0) FROM events WHERE partition = %s"
FIND_ENDS = (
    "SELECT asked.stream, coalesce((SELECT max(version) FROM events WHERE partition = $1 AND stream = asked.stream), 0)"
    "::text, coalesce((SELECT max(position) FROM events WHERE partition = $1), 0)::text"
    " FROM unnest($2::text[]) AS asked (stream)"
)
FIND_COMMANDS = (
    "SELECT commands.match, commands.id, digest, spans FROM unnest($2::text[], $3::text[]) AS asked (match, id)"
    " JOIN commands ON commands.partition = $1 AND commands.match = asked.match AND commands.id = asked.id"
)
FIND_EVENT = "SELECT 1 FROM events WHERE partition = %s AND stream = %s AND version = %s AND hash = %s"
FIND_TAKEN = "SELECT 1 FROM commands WHERE partition = %s AND match = %s AND id = %s AND digest = %s"
CLOSE_DECISIONS = "DELETE FROM decisions WHERE partition = $1 AND match = ANY($2)"
COMMIT = Asked("COMMIT")
STATUS = "SELECT pg_xact_status(%s::xid8)"

AGAIN = 8
"""How often an append is tried if its connection breaks, or another transaction's locks are in its way."""

Cursor = psycopg.Cursor[tuple[Any, ...]]


class CutOff(Exception):
    """The connection broke during COMMIT, so the server may have committed the group or not."""

    def __init__(self, transaction: str, results: list[Result], rows: Rows) -> None:
        super().__init__(transaction)
        self.transaction = transaction
        self.results = results
        self.rows = rows


def is_down(error: BaseException) -> bool:
    """Return whether the server can't be reached or ended the connection; then nothing is wrong with the statements."""
    ends = (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow, errors.IdleSessionTimeout)
    return isinstance(error, ends) or (isinstance(error, psycopg.OperationalError) and error.sqlstate is None)


def is_cut(error: psycopg.Error) -> bool:
    """Return whether an open connection broke, so that another one may work."""
    return is_down(error) and not isinstance(error, PoolTimeout | PoolClosed)


def is_held_up(error: psycopg.Error) -> bool:
    """Return whether another transaction's locks were in the way."""
    return isinstance(error, errors.DeadlockDetected | errors.SerializationFailure)


def is_nul(error: BaseException) -> bool:
    """Return whether psycopg refused a text because it holds NUL; the server never saw it."""
    return isinstance(error, psycopg.DataError) and error.sqlstate is None and "NUL" in str(error)


def as_told(error: BaseException) -> BaseException:
    """Return the error for the caller: PostgreSQL's errors as the store's own, others as they are."""
    if isinstance(error, PoolClosed):
        return StoreError("the store is closed")
    if not isinstance(error, psycopg.Error):
        return error
    failure: StoreError
    if is_nul(error):
        failure = NulInText("a text holds NUL, which PostgreSQL can't keep")
    elif not isinstance(error, psycopg.IntegrityError):
        failure = StoreError(f"the store could not write: {told(error)}")
    else:
        # not the whole text: its details quote the row
        message = error.diag.message_primary or "a constraint is broken"
        failure = MissingValue(message) if isinstance(error, errors.NotNullViolation) else BrokenConstraint(message)
    failure.__cause__ = error
    return failure


class Committer:
    """Commits the groups of all partitions; groups of different partitions are committed at the same time."""

    def __init__(self, pool: GuardedPool, partitions: int, on_commit: OnCommit | None) -> None:
        self._pool = pool
        self._partitions = partitions
        self._on_commit = on_commit
        self.lanes = tuple(Lane(partial(self._commit, partition)) for partition in range(partitions))

    def _commit(self, partition: int, group: list[Waiting]) -> None:
        """Commit a group. If the transaction fails, commit each append alone, so that one can't harm the others."""
        try:
            results, written = self._at_once(partition, group)
        except Exception as error:
            if len(group) > 1 and not (isinstance(error, StoreError) or is_down(error)):
                for waiting in group:
                    self._commit(partition, [waiting])
                return
            results, written = [as_told(error)] * len(group), set()
        for waiting, result in zip(group, results, strict=True):
            waiting.result = result
        call(self._on_commit, written)

    def _at_once(self, partition: int, group: list[Waiting]) -> tuple[list[Result], set[str]]:
        """Commit with one message if possible, else in two steps. Returns the results, and the streams that grew."""
        plan = groups.outright([waiting.append for waiting in group])
        if plan is None:
            return self._steadily(partition, group)
        begun = [Asked(BEGIN), Asked(LOCKED, (LOCKS, partition)), groups.insertion(partition, plan)]
        try:
            with self._pool.connection() as connection:
                groups.send(connection, [*begun, *_stored_with(partition, plan.rows), COMMIT])
            return plan.results, plan.rows.written
        except MaybeSent:
            return self._after_all(partition, group)
        except psycopg.Error as error:
            if isinstance(error, PoolTimeout | PoolClosed):
                raise
            if is_cut(error):
                self._pool.check()
        # judging the group in two steps finds out which append is wrong, if any is
        return self._steadily(partition, group)

    def _after_all(self, partition: int, group: list[Waiting]) -> tuple[list[Result], set[str]]:
        """Commit a group again after a message that the server may have executed, or may still execute.

        Whichever of the two comes second finds the streams grown. So an append that is refused now was stored by the
        message if its last event is there.
        Raises:  StoreUnsure when nothing could be committed now.
        """
        try:
            self._pool.check()
            results, written = self._steadily(partition, group)
            for number, result in enumerate(results):
                append = group[number].append
                event = next(write.events[-1] for write in append.writes if write.events)
                if not is_stored(result) and self._has(partition, event):
                    results[number] = Appended(spans_of(append.writes))
                    written |= grown_by(append)
            return results, written
        except StoreUnsure:
            raise
        except (StoreError, psycopg.Error) as error:
            raise StoreUnsure(f"the store was cut off while it committed: {told(error)}") from error

    def _has(self, partition: int, event: Stored) -> bool:
        asked = (partition, event.stream, event.version, event.hash)
        with self._pool.connection() as connection:
            return connection.execute(FIND_EVENT, asked).fetchone() is not None

    def _steadily(self, partition: int, group: list[Waiting]) -> tuple[list[Result], set[str]]:
        """Commit in two steps; try again when the connection broke or another transaction was in the way."""
        for left in reversed(range(AGAIN)):
            try:
                with self._pool.connection() as connection:
                    return _transact(connection, partition, self._partitions, group)
            except CutOff as cut:
                if self._has_committed(partition, cut):
                    return cut.results, cut.rows.written
            except psycopg.Error as error:
                if not left or not (is_cut(error) or (is_held_up(error) and len(group) == 1)):
                    raise
                if is_cut(error):
                    self._pool.check()
        raise StoreError("the store could not write: its connections break one after the other")

    def _has_committed(self, partition: int, cut: CutOff) -> bool:
        """Ask the server whether a transaction was committed, when it can't go on any more. Raises StoreUnsure."""
        try:
            self._pool.check()
            with self._pool.connection() as connection, connection.transaction():
                connection.execute(LOCK, (LOCKS, partition))
                (status,) = connection.execute(STATUS, (cut.transaction,)).fetchone() or (None,)
                is_there = _is_there(connection, partition, cut.rows)
        except psycopg.Error as error:
            raise StoreUnsure(f"the store was cut off while it committed: {told(error)}") from error
        # After a crash the server may give a lost transaction's number to another one, so the rows are checked too.
        if status == "committed" and is_there is None:
            raise StoreUnsure("the store was cut off while it committed, and nothing tells whether it did")
        return bool(status == "committed" and is_there)


def _is_there(connection: Connection, partition: int, rows: Rows) -> bool | None:
    """Return whether the last row of the group is stored, and so all of them; None if it had no events or commands."""
    if rows.events:
        stream, version, *_, sealed, _ = rows.events[-1]
        row = connection.execute(FIND_EVENT, (partition, stream, version, sealed))
    elif rows.commands:
        row = connection.execute(FIND_TAKEN, (partition, *rows.commands[-1][:3]))
    else:
        return None
    return row.fetchone() is not None


def _transact(
    connection: Connection, partition: int, partitions: int, group: list[Waiting]
) -> tuple[list[Result], set[str]]:
    appends = [waiting.append for waiting in group]
    transaction, ends = _look(connection, partition, appends)
    results, rows = groups.judge_all(appends, ends)
    stored = insertions("events", partition, rows.events) + _stored_with(partition, rows)
    try:
        if rows.beside:
            ask(connection, stored)
            with connection.pipeline():
                execute(connection, rows.beside, partitions)
                connection.execute("COMMIT")
        else:
            ask(connection, [*stored, COMMIT])
    except psycopg.Error as error:
        if connection.broken:
            raise CutOff(transaction, results, rows) from error
        raise
    return results, rows.written


def _look(connection: Connection, partition: int, appends: list[Append]) -> tuple[str, Ends]:
    """Begin a transaction, take the partition's lock, and read where the partition and the group's streams end.

    Returns the transaction's number too.
    """
    streams = {write.stream: None for append in appends for write in append.writes}
    commands = [(append.match, append.command.id) for append in appends if append.command]
    asked = [Asked(BEGIN), Asked(LOCKED, (LOCKS, partition)), Asked(FIND_ENDS, (partition, texts(streams)))]
    if commands:
        matches, ids = zip(*commands, strict=True)
        asked.append(Asked(FIND_COMMANDS, (partition, texts(matches), texts(ids))))
    _, locked, ends, *known_commands = ask(connection, asked)
    versions = {text(stream): int(version) for stream, version, _ in ends}
    known = {}
    for match, id, digest, spans in known_commands[0] if commands else ():
        row = text(match), text(id), text(digest), spans
        known[row[:2]] = read_command(row)
    return text(locked[0][1]), Ends(int(ends[0][2]) if ends else 0, versions, known)


def _stored_with(partition: int, rows: Rows) -> list[Asked]:
    """Return the statements that store all rows but the events."""
    asked: list[Asked] = []
    if rows.decisions:
        decisions = [msgspec.structs.astuple(decision) for of_match in rows.decisions.values() for decision in of_match]
        asked.append(Asked(CLOSE_DECISIONS, (partition, texts(rows.decisions))))
        asked += insertions("decisions", partition, decisions)
    return asked + insertions("commands", partition, rows.commands)


def execute(connection: Connection, statements: Sequence[Statement], partitions: int) -> tuple[Cursor, ...]:
    """Execute statements that are written for every store, in the transaction that is open."""
    return tuple(
        [connection.execute(as_psycopg(statement.sql), statement.bound(partitions)) for statement in statements]
    )


def fill(connection: Connection, partitions: int, events: Sequence[tuple[int, Stored]], follower: str) -> None:
    """Store events, given with their positions in the other store; note the last of these for the follower.

    Within a partition the events keep their order. All of it happens in the transaction that is open.
    """
    rows: dict[int, list[Stored]] = {}
    for _, event in events:
        rows.setdefault(partition_of(match_of(event.stream), partitions), []).append(event)
    # all processes take the locks in this order, so that none wait for each other
    for partition in sorted(rows):
        connection.execute(LOCK, (LOCKS, partition))
        (last,) = connection.execute(FIND_POSITION, (partition,)).fetchone() or (0,)
        placed = [(*msgspec.structs.astuple(event), last + number) for number, event in enumerate(rows[partition], 1)]
        ask(connection, insertions("events", partition, placed))
    noted = Statement(NOTE, {"partition": 0, "follower": follower, "position": events[-1][0]})
    execute(connection, [noted], partitions)
