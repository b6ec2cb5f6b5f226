"""The service's own tables, beside the log in the same store: who plays, who sits where, what was asked before.

What is here can be erased; the log names seats only.
"""

from __future__ import annotations

from events.postgres import PostgresRecorder
from events.sqlite import SqliteRecorder
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
    if found > known:
        raise StoreNewer(f"{name} was written by a later release: service schema {found}, known is {known}")
