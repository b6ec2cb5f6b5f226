"""Contents that a store keeps by name: they belong to no match, and every process needs them.

The name decides the partition, as a match's id does.
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
    """Return the content that is kept by that name; None if there is none. Raises StoreError."""
    rows = store.find(Statement(FIND, {"name": name}, name))
    return bytes(rows[0][0]) if rows else None


def keep(store: Store, name: str, content: bytes, before: bytes | None = None) -> bool:
    """Replace what is kept by that name, if it still is `before` (None: nothing); durable on return.

    Returns False if it is something else; so of two who do this at the same moment one gets False.
    Raises:  StoreError.
    """
    named = {"name": name, "content": content}
    if before is None:
        statement = Statement(KEEP, named, name)
    else:
        statement = Statement(REPLACE, {**named, "before": before}, name)
    return store.write([statement]) == (1,)
