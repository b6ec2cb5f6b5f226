"""A store by its URL: `sqlite:PATH`, or `postgresql://...` as PostgreSQL's own programs take it."""

from __future__ import annotations

from pathlib import Path

from events.postgres import PostgresReader, PostgresRecorder
from events.postgres.opening import named
from events.sqlite import SqliteReader, SqliteRecorder
from events.store import OnCommit, StoreUnusable

SQLITE = "sqlite:"
POSTGRES = ("postgresql://", "postgres://")


def name_of(url: str) -> str:
    """The store as messages name it, without user and password. Raises StoreUnusable when the URL is none."""
    path = file_of(url)
    return named(url) if path is None else str(path)


def open_to_write(url: str, *, on_commit: OnCommit | None = None) -> SqliteRecorder | PostgresRecorder:
    """The store, made or migrated. Raises StoreUnusable, by its kinds."""
    path = file_of(url)
    return PostgresRecorder(url, on_commit=on_commit) if path is None else SqliteRecorder(path, on_commit=on_commit)


def open_to_read(url: str) -> SqliteReader | PostgresReader:
    """A store that is there. Raises StoreUnusable, by its kinds."""
    path = file_of(url)
    return PostgresReader(url) if path is None else SqliteRecorder.open_to_read(path)


def file_of(url: str) -> Path | None:
    """The file of a store on SQLite; None for one on PostgreSQL. Raises StoreUnusable when the URL is none."""
    if url.startswith(POSTGRES):
        return None
    if not url.startswith(SQLITE) or url == SQLITE:
        # whatever it is, it may hold a password
        raise StoreUnusable("the store's URL begins with neither sqlite: nor postgresql://")
    return Path(url.removeprefix(SQLITE))
