"""Opens the claims that fit the store: lock files for SQLite, locks of a session for PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from events import stores
from service.followers.claims import Claims
from service.followers.lock_files import FileClaims
from service.followers.sessions import SessionClaims


def claims_of(url: str, name: str) -> Claims:
    """Return the claims by which processes of one name share the store's partitions.

    Raises:  StoreUnusable if the URL names no store.
    """
    path = stores.file_of(url)
    return SessionClaims(url, name) if path is None else FileClaims(Path(f"{path}.followers"), name)
