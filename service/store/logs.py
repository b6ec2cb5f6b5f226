"""Queries that join the logs in the store with the service's own tables."""

from __future__ import annotations

from events.store import Reader, Row, Statement

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
IDLE = """
SELECT matches.id, events.public FROM matches
JOIN events ON events.partition = matches.partition AND events.stream = matches.id AND events.version = 1
WHERE matches.partition = :partition AND matches.status = 'playing'
    AND NOT EXISTS (SELECT 1 FROM decisions WHERE decisions.partition = :partition AND decisions.match = matches.id)
    AND NOT EXISTS (SELECT 1 FROM seats WHERE seats.partition = :partition AND seats.match = matches.id
        AND seats.player IS NULL AND seats.bot IS NULL)
"""
PLAYED = """
SELECT matches.id, events.public FROM matches
JOIN events ON events.partition = matches.partition AND events.stream = matches.id AND events.version = 1
WHERE matches.partition = :partition AND matches.status = 'playing'
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
    """Return id, and public part of the opening event, of matches being played in which nobody is asked.

    Matches with a seat that is nobody's are left out.
    """
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
