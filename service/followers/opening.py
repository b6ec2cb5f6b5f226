"""The two ways to share partitions, by where the store is."""

from __future__ import annotations

from pathlib import Path

from events import stores
from service.followers.claims import Claims
from service.followers.lock_files import FileClaims
from service.followers.sessions import SessionClaims


def claims_of(url: str, name: str) -> Claims:
    """What shares the store's partitions among the processes of a name. Raises StoreUnusable when the URL is none."""
    path = stores.file_of(url)
    return SessionClaims(url, name) if path is None else FileClaims(Path(f"{path}.followers"), name)
