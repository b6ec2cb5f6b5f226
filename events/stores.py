"""Opens stores by URL: `sqlite:PATH`, or `postgresql://...` as PostgreSQL's own programs take it.

What speaks with PostgreSQL is an eighth of what a process loads, so only who has such a store loads it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from events.sqlite import SqliteReader, SqliteRecorder
from events.store import OnCommit, StoreUnusable

if TYPE_CHECKING:
    from events.postgres import PostgresReader, PostgresRecorder

SQLITE = "sqlite:"
POSTGRES = ("postgresql://", "postgres://")


def name_of(url: str) -> str:
    """Return the store's name for messages, without user and password. Raises StoreUnusable for a malformed URL."""
    if (path := file_of(url)) is not None:
        return str(path)
    from events.postgres.opening import named

    return named(url)


def open_to_write(url: str, *, on_commit: OnCommit | None = None) -> SqliteRecorder | PostgresRecorder:
    """Open the store, and make or migrate it if needed. Raises StoreUnusable, by its kinds."""
    if (path := file_of(url)) is not None:
        return SqliteRecorder(path, on_commit=on_commit)
    from events.postgres import PostgresRecorder

    return PostgresRecorder(url, on_commit=on_commit)


def open_to_read(url: str) -> SqliteReader | PostgresReader:
    """Open an existing store. Raises StoreUnusable, by its kinds."""
    if (path := file_of(url)) is not None:
        return SqliteRecorder.open_to_read(path)
    from events.postgres import PostgresReader

    return PostgresReader(url)


def file_of(url: str) -> Path | None:
    """Return the file of a store on SQLite; None for one on PostgreSQL. Raises StoreUnusable for any other URL."""
    if url.startswith(POSTGRES):
        return None
    if url == SQLITE:
        raise StoreUnusable("the store's URL names no file after sqlite:")
    if not url.startswith(SQLITE):
        # the message does not quote the URL, which may hold a password
        raise StoreUnusable("the store's URL begins with neither sqlite: nor postgresql://")
    return Path(url.removeprefix(SQLITE))
