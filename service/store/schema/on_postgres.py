"""The service's own tables on PostgreSQL: numbered scripts, each run once."""

from __future__ import annotations

from pathlib import Path

from events.postgres.guard import Connection
from events.postgres.opening import LOCK, LOCKS, MIGRATION
from events.postgres.placeholders import as_psycopg
from service.store import lists

SCRIPTS = tuple(sorted((Path(__file__).parent / "postgres").glob("[0-9]*.sql")))
VERSION = len(SCRIPTS)

LISTS = 13
"""The version that brought the lists of the lobby, which are filled by the code that keeps them."""


def migrate(connection: Connection) -> int:
    """Run the scripts that are missing, in the transaction that is open: the version that the tables have then."""
    connection.execute(LOCK, (LOCKS, MIGRATION))
    connection.execute("CREATE TABLE IF NOT EXISTS service (version integer NOT NULL)")
    (version,) = connection.execute("SELECT coalesce(max(version), 0) FROM service").fetchone() or (0,)
    for script in SCRIPTS[version:]:
        # without parameters a text may hold many statements
        connection.execute(script.read_bytes())
    if version < LISTS <= VERSION:
        (partitions,) = connection.execute("SELECT partitions FROM store").fetchone() or (0,)
        for one in lists.make_anew(partitions):
            connection.execute(as_psycopg(one.sql), one.bound(partitions))
    if version < VERSION:
        connection.execute("DELETE FROM service")
        connection.execute("INSERT INTO service VALUES (%s)", (VERSION,))
    return max(int(version), VERSION)
