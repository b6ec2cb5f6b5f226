"""Questions about the logs in the store that join what they tell with the service's own tables."""

from __future__ import annotations

from events.batch import PARTITION
from events.sqlite import OF_STREAM, SqliteReader

STRANGERS = f"""
SELECT stream, type, at, public FROM events
WHERE partition = {PARTITION} AND version = 1 AND instr(stream, '/') = 0
    AND NOT EXISTS (SELECT 1 FROM matches WHERE matches.id = events.stream)
"""
ASKED = """
SELECT DISTINCT decisions.match, events.public FROM decisions
JOIN events ON events.partition = decisions.partition AND events.stream = decisions.match AND events.version = 1
"""
LAST = f"SELECT type FROM events WHERE {OF_STREAM} ORDER BY version DESC LIMIT 1"
OF_TYPE = f"SELECT 1 FROM events WHERE {OF_STREAM} AND type = ? LIMIT 1"


def strangers(store: SqliteReader) -> list[tuple[str, str, str, bytes]]:
    """Id, type, moment and public part of the first events of matches that the lobby doesn't know."""
    return store.reader().execute(STRANGERS).fetchall()


def asked(store: SqliteReader) -> list[tuple[str, bytes]]:
    """Id, and public part of the opening event, of the matches in which somebody is asked."""
    return store.reader().execute(ASKED).fetchall()


def last_type(store: SqliteReader, match_id: str) -> str:
    """The type of the last event of a match that is there."""
    return str(store.reader().execute(LAST, (match_id,)).fetchone()[0])


def has_event(store: SqliteReader, match_id: str, type: str) -> bool:
    """Whether the match's log holds an event of the type."""
    return store.reader().execute(OF_TYPE, (match_id, type)).fetchone() is not None
