"""Queries on the logs in the store, alone or joined with the service's own tables."""

from __future__ import annotations

import msgspec

from events.store import Reader, Row, Statement, Tables

# Ids come from an index and are compared before any event is read, so a start reads no event of a known match.
STRANGERS = """
WITH unknown (stream) AS (
    SELECT stream FROM events WHERE partition = :partition AND version = 1 AND stream NOT LIKE '%/%'
    EXCEPT SELECT id FROM matches WHERE partition = :partition
)
SELECT events.stream, events.type, events.at, events.public FROM unknown
JOIN events ON events.partition = :partition AND events.stream = unknown.stream AND events.version = 1
"""
ASKED = """
SELECT events.stream, events.public FROM events WHERE events.partition = :partition AND events.version = 1
    AND events.stream IN (SELECT match FROM decisions WHERE partition = :partition)
"""
PLAYED = """
SELECT matches.id, events.public FROM matches
JOIN events ON events.partition = matches.partition AND events.stream = matches.id AND events.version = 1
WHERE matches.partition = :partition AND matches.status = 'playing'
"""
IDLE = f"""{PLAYED}
    AND NOT EXISTS (SELECT 1 FROM decisions WHERE decisions.partition = :partition AND decisions.match = matches.id)
    AND NOT EXISTS (SELECT 1 FROM seats WHERE seats.partition = :partition AND seats.match = matches.id
        AND seats.player IS NULL AND seats.bot IS NULL)
"""
COUNTS = """
SELECT (SELECT count(*) FROM events WHERE partition = :partition AND version = 1 AND stream NOT LIKE '%/%'),
    (SELECT count(*) FROM events WHERE partition = :partition)
"""
LAST = "SELECT type FROM events WHERE partition = :partition AND stream = :match ORDER BY version DESC LIMIT 1"
OF_TYPE = "SELECT 1 FROM events WHERE partition = :partition AND stream = :match AND type = :type LIMIT 1"


def strangers(store: Reader) -> list[Row]:
    """Return id, type, moment and public part of the first events of matches that the lobby doesn't know."""
    return store.find_everywhere(STRANGERS)


def asked(store: Reader) -> list[Row]:
    """Return id, and public part of the opening event, of the matches in which somebody is asked."""
    return store.find_everywhere(ASKED)


def idle(store: Reader) -> list[Row]:
    """Return the same of matches that are played, in which nobody is asked and no seat is nobody's."""
    return store.find_everywhere(IDLE)


def played(store: Reader) -> list[Row]:
    """Return id, and public part of the opening event, of the matches that have started and are not over."""
    return store.find_everywhere(PLAYED)


def counts(store: Reader) -> tuple[int, int]:
    """Return the numbers of matches and events."""
    rows = store.find_everywhere(COUNTS)
    return sum(row[0] for row in rows), sum(row[1] for row in rows)


def last_type(store: Reader, match_id: str) -> str:
    """Return the type of the last event of an existing match."""
    return str(store.find(Statement(LAST, {"match": match_id}, match_id))[0][0])


def has_event(store: Reader, match_id: str, type: str) -> bool:
    """Return whether the match's log has an event of that type."""
    return bool(store.find(Statement(OF_TYPE, {"match": match_id, "type": type}, match_id)))


LAST_POSITION = (
    "coalesce((SELECT events.position FROM events WHERE events.partition = :partition AND events.stream = {}"
    " ORDER BY events.version DESC LIMIT 1), 0)"
)
SEATS = f"""
SELECT seats.match, seats.seat, {LAST_POSITION.format("seats.match")},
    {LAST_POSITION.format("seats.match || '/seat:' || seats.seat")}
FROM seats WHERE seats.partition = :partition AND seats.player = :me
"""
LIVE = f"{SEATS} AND seats.status IN ('open', 'playing')"
SEAT_IN_MATCH = f"{SEATS} AND seats.match = :match"
ENDS = "SELECT coalesce(max(position), 0) FROM events WHERE partition = :partition"
BETWEEN = (
    "SELECT position, version FROM events WHERE partition = :partition AND stream = :stream AND version > :known"
    " AND position > :after AND position <= :end ORDER BY version LIMIT :most"
)
EVENT_AT = "SELECT stream, version FROM events WHERE partition = :partition AND position = :position"

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
    """Return the last position of each partition. Its events become visible in the order of their positions."""
    return tuple(end for (end,) in store.find_everywhere(ENDS))


def sittings(store: Tables, player: str, *, over: bool) -> tuple[Sitting, ...]:
    """Return the player's seats; `over`: with those in matches that are over."""
    return tuple(Sitting(*row) for row in store.find_everywhere(SEATS if over else LIVE, me=player))


def sitting(store: Tables, player: str, match_id: str) -> tuple[Sitting, ...]:
    """Return the player's seat in that match, if they have one."""
    rows = store.find(Statement(SEAT_IN_MATCH, {"me": player, "match": match_id}, match_id))
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


def event_at(store: Tables, partition: int, position: int) -> tuple[str, int] | None:
    """Return stream and version of the event at a position; None if there is none."""
    rows = store.find(Statement(EVENT_AT, {"partition": partition, "position": position}))
    return next(((stream, version) for stream, version in rows), None)


GROWN = "SELECT DISTINCT stream FROM events WHERE partition = :partition AND position > :after AND position <= :end"


class Growth:
    """Remembers how far it has looked. One thread uses it."""

    def __init__(self, store: Tables) -> None:
        """Begin at the present end of the store. Raises StoreError."""
        self._store = store
        self._ends = ends(self._store)

    def since(self) -> set[str]:
        """Return the streams with events that were not there at the last call. Raises StoreError."""
        now = ends(self._store)
        grown: set[str] = set()
        for partition, (after, end) in enumerate(zip(self._ends, now, strict=True)):
            if end > after:
                rows = self._store.find(Statement(GROWN, {"partition": partition, "after": after, "end": end}))
                grown.update(stream for (stream,) in rows)
        self._ends = now
        return grown
