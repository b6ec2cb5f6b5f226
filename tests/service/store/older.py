"""Stores as earlier releases left them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

COLUMNS = {
    "seats": "match, seat, player, bot, reserved",
    "agreements": "match, seat",
    "sittings": "match, player, times",
    "declined": "match, player",
    "requests": "id, digest, answer, at",
    "matches": "id, game, status, visibility, creator, created",
}

SINCE = {
    13: ("DROP TABLE orders",),
    11: (
        "UPDATE tokens SET scopes = replace(scopes, ' webhook:write', '')",
        "DROP TABLE webhooks",
        "DROP TABLE deliveries",
    ),
    10: ("DROP TABLE outbox",),
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
"""What takes back what a version of the service's schema brought, the newest first."""


def take_back(database: Path, version: int) -> None:
    """The store as that version of the service's schema had it; the service is not running on it."""
    connection = sqlite3.connect(database)
    for brought, statements in SINCE.items():
        for statement in statements if brought > version else ():
            connection.execute(statement)
    connection.execute("UPDATE service SET version = ?", (version,))
    connection.commit()
    connection.close()
