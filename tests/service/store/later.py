"""A next version of the service's tables, which there is not: what a test carries a store to.

python -m tests.service.store.later URL    prints a line, waits for one, and opens the store as that version's release
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import msgspec
from sqlite_utils import Database

from events import stores
from events.postgres.opening import Connection
from events.sqlite import SqliteReader
from events.store import Reader, Row, Statement, Store
from service.store import schema
from service.store.schema import Step
from service.store.schema import tables as ours

NOTE = "INSERT INTO outages (id, began, ended) SELECT count(*) + 1, 'then', 'then' FROM outages"
"""Each time that the step is done there is another row."""

MORE_MATCHES = ", mood default 'calm'"
RENAMED = ("mailbox null", "letterbox null")


def on_sqlite(db: Database) -> None:
    """Add a column to a table, and make one anew that other rows refer to."""
    db.execute(NOTE)
    db.table("matches").add_column("mood", str, not_null_default="calm")
    db.table("players").transform(rename={"mailbox": "letterbox"})


def on_postgres(connection: Connection) -> None:
    """Do the same on PostgreSQL."""
    connection.execute(NOTE)
    connection.execute("ALTER TABLE matches ADD COLUMN mood text COLLATE \"C\" NOT NULL DEFAULT 'calm'")
    connection.execute("ALTER TABLE players RENAME COLUMN mailbox TO letterbox")


STEP = Step(on_sqlite, on_postgres)


@contextmanager
def released(step: Step = STEP) -> Iterator[None]:
    """This is the release that brings the next version."""
    before, schema.STEPS = schema.STEPS, (*schema.STEPS, step)
    try:
        yield
    finally:
        schema.STEPS = before


@contextmanager
def declared() -> Iterator[None]:
    """A new store is made as the next version has its tables."""
    tables, indexes = ours.TABLES, ours.INDEXES
    matches, players = (next(one for one in tables if one.name == name) for name in ("matches", "players"))
    later = {
        "matches": msgspec.structs.replace(matches, said=matches.said + MORE_MATCHES),
        "players": msgspec.structs.replace(players, said=players.said.replace(*RENAMED)),
    }
    ours.TABLES = tuple(later.get(one.name, one) for one in tables)
    ours.INDEXES = indexes.replace("players (mailbox)", "players (letterbox)")
    try:
        yield
    finally:
        ours.TABLES, ours.INDEXES = tables, indexes


def opened(url: str) -> Store:
    """The store with the tables of the release that is running."""
    store = stores.open_to_write(url)
    try:
        schema.prepare(store, url)
    except BaseException:
        store.close()
        raise
    return store


COLUMNS = """
SELECT table_name, column_name, data_type, is_nullable, coalesce(column_default, ''), coalesce(collation_name, '')
FROM information_schema.columns WHERE table_schema = 'public'
"""
KEYS = "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype IN ('p', 'f')"
INDEXES = "SELECT indexdef, '' FROM pg_indexes WHERE schemaname = 'public'"


def tables_of(store: Reader) -> set[Row]:
    """All columns, keys, references and indexes of a store, in whatever order they came to be there."""
    if not isinstance(store, SqliteReader):
        return {row for sql in (COLUMNS, KEYS, INDEXES) for row in store.find(Statement(sql))}
    db = Database(store.reader())
    found: set[Row] = set()
    for table in db.tables:
        found |= {(table.name, *column[1:]) for column in table.columns}
        found |= {
            (table.name, tuple(key.columns), key.other_table, tuple(key.other_columns)) for key in table.foreign_keys
        }
        found |= {(table.name, one.name, one.unique, one.partial, tuple(one.columns)) for one in table.indexes}
        found |= {(table.name, table.strict, "WITHOUT ROWID" in table.schema)}
    return found


if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    with released(), closing(opened(sys.argv[1])):
        print("done", flush=True)
