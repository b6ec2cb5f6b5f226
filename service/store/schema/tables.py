"""The service's own tables, declared once for SQLite and for PostgreSQL (`tables.toml`), and made from that.

To change them, change the declaration and add the step that brings an older store there (`service.store.schema.STEPS`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    import sqlite3

    from events.postgres.opening import Connection


class Column(NamedTuple):
    """A column of a table."""

    name: str
    type: str
    """`text`, `int`, or `big`: a number that PostgreSQL keeps in 64 bits."""
    is_needed: bool
    default: str | int | None
    """What an INSERT that leaves the column out puts there, a text with its quotes."""


class StoreTable(msgspec.Struct, frozen=True, dict=True):
    """A table as it is declared: `tables.toml` says what its fields mean."""

    name: str
    said: str
    key: tuple[str, ...]
    home: str = ""
    refers: tuple[tuple[str, ...], str] | None = None
    is_clustered: bool = False

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """All columns."""
        within = (Column("partition", "int", True, None),) if self.home else ()
        return (*within, *(_column(*one.split()) for one in self.said.split(", ")))

    def within(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """These columns, after `partition` where the table has it."""
        return ("partition", *columns) if self.home else columns


def _column(name: str, *marks: str) -> Column:
    kind = next((mark for mark in marks if mark in ("int", "big")), "text")
    default = None
    if "default" in marks:
        default = marks[-1] if kind == "text" else int(marks[-1])
    return Column(name, kind, "null" not in marks, default)


def _declared(name: str, *, columns: str, key: str, home: str = "", refers: str = "", **more: bool) -> StoreTable:
    others, _, other = refers.partition(" > ")
    return StoreTable(
        name, columns, tuple(key.split()), home, (tuple(others.split()), other) if refers else None, **more
    )


FOLDER = Path(__file__).parent
TABLES: tuple[StoreTable, ...] = tuple(
    _declared(name, **declared) for name, declared in tomllib.loads((FOLDER / "tables.toml").read_text("utf-8")).items()
)
"""All tables, as `tables.toml` declares them."""

INDEXES = (FOLDER / "indexes.sql").read_text("utf-8")
"""The indexes that both kinds of stores have."""

ON_SQLITE = "CREATE INDEX idx_tokens_player ON tokens (player)"

# by the second a match's rows are taken out; SQLite finds them by what they were made of
ON_POSTGRES = """
CREATE INDEX tokens_by_player ON tokens (player);
CREATE INDEX listed_by_match ON listed (partition, match);
"""


KEYS = {table.name: table.key for table in TABLES}


class Kind(NamedTuple):
    """What differs between the kinds of stores."""

    first: int
    """The version with which the first release began; those before were never released."""
    begin: Callable[[Any], object]
    """Waits until no other process changes the tables, and makes the one that holds their version."""
    sql_of: Callable[[Any, StoreTable], str]
    """(a connection, a table) -> the statement that makes the table; those to which it refers must be there."""
    indexes: str
    """The indexes that only this kind has."""
    columns: str
    """Finds all tables, with the names of their columns."""
    text: str
    """The type of texts. They are ordered by their code points."""


Step = Callable[[Any, Kind], object]
"""Brings the tables of a store of that kind to the next version, on a connection with an open transaction."""


def make(connection: Any, kind: Kind) -> None:
    """Make all tables and indexes in the transaction that is open."""
    for table in TABLES:
        connection.execute(kind.sql_of(connection, table))
    for sql in f"{INDEXES}{kind.indexes}".split(";"):
        connection.execute(sql)


def _begin_on_sqlite(connection: sqlite3.Connection) -> None:
    # whoever writes is alone
    connection.execute("CREATE TABLE IF NOT EXISTS service (version INTEGER) STRICT")


def _on_sqlite(connection: sqlite3.Connection, table: StoreTable) -> str:
    # most processes find the tables made, and start sooner without it
    from sqlite_utils import Database

    key = table.within(table.key)
    # a key of one column is never empty anyway
    needed = {column.name for column in table.columns if column.is_needed} - ({*key} if len(key) == 1 else set())
    sql = Database(connection).create_table_sql(
        table.name,
        {column.name: str if column.type == "text" else int for column in table.columns},
        pk=key,
        not_null=needed,
        defaults={name: default for name, _, _, default in table.columns if default is not None},
        foreign_keys=_references(table),
        strict=True,
    )
    return sql.rstrip(" ;\n") + (", WITHOUT ROWID" if table.is_clustered else "")


def _begin_on_postgres(connection: Connection) -> None:
    from events.postgres.opening import LOCK, LOCKS, MIGRATION

    connection.execute(LOCK, (LOCKS, MIGRATION))
    connection.execute("CREATE TABLE IF NOT EXISTS service (version integer NOT NULL)")


TYPES = {"text": 'text COLLATE "C"', "int": "integer", "big": "bigint"}


def _on_postgres(_: Connection, table: StoreTable) -> str:
    columns = [
        f"{name} {TYPES[type]}{' NOT NULL' if is_needed else ''}{'' if default is None else f' DEFAULT {default}'}"
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


COLUMNS_ON_SQLITE = (
    "SELECT made.name, held.name FROM sqlite_schema AS made, pragma_table_info(made.name) AS held"
    " WHERE made.type = 'table'"
)
COLUMNS_ON_POSTGRES = (
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false))"
)

SQLITE = Kind(17, _begin_on_sqlite, _on_sqlite, ON_SQLITE, COLUMNS_ON_SQLITE, "TEXT")
POSTGRES = Kind(14, _begin_on_postgres, _on_postgres, ON_POSTGRES, COLUMNS_ON_POSTGRES, TYPES["text"])
