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

OF_MATCHES = ("link", "origin", "size", "allowance", "claims", "bank", "defaults", "ended", "how", "moves", "moved")
OF_SEATS = ("created", "points", "place", "has_quit", "by_clock", "handed")
INDEXES = (
    *("matches_by_moment", "matches_by_status", "matches_by_game", "matches_by_end", "matches_of_creator"),
    *("seats_by_player", "seats_by_reserved"),
)

SINCE = {
    10: ("DROP TABLE outbox",),
    8: (
        *(f"DROP TABLE {table}" for table in ("consents", "offers", "rematches")),
        *(f"DROP INDEX {index}" for index in INDEXES),
        *(f"ALTER TABLE matches DROP COLUMN {column}" for column in OF_MATCHES),
        *(f"ALTER TABLE seats DROP COLUMN {column}" for column in OF_SEATS),
        "CREATE INDEX matches_by_moment ON matches (partition, created, id)",
        "CREATE INDEX seats_by_player ON seats (partition, player)",
        "CREATE INDEX seats_by_reserved ON seats (partition, reserved)",
    ),
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
