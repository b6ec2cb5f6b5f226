"""Copies another store's events in their order, many at a time; each lot notes how far it went."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from events.envelope import Stored
from events.postgres.asking import ask, insertions
from events.postgres.committing import FIND_POSITION
from events.postgres.guard import Connection
from events.postgres.opening import LOCK, LOCKS
from events.postgres.recorder import NOTE
from events.store import match_of, partition_of


def fill(connection: Connection, partitions: int, events: Sequence[tuple[int, Stored]], follower: str) -> None:
    """Store events, given with their positions in the other store; note the last of these for the follower.

    Within a partition the events keep their order. All of it happens in the transaction that is open.
    """
    rows: dict[int, list[Stored]] = {}
    for _, event in events:
        rows.setdefault(partition_of(match_of(event.stream), partitions), []).append(event)
    # all processes take the locks in this order, so that none wait for each other
    for partition in sorted(rows):
        connection.execute(LOCK, (LOCKS, partition))
        (last,) = connection.execute(FIND_POSITION, (partition,)).fetchone() or (0,)
        placed = [(*msgspec.structs.astuple(event), last + number) for number, event in enumerate(rows[partition], 1)]
        ask(connection, insertions("events", partition, placed))
    connection.execute(NOTE, (0, follower, events[-1][0]))
