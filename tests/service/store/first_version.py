"""A store as the first version of the tables had it, made from one of today, and what was written into it then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlite_utils import Database

from events.sqlite import SqliteReader, SqliteRecorder
from events.store import Reader, Row, Statement, Store
from service import wiring
from service.config import Config
from service.store.schema.tables import StoreTable, on_postgres, on_sqlite

TABLES = (
    StoreTable("outbox", "id, kind, player null, address, lang, about, at, due, tries int", key=("id",)),
    StoreTable(
        "tidings",
        "match, kind, seat int, player, since int, at, due, tries int",
        key=("match", "kind", "seat"),
        home="match",
    ),
    StoreTable(
        "webhooks",
        "id, player, number int, name, url, kinds, secret, former null, former_until null, created, failing null,"
        " disabled null, reason null",
        key=("id",),
    ),
    StoreTable(
        "deliveries",
        "home, id, webhook, player, kind, seat int null, decision big null, body, at, status, asked int, due,"
        " tries int, tried null, answer int null, problem null",
        key=("id",),
        home="home",
    ),
)
INDEXES = (
    "CREATE INDEX outbox_by_due ON outbox (due)",
    "CREATE INDEX tidings_by_due ON tidings (partition, due)",
    "CREATE UNIQUE INDEX webhooks_by_player ON webhooks (player, number)",
    "CREATE INDEX deliveries_by_due ON deliveries (partition, status, due)",
    "CREATE INDEX deliveries_by_webhook ON deliveries (partition, webhook, at, id)",
)


def carried_back(store: Store) -> None:
    """Give the store the tables of the first version, empty, and its followers the names that they had."""

    def carry(connection: Any) -> None:
        is_sqlite = isinstance(store, SqliteRecorder)
        made = [on_sqlite(Database(connection), one) if is_sqlite else on_postgres(one) for one in TABLES]
        for sql in ("DROP TABLE deliveries", "DROP TABLE subscriptions", *made, *INDEXES):
            connection.execute(sql if is_sqlite else sql.encode())
        connection.execute("UPDATE service SET version = version - 1")
        connection.execute("UPDATE positions SET follower = 'webhooks' WHERE follower = 'notices'")

    store.transact(carry)  # type: ignore[attr-defined]


def opened(url: str) -> Store:
    """The store, brought up to date; a new one where there is none."""
    return wiring.open_store(Config(data=Path(), store=url))


COLUMNS = """
SELECT table_name, column_name, data_type, is_nullable, coalesce(column_default, ''), coalesce(collation_name, '')
FROM information_schema.columns WHERE table_schema = 'public'
"""
KEYS = "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype IN ('p', 'f')"
ON_POSTGRES = (COLUMNS, KEYS, "SELECT indexdef, '' FROM pg_indexes WHERE schemaname = 'public'")


def tables_of(store: Reader) -> set[Row]:
    """All columns, keys, references and indexes of a store, in whatever order they came to be there."""
    if not isinstance(store, SqliteReader):
        return {row for sql in ON_POSTGRES for row in store.find(Statement(sql))}
    found: set[Row] = set()
    for table in Database(store.reader()).tables:
        found |= {(table.name, *column[1:]) for column in table.columns}
        found |= {(table.name, *key.columns, key.other_table, *key.other_columns) for key in table.foreign_keys}
        found |= {(table.name, one.name, one.unique, one.partial, tuple(one.columns)) for one in table.indexes}
        found |= {(table.name, table.strict, "WITHOUT ROWID" in table.schema)}
    return found


def enter(store: Store, table: str, within: str, **row: Any) -> None:
    """Insert a row into a table; `within`: the text that decides its partition, "" if the table has none."""
    names = (*(("partition",) if within else ()), *row)
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"
    store.write([Statement(sql, row, within)])
