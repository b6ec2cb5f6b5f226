"""A store as the first version of the tables had it, made from one of today, and what was written into it then."""

from __future__ import annotations

from typing import Any

from sqlite_utils import Database

from events.sqlite import SqliteRecorder
from events.store import Statement, Store
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


def enter(store: Store, table: str, within: str, **row: Any) -> None:
    """Insert a row into a table; `within`: the text that decides its partition, "" if the table has none."""
    names = (*(("partition",) if within else ()), *row)
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"
    store.write([Statement(sql, row, within)])
