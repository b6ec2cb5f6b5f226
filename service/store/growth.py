"""Which streams have grown since one looked last: whoever wrote to them, and whatever message of it was lost."""

from __future__ import annotations

from events.store import Statement, Tables

ENDS = "SELECT coalesce(max(position), 0) FROM events WHERE partition = :partition"
GROWN = "SELECT DISTINCT stream FROM events WHERE partition = :partition AND position > :after AND position <= :end"


class Growth:
    """Looks now and then. One thread uses it."""

    def __init__(self, store: Tables) -> None:
        """What there is by now has not grown. Raises StoreError."""
        self._store = store
        self._ends = self._look()

    def since(self) -> set[str]:
        """The streams with events that were not there when it was asked last. Raises StoreError."""
        ends = self._look()
        found: set[str] = set()
        for partition, (after, end) in enumerate(zip(self._ends, ends, strict=True)):
            if end > after:
                rows = self._store.find(Statement(GROWN, {"partition": partition, "after": after, "end": end}))
                found.update(stream for (stream,) in rows)
        self._ends = ends
        return found

    def _look(self) -> tuple[int, ...]:
        # a partition's events can be seen in the order of their positions
        return tuple(end for (end,) in self._store.find_everywhere(ENDS))
