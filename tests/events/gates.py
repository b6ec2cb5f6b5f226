"""Transactions of a PostgreSQL store that are held where a test wants them, by a lock that the test holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg

GATE = ("SELECT pg_advisory_xact_lock_shared(1, 1)", ())
"""Beside an append: it waits here, its events written and not committed, until the gate is open."""

HELD = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = %s"


class Gate:
    """Shut from the first; opened once."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        (self._database,) = self._row("SELECT oid FROM pg_database WHERE datname = current_database()")
        self._row("SELECT pg_advisory_lock(1, 1)")

    def _row(self, sql: str, *parameters: object) -> tuple[object, ...]:
        row = self._connection.execute(sql.encode(), parameters).fetchone()
        assert row is not None
        return row

    def is_held_up(self, transactions: int) -> bool:
        """Whether so many wait, at the gate or for who waits there."""
        return self._row(HELD, self._database) == (transactions,)

    def open(self) -> None:
        self._row("SELECT pg_advisory_unlock_all()")


@contextmanager
def gate(url: str) -> Iterator[Gate]:
    """A gate in the store's database, open when it is left."""
    with psycopg.connect(url, autocommit=True) as connection:
        shut = Gate(connection)
        try:
            yield shut
        finally:
            shut.open()


def until(is_so: Callable[[], bool]) -> None:
    """Look until it is so; a test that never gets there is ended by its runner."""
    while not is_so():
        pass
