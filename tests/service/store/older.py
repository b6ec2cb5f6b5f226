"""Stores as earlier releases left them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from events.sqlite import SqliteRecorder
from service.store.schema import on_sqlite

LATER = 6
"""What later versions brought is taken back by making the tables of this one anew."""

COLUMNS = {
    "seats": "match, seat, player, bot, reserved",
    "agreements": "match, seat",
    "sittings": "match, player, times",
    "declined": "match, player",
    "requests": "id, digest, answer, at",
    "matches": "id, game, status, visibility, creator, created",
}

SINCE = {
    6: ("DROP TABLE set_aside", "DROP TABLE played", "DROP TABLE results"),
    5: ("DROP INDEX matches_by_creator",),
    4: (
        "ALTER TABLE tokens DROP COLUMN number",
        *(f"CREATE TABLE {table}_3 AS SELECT {columns} FROM {table}" for table, columns in COLUMNS.items()),
        *(f"DROP TABLE {table}" for table in COLUMNS),
        *(f"ALTER TABLE {table}_3 RENAME TO {table}" for table in COLUMNS),
    ),
    3: (
        "UPDATE tokens SET scopes = replace(scopes, ' account', '')",
        "ALTER TABLE tokens DROP COLUMN expires",
        "DROP TABLE sittings",
        "DROP TABLE declined",
    ),
    2: ("DROP TABLE agreements",),
}
"""What takes back what an earlier version of the service's schema brought, the newest first."""

SCHEMA = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"


def take_back(database: Path, version: int) -> None:
    """The store as that version of the service's schema had it; the service is not running on it."""
    connection = sqlite3.connect(database)
    _make_anew(connection, database.with_name("older.db"), max(version, LATER))
    for brought, statements in SINCE.items():
        for statement in statements if brought > version else ():
            connection.execute(statement)
    connection.execute("UPDATE service SET version = ?", (version,))
    connection.commit()
    connection.close()


def _make_anew(connection: sqlite3.Connection, beside: Path, version: int) -> None:
    """Have the service's tables as that version has them, with what they hold of what it knows."""
    SqliteRecorder(beside).close()
    with closing(sqlite3.connect(beside)) as other:
        of_events = {name for _, name, _ in other.execute(SCHEMA)}
        scripts = on_sqlite.SCRIPTS[: version - 3]
        with patch.object(on_sqlite, "SCRIPTS", scripts), patch.object(on_sqlite, "VERSION", version):
            on_sqlite.migrate(other)
        then = [row for row in other.execute(SCHEMA) if row[1] not in of_events]
    for path in beside.parent.glob(f"{beside.name}*"):
        path.unlink()
    connection.execute("PRAGMA legacy_alter_table = ON")
    ours = [name for kind, name, _ in connection.execute(SCHEMA) if kind == "table" and name not in of_events]
    for name in ours:
        connection.execute(f"ALTER TABLE {name} RENAME TO {name}_now")
    for name in [name for kind, name, _ in connection.execute(SCHEMA) if kind == "index" and name not in of_events]:
        connection.execute(f"DROP INDEX {name}")
    for _, _, sql in then:
        connection.execute(sql)
    for name in [name for kind, name, _ in then if kind == "table"]:
        known = {row[1] for row in connection.execute(f"PRAGMA table_info({name}_now)")}
        told = ", ".join(row[1] for row in connection.execute(f"PRAGMA table_info({name})") if row[1] in known)
        connection.execute(f"INSERT INTO {name} ({told}) SELECT {told} FROM {name}_now")
    for name in ours:
        connection.execute(f"DROP TABLE {name}_now")
    connection.execute("UPDATE tokens SET scopes = replace(scopes, ' webhook:write', '')")
