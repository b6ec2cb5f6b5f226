"""The positions of the events of a player's matches, so that a stream of these can be continued."""

from __future__ import annotations

import msgspec

from events.store import Statement, Tables

LAST = (
    "coalesce((SELECT events.position FROM events WHERE events.partition = :partition AND events.stream = {}"
    " ORDER BY events.version DESC LIMIT 1), 0)"
)
SEATS = f"""
SELECT seats.match, seats.seat, {LAST.format("seats.match")}, {LAST.format("seats.match || '/seat:' || seats.seat")}
FROM seats WHERE seats.partition = :partition AND seats.player = :me
"""
LIVE = f"{SEATS} AND seats.status IN ('open', 'playing')"
OF_MATCH = f"{SEATS} AND seats.match = :match"
ENDS = "SELECT coalesce(max(position), 0) FROM events WHERE partition = :partition"
BETWEEN = (
    "SELECT position, version FROM events WHERE partition = :partition AND stream = :stream AND version > :known"
    " AND position > :after AND position <= :end ORDER BY version LIMIT :most"
)
AT = "SELECT stream, version FROM events WHERE partition = :partition AND position = :position"

SAT = (
    "SELECT coalesce(max(version), 0) FROM events WHERE partition = :partition AND stream = :match"
    " AND type = 'match/SeatTaken' AND actor = :seat"
)


class Sitting(msgspec.Struct, frozen=True):
    """A seat of the player, and the last positions of its match's log and of its private log; 0 for an empty one."""

    match: str
    seat: int
    last: int
    own: int


def ends(store: Tables) -> tuple[int, ...]:
    """Return the last position of each partition. Every event before it is visible."""
    return tuple(end for (end,) in store.find_everywhere(ENDS))


def sittings(store: Tables, player: str, *, over: bool) -> tuple[Sitting, ...]:
    """Return the player's seats; `over`: with those in matches that are over."""
    return tuple(Sitting(*row) for row in store.find_everywhere(SEATS if over else LIVE, me=player))


def sitting(store: Tables, player: str, match_id: str) -> tuple[Sitting, ...]:
    """Return the player's seat in that match, if they have one."""
    rows = store.find(Statement(OF_MATCH, {"me": player, "match": match_id}, match_id))
    return tuple(Sitting(*row) for row in rows)


def between(
    store: Tables, match_id: str, stream: str, known: int, after: int, end: int, most: int
) -> list[tuple[int, int]]:
    """Return position and version of the stream's events between two positions, after a version known to be earlier."""
    named = {"stream": stream, "known": known, "after": after, "end": end, "most": most}
    return [(position, version) for position, version in store.find(Statement(BETWEEN, named, match_id))]


def sat(store: Tables, match_id: str, seat: int) -> int:
    """Return the version at which the seat was last taken; 0 if never."""
    return int(store.find(Statement(SAT, {"match": match_id, "seat": f"seat:{seat}"}, match_id))[0][0])


def at(store: Tables, partition: int, position: int) -> tuple[str, int] | None:
    """Return stream and version of the event at a position; None if there is none."""
    rows = store.find(Statement(AT, {"partition": partition, "position": position}))
    return (rows[0][0], rows[0][1]) if rows else None
