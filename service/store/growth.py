"""Finds streams that have grown, whoever wrote to them and whether or not a message about it was lost."""

from __future__ import annotations

from events.store import Statement, Tables

ENDS = "SELECT coalesce(max(position), 0) FROM events WHERE partition = :partition"
GROWN = "SELECT DISTINCT stream FROM events WHERE partition = :partition AND position > :after AND position <= :end"


class Growth:
    """Remembers how far it has looked. One thread uses it."""

    def __init__(self, store: Tables) -> None:
        """Begin at the present end of the store. Raises StoreError."""
        self._store = store
        self._ends = self._look()

    def since(self) -> set[str]:
        """Return the streams with events that were not there at the last call. Raises StoreError."""
        ends = self._look()
        grown: set[str] = set()
        for partition, (after, end) in enumerate(zip(self._ends, ends, strict=True)):
            if end > after:
                rows = self._store.find(Statement(GROWN, {"partition": partition, "after": after, "end": end}))
                grown.update(stream for (stream,) in rows)
        self._ends = ends
        return grown

    def _look(self) -> tuple[int, ...]:
        # a partition's events become visible in the order of their positions
        return tuple(end for (end,) in self._store.find_everywhere(ENDS))
