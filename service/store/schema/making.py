"""Makes the declared tables: on SQLite with sqlite-utils, on PostgreSQL with statements of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlite_utils import Database

from events.postgres.opening import Connection
from service.store.schema import tables
from service.store.schema.tables import StoreTable

KEYS = {table.name: table.key for table in tables.TABLES}

SQLITE = {"text": str, "int": int, "big": int}
POSTGRES = {"text": 'text COLLATE "C"', "int": "integer", "big": "bigint"}
"""Texts are ordered by their code points."""


class Step(NamedTuple):
    """Brings the tables of a store from one version to the next, in the transaction that is open."""

    on_sqlite: Callable[[Database], object]
    on_postgres: Callable[[Connection], object]


def make_on_sqlite(db: Database) -> None:
    """Make all tables and indexes in the transaction that is open."""
    for table in tables.TABLES:
        db.execute(on_sqlite(db, table))
    # one by one: `executescript` ends the transaction
    for sql in f"{tables.INDEXES}{tables.ON_SQLITE}".split(";"):
        db.execute(sql)


def on_sqlite(db: Database, table: StoreTable) -> str:
    """Return the statement that makes the table on SQLite."""
    key = table.within(table.key)
    # a key of one column is never empty anyway
    needed = {column.name for column in table.columns if column.is_needed} - ({*key} if len(key) == 1 else set())
    sql = db.create_table_sql(
        table.name,
        {column.name: SQLITE[column.type] for column in table.columns},
        pk=key,
        not_null=needed,
        defaults={name: default for name, _, _, default in table.columns if default is not None},
        foreign_keys=_references(table),
        strict=True,
    )
    return sql.rstrip(" ;\n") + (", WITHOUT ROWID" if table.is_clustered else "")


def make_on_postgres(connection: Connection) -> None:
    """Make all tables and indexes in the transaction that is open."""
    statements = [*map(on_postgres, tables.TABLES), f"{tables.INDEXES}{tables.ON_POSTGRES}"]
    # only without parameters may one text hold several statements
    connection.execute(";".join(statements).encode())


def on_postgres(table: StoreTable) -> str:
    """Return the statement that makes the table on PostgreSQL."""
    columns = [
        f"{name} {POSTGRES[type]}{' NOT NULL' if is_needed else ''}{'' if default is None else f' DEFAULT {default}'}"
        for name, type, is_needed, default in table.columns
    ]
    key = f"PRIMARY KEY ({', '.join(table.within(table.key))})"
    references = [
        f"FOREIGN KEY ({', '.join(columns)}) REFERENCES {other} ({', '.join(others)})"
        for columns, other, others in _references(table)
    ]
    return f"CREATE TABLE {table.name} ({', '.join([*columns, key, *references])})"


def _references(table: StoreTable) -> list[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    if table.refers is None:
        return []
    columns, other = table.refers
    return [(table.within(columns), other, table.within(KEYS[other]))]
