"""What a store keeps by name beside its streams: contents that belong to no match, and that every process needs.

A name lies in its own partition, as a match does.
"""

from __future__ import annotations

from events.store import Statement, Store, Tables

FIND = "SELECT content FROM kept WHERE partition = :partition AND name = :name"

KEEP = (
    "INSERT INTO kept (partition, name, content) VALUES (:partition, :name, :content)"
    " ON CONFLICT (partition, name) DO NOTHING"
)

REPLACE = "UPDATE kept SET content = :content WHERE partition = :partition AND name = :name AND content = :before"


def find(store: Tables, name: str) -> bytes | None:
    """What is kept by that name; None where nothing is. Raises StoreError."""
    rows = store.find(Statement(FIND, {"name": name}, name))
    return bytes(rows[0][0]) if rows else None


def keep(store: Store, name: str, content: bytes, before: bytes | None = None) -> bool:
    """Keep the content by that name in the place of what was kept before, None if nothing was: whether it was so.

    Of two who do so at the same moment one is told that it was not. Durable on return.

    Raises:  StoreError.
    """
    named = {"name": name, "content": content}
    if before is None:
        statement = Statement(KEEP, named, name)
    else:
        statement = Statement(REPLACE, {**named, "before": before}, name)
    return store.write([statement]) == (1,)
