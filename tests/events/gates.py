"""Transactions of a PostgreSQL store that are held where a test wants them, by a lock that the test holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import psycopg

from events.store import Statement

GATE = Statement("SELECT pg_advisory_xact_lock_shared(1, 1)")
"""Beside an append: it waits here, its events written and not committed, until the gate is open."""

HELD = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"

PATIENCE = 30.0
"""Seconds after which a test has gone wrong."""


class Gate:
    """Shut from the first; opened once."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        self._row("SELECT pg_advisory_lock(1, 1)")

    def _row(self, sql: str) -> tuple[object, ...]:
        row = self._connection.execute(sql.encode()).fetchone()
        assert row is not None
        return row

    def is_held_up(self, transactions: int) -> bool:
        """Whether so many wait, at the gate or for who waits there."""
        return self._row(HELD) == (transactions,)

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
    end = monotonic() + PATIENCE
    while not is_so():
        if monotonic() > end:
            raise TimeoutError("what was waited for did not come")
