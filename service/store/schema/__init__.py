"""The service's own tables, beside the log in the same store: who plays, who sits where, what was asked before.

What is here can be erased; the log names seats only.
"""

from __future__ import annotations

from events.postgres import PostgresRecorder
from events.sqlite import SqliteReader, SqliteRecorder
from events.store import Statement, StoreNewer, Tables
from service.store.schema import on_postgres, on_sqlite

COPYING = "service copy"
"""Stands among the followers of a store as long as not all of another one was copied into it."""

END_COPYING = "DELETE FROM positions WHERE partition = 0 AND follower = :follower"
IS_COPYING = "SELECT 1 FROM positions WHERE partition = 0 AND follower = :follower"


def is_half_copied(store: Tables) -> bool:
    """Whether a copy into it was begun and not finished."""
    return bool(store.find(Statement(IS_COPYING, {"follower": COPYING})))


def prepare(store: SqliteRecorder | PostgresRecorder, name: str) -> None:
    """Make or migrate the tables, whoever else does so at the same time.

    Shape:   `name`: the store's, for messages.
    Raises:  StoreNewer when a later release has done so.
    """
    if isinstance(store, SqliteRecorder):
        found, known = store.transact(on_sqlite.migrate), on_sqlite.VERSION
    else:
        found, known = store.transact(on_postgres.migrate), on_postgres.VERSION
    _check(name, found, known)


def check(store: SqliteReader) -> None:
    """Raises StoreNewer when a later release has made or migrated the tables."""
    connection = store.reader()
    tables = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'service'").fetchone()
    found = connection.execute("SELECT coalesce(max(version), 0) FROM service").fetchone()[0] if tables else 0
    _check(str(store.path), int(found), on_sqlite.VERSION)


def _check(name: str, found: int, known: int) -> None:
    if found > known:
        raise StoreNewer(f"{name} was written by a later release: service schema {found}, known is {known}")
