"""Questions about the logs in the store that join what they tell with the service's own tables."""

from __future__ import annotations

from events.store import Reader, Row, Statement

STRANGERS = """
SELECT stream, type, at, public FROM events
WHERE partition = :partition AND version = 1 AND stream NOT LIKE '%/%'
    AND NOT EXISTS (SELECT 1 FROM matches WHERE matches.partition = events.partition AND matches.id = events.stream)
"""
ASKED = """
SELECT DISTINCT decisions.match, events.public FROM decisions
JOIN events ON events.partition = decisions.partition AND events.stream = decisions.match AND events.version = 1
WHERE decisions.partition = :partition
"""
LAST = "SELECT type FROM events WHERE partition = :partition AND stream = :match ORDER BY version DESC LIMIT 1"
OF_TYPE = "SELECT 1 FROM events WHERE partition = :partition AND stream = :match AND type = :type LIMIT 1"


def strangers(store: Reader) -> list[Row]:
    """Id, type, moment and public part of the first events of matches that the lobby doesn't know."""
    return store.find_everywhere(STRANGERS)


def asked(store: Reader) -> list[Row]:
    """Id, and public part of the opening event, of the matches in which somebody is asked."""
    return store.find_everywhere(ASKED)


def last_type(store: Reader, match_id: str) -> str:
    """The type of the last event of a match that is there."""
    return str(store.find(Statement(LAST, {"match": match_id}, match_id))[0][0])


def has_event(store: Reader, match_id: str, type: str) -> bool:
    """Whether the match's log holds an event of the type."""
    return bool(store.find(Statement(OF_TYPE, {"match": match_id, "type": type}, match_id)))
