"""The service's own tables, declared once for SQLite and for PostgreSQL (`tables.toml`), and made from that.

To change them, change the declaration and add the step that brings an older store there (`service.store.schema.STEPS`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from sqlite_utils import Database

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

ON_POSTGRES = """
CREATE INDEX tokens_by_player ON tokens (player);
-- a match's rows are taken out by it; SQLite finds them by what they were made of
CREATE INDEX listed_by_match ON listed (partition, match);
"""


KEYS = {table.name: table.key for table in TABLES}

SQLITE = {"text": str, "int": int, "big": int}
POSTGRES = {"text": 'text COLLATE "C"', "int": "integer", "big": "bigint"}
"""Texts are ordered by their code points."""


class Step(NamedTuple):
    """Brings the tables of a store from one version to the next, in the transaction that is open."""

    on_sqlite: Callable[[Database], object]
    on_postgres: Callable[[Connection], object]


def make_on_sqlite(db: Database) -> None:
    """Make all tables and indexes in the transaction that is open."""
    for table in TABLES:
        db.execute(on_sqlite(db, table))
    # one by one: `executescript` ends the transaction
    for sql in f"{INDEXES}{ON_SQLITE}".split(";"):
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
    statements = [*map(on_postgres, TABLES), f"{INDEXES}{ON_POSTGRES}"]
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
