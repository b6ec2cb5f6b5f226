"""The tables of the database, and writing them match by match."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import msgspec
from sqlite_utils import Database

from replays.tabulate.rows import EventRow, MatchRow, MoveRow, PointRow, Rows, SeatRow

TABLES: dict[str, tuple[type[msgspec.Struct], tuple[str, ...], tuple[tuple[str, str, str], ...]]] = {
    "matches": (MatchRow, ("match",), ()),
    "seats": (SeatRow, ("match", "seat"), (("match", "matches", "match"),)),
    "events": (EventRow, ("id",), (("match", "matches", "match"),)),
    "moves": (MoveRow, ("event",), (("event", "events", "id"), ("match", "matches", "match"))),
    "points": (PointRow, ("match", "move", "seat"), (("match", "matches", "match"),)),
}
"""By name: the class of the rows, the key, and the foreign keys."""

SEARCHED = ("text_en", "text_ja")
"""The columns of `events` that have a full-text index."""

INDEX_WORDS = "INSERT INTO events_fts (rowid, text_en, text_ja) SELECT id, text_en, text_ja FROM events WHERE id > ?"

BATCH = 64
"""The number of matches in a transaction."""


class Tables:
    """The tables in an empty file that nobody reads until it is complete."""

    def __init__(self, path: Path) -> None:
        """Make the tables. All methods raise sqlite3.Error when they can't write."""
        self._connection = sqlite3.connect(path)
        # an incomplete file is deleted, and a complete one is made durable at the end
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self.matches: set[str] = set()
        self.events = 0
        self._pending = 0
        self._searchable = 0
        database = Database(self._connection)
        for name, (row, key, keys) in TABLES.items():
            _create(database, name, row, key, keys)
        events, moves = database.table("events"), database.table("moves")
        events.create_index(["stream", "version"], unique=True)
        events.create_index(["match"])
        moves.create_index(["match", "move"])
        # an index of every three characters, since Japanese has no spaces between words
        events.enable_fts(SEARCHED, tokenize="trigram")
        self._connection.commit()

    def add(self, rows: Rows) -> None:
        """Add a match that is not in the tables yet."""
        before = self.events
        self._insert("matches", [rows.match])
        self._insert("seats", rows.seats)
        self._insert("events", [msgspec.structs.replace(row, id=before + row.id) for row in rows.events])
        self._insert("moves", [msgspec.structs.replace(row, event=before + row.event) for row in rows.moves])
        self._insert("points", rows.points)
        self.matches.add(rows.match.match)
        self.events += len(rows.events)
        self._pending += 1
        if self._pending == BATCH:
            self._commit()

    def finish(self) -> None:
        """Write what is pending, and the statistics for the query planner."""
        self._commit()
        self._connection.execute("ANALYZE")
        self._connection.commit()

    def close(self) -> None:
        """Close the file as it is."""
        self._connection.close()

    def _commit(self) -> None:
        self._connection.execute(INDEX_WORDS, (self._searchable,))
        self._connection.commit()
        self._searchable, self._pending = self.events, 0

    def _insert(self, table: str, rows: Iterable[msgspec.Struct]) -> None:
        places = ", ".join("?" * len(TABLES[table][0].__struct_fields__))
        self._connection.executemany(f"INSERT INTO {table} VALUES ({places})", map(msgspec.structs.astuple, rows))


def _create(
    database: Database, name: str, row: type[msgspec.Struct], key: tuple[str, ...], keys: Iterable[tuple[str, str, str]]
) -> None:
    hints: dict[str, Any] = get_type_hints(row)
    kinds = {column: set(get_args(hint)) or {hint} for column, hint in hints.items()}
    database.table(name).create(
        {column: next(kind for kind in types if kind is not NoneType) for column, types in kinds.items()},
        pk=key[0] if len(key) == 1 else key,
        not_null={column for column, types in kinds.items() if NoneType not in types},
        foreign_keys=tuple(keys),
        strict=True,
    )
