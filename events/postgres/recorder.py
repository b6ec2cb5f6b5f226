"""The store on PostgreSQL: streams of events in partitions, each with an order of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import psycopg
from psycopg_pool import PoolClosed

from events.chain import Stored
from events.postgres import opening
from events.postgres.asking import as_psycopg
from events.postgres.committing import AGAIN, Committer, as_told, execute, is_cut, is_held_up, is_nul
from events.postgres.opening import PARTITIONS, WAIT, Connection, told
from events.queries import FIND_PRIVATE, STORED, Reading
from events.store import Append, OnCommit, Result, Row, Statement, Store, StoreError, StoreUnsure, partition_of

T = TypeVar("T")

CONNECTIONS = 8
"""The most connections of a process, and so the most partitions that it writes to at the same time."""

FIND_ALL = (
    f"SELECT position, {STORED} FROM events WHERE partition = :partition AND position > :after"
    " ORDER BY position LIMIT :limit::bigint"
)
# with an upper end the server keeps one plan; without, it plans each time anew, which takes as long as reading
FIND_NEXT = FIND_ALL.replace(":after", ":after::bigint AND position <= :after::bigint + :limit::bigint")
FIND_PRIVATE_ENDS = (
    f"SELECT latest.* FROM ({FIND_PRIVATE}) AS private CROSS JOIN LATERAL (SELECT {STORED} FROM events"
    " WHERE partition = :partition AND stream = private.stream ORDER BY version DESC LIMIT 1) AS latest"
)
# a stream's last event has its latest `at`, so one row a stream is read
FIND_LATEST = (
    "SELECT coalesce(max(latest.at), '') FROM (SELECT stream FROM events WHERE partition = :partition"
    " AND version = 1) AS streams CROSS JOIN LATERAL (SELECT at FROM events WHERE partition = :partition"
    " AND stream = streams.stream ORDER BY version DESC LIMIT 1) AS latest WHERE split_part(streams.stream, '/', 1)"
    " NOT IN (SELECT match FROM proofs WHERE partition = :partition)"
)
TOUCH = "UPDATE store SET schema = schema"


class PostgresReader(Reading):
    """The reading half of a `Recorder`. Any thread may use it; no statement touches two partitions."""

    PRIVATE_ENDS = FIND_PRIVATE_ENDS
    LATEST = FIND_LATEST

    def __init__(self, url: str) -> None:
        """Open an existing store to read it. Raises StoreUnusable, by its kinds."""
        self.partitions = opening.open_to_read(url)
        self._pool = opening.pool_of(url, CONNECTIONS, WAIT, is_writing=False)

    def _run(self, ask: Callable[[Connection], list[T]]) -> list[T]:
        """Call `ask` with a connection; with another one if that is broken, as all are after the server restarted."""
        try:
            for _ in range(AGAIN):
                try:
                    with self._pool.connection() as connection:
                        return ask(connection)
                except psycopg.OperationalError as error:
                    if not is_cut(error):
                        raise
                self._pool.check()
            raise StoreError("the store could not read: its connections break one after the other")
        except PoolClosed as error:
            raise StoreError("the store is closed") from error
        except psycopg.Error as error:
            if is_nul(error):
                return []  # no text in the store holds NUL, so nothing matches
            raise StoreError(f"the store could not read: {told(error)}") from error

    def _at_once(self, asked: Sequence[tuple[str, dict[str, Any]]]) -> list[list[Row]]:
        """Return the rows of each query, in one round trip; no rows if a text holds NUL."""

        def ask(connection: Connection) -> list[list[Row]]:
            with connection.pipeline():
                cursors = [connection.execute(sql, named, binary=True) for sql, named in asked]
            return [cursor.fetchall() for cursor in cursors]

        return self._run(ask) or [[] for _ in asked]

    def find(self, statement: Statement) -> list[Row]:
        sql, named = as_psycopg(statement.sql), statement.bound(self.partitions)
        return self._run(lambda connection: connection.execute(sql, named, binary=True).fetchall())

    def find_each(self, statements: Sequence[Statement]) -> list[list[Row]]:
        return self._at_once(
            [(as_psycopg(statement.sql), statement.bound(self.partitions)) for statement in statements]
        )

    def find_everywhere(self, sql: str, /, **named: object) -> list[Row]:
        """See `Tables.find_everywhere`: one query a partition, all in one round trip."""
        asked = as_psycopg(sql)
        lots = self._at_once([(asked, {**named, "partition": partition}) for partition in range(self.partitions)])
        return [row for rows in lots for row in rows]

    def read_all(self, partition: int, after: int, limit: int) -> tuple[tuple[int, Stored], ...]:
        named = {"partition": partition, "after": after, "limit": limit}
        # positions have no gaps today; the second query makes it right even with gaps
        rows = self.find(Statement(FIND_NEXT, named)) or self.find(Statement(FIND_ALL, named))
        return tuple([(position, Stored(*row)) for position, *row in rows])

    def close(self) -> None:
        self._pool.close()


class PostgresRecorder(PostgresReader, Store):
    """A `Recorder` on PostgreSQL, which makes its tables in an empty database. It can't be used across a fork."""

    def __init__(
        self,
        url: str,
        *,
        partitions: int = PARTITIONS,
        connections: int = CONNECTIONS,
        wait: float = WAIT,
        on_commit: OnCommit | None = None,
    ) -> None:
        """Open the store, and make it if there is none.

        Shape:   `partitions`: number for a new store. `wait`: seconds that a caller waits for a connection. `on_commit`
                 is called after each commit of this process while others wait for theirs, so it must not wait for the
                 store.
        Raises:  StoreUnusable, by its kinds.
        """
        self.partitions = opening.open_to_write(url, partitions)
        self._pool = opening.pool_of(url, connections, wait, is_writing=True)
        self._committer = Committer(self._pool, self.partitions, on_commit)
        self._threads = ThreadPoolExecutor(connections, "appends")

    def _commit_all(self, appends: Sequence[Append]) -> list[Result]:
        """See `Recorder.append_all`; partitions do not wait for each other."""
        lots: dict[int, list[int]] = {}
        for number, append in enumerate(appends):
            lots.setdefault(partition_of(append.match, self.partitions), []).append(number)

        def run(partition: int) -> list[Result]:
            return self._committer.lanes[partition].run([appends[number] for number in lots[partition]])

        if self._pool.closed:
            raise StoreError("the store is closed")
        # a single partition needs no other thread
        several = map(run, lots) if len(lots) == 1 else self._threads.map(run, lots)
        by_number: dict[int, Result] = {}
        for partition, results in zip(lots, several, strict=True):
            by_number.update(zip(lots[partition], results, strict=True))
        return [by_number[number] for number in range(len(appends))]

    def write(self, statements: Sequence[Statement]) -> tuple[int, ...]:
        def run(connection: Connection) -> tuple[int, ...]:
            with connection.pipeline():
                cursors = execute(connection, statements, self.partitions)
            return tuple([cursor.rowcount for cursor in cursors])

        return self.transact(run)

    def probe(self) -> None:
        self.write([Statement(TOUCH)])

    def transact(self, fn: Callable[[Connection], T]) -> T:
        """Run the caller's own small transaction, and return what `fn` returns; durable on return.

        `fn` must not end the transaction, and may be called again. If it raises, nothing of it is stored, and its error
        is raised here; PostgreSQL's errors become the store's.
        Raises:  StoreUnsure when the connection broke during the commit.
        """
        for left in reversed(range(AGAIN)):
            is_ending = False
            try:
                with self._pool.connection() as connection, connection.transaction():
                    result = fn(connection)
                    is_ending = True
                return result
            except psycopg.Error as error:
                if is_held_up(error) and left:
                    continue
                if not is_cut(error):
                    raise as_told(error) from error
                if is_ending:
                    raise StoreUnsure(f"the store was cut off while it committed: {told(error)}") from error
            self._pool.check()
        raise StoreError("the store could not write: its connections break one after the other")

    def execute(self, connection: Connection, statement: Statement) -> int:
        """Execute the statement within `transact`; return how many rows it has written."""
        return connection.execute(as_psycopg(statement.sql).encode(), statement.bound(self.partitions)).rowcount

    @staticmethod
    def is_fault(error: Exception) -> bool:
        """Return whether a statement is at fault rather than the store."""
        is_of_store = isinstance(error, psycopg.OperationalError | psycopg.InternalError)
        return isinstance(error, psycopg.Error) and not is_of_store

    def close(self) -> None:
        self._threads.shutdown()
        super().close()
