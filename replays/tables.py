"""Matches as tables of a database (docs/tables.md): the rows of a match, made only of what the viewer may know."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from domain.matches import LAST, SEALED, AnswerSealed, Cause, Finished, MoveMade
from events.chain import Stored
from replays import words
from replays.film import Film, Frame, own_seats, waited_for
from replays.log import TRUTH, Log, Viewer, private_stream, seat_of

MOST = 2**63
"""One more than the greatest number that a database holds."""

Row = dict[str, Any]
"""The values by column."""

Rows = dict[str, list[Row]]
"""The rows of a match by table. Events are numbered from 1, as if the match were alone."""

SCHEMA = Path(__file__).with_name("tables.sql")

INDEX_WORDS = "INSERT INTO events_fts (rowid, text_en, text_ja) SELECT id, text_en, text_ja FROM events"


def rows_of(log: Log, viewer: Viewer) -> Rows:
    """Return the rows of the match as the viewer may see it. Private logs are included when the match is over.

    Raises:  any of FOREIGN for a log that the rules did not make.
    """
    film = Film(log, viewer)
    own = zip(log.store.read(log.id, 0, film.head), (frame.event for frame in film.frames), strict=True)
    events = [*own, *_private(log, film)]
    return {
        "matches": [_match(log, film)],
        "seats": list(_seats(log, film)),
        "events": [_event(log, number, stored, event) for number, (stored, event) in enumerate(events, 1)],
        "moves": list(_moves(log, film, events)),
        "points": list(_points(log, film)),
    }


def _private(log: Log, film: Film) -> Iterator[tuple[Stored, Any]]:
    """Yield the events of private logs that the viewer may read, if the match is over."""
    if film.frames[-1].type not in LAST:
        return
    for seat in own_seats(log, film.viewer):
        for stored in log.store.read(private_stream(log.id, seat)):
            # standing orders, and events of later releases, are left out
            if stored.type == SEALED or log.is_rung(stored):
                yield stored, log.decoded(stored)


def _match(log: Log, film: Film) -> Row:
    opened, last, viewer, forked = film.frames[0], film.frames[-1], film.viewer, film.forked
    return {
        "match": log.id,
        "game": log.opening.game,
        "rules": log.opening.version,
        "pack": log.pack.name,
        "pack_hash": log.pack.hash,
        "seats": log.opening.seats,
        "options": msgspec.json.encode(opened.event.options).decode(),
        "status": str(film.status),
        "viewer": "all" if viewer == TRUTH else "anybody" if viewer is None else f"seat:{viewer}",
        "parent": forked.parent if forked else None,
        "parent_version": forked.version if forked else None,
        "opened": opened.at,
        "ended": last.at if last.type in LAST else None,
        "events": film.head,
        "moves": last.move,
    }


def _seats(log: Log, film: Film) -> Iterator[Row]:
    last = film.frames[-1].event
    for seat in range(log.opening.seats):
        row = {"match": log.id, "seat": seat, "place": None, "points": None}
        if isinstance(last, Finished):
            row |= {"place": last.ranking[seat], "points": _bounded(last.points[seat])}
        yield row


def _event(log: Log, number: int, stored: Stored, event: Any) -> Row:
    return {
        "id": number,
        "match": log.id,
        **{name: getattr(stored, name) for name in ("stream", "version", "type", "at", "actor", "move")},
        "text_en": words.describe(log.game, event, "en"),
        "text_ja": words.describe(log.game, event, "ja"),
        "fields": msgspec.json.encode(event).decode(),
    }


def _moves(log: Log, film: Film, events: list[tuple[Stored, Any]]) -> Iterator[Row]:
    for number, (stored, event) in enumerate(events, 1):
        if isinstance(event, MoveMade):
            seat, move = event.seat, event.move
        elif isinstance(event, AnswerSealed):
            seat, move = seat_of(stored.stream), event.answer
        else:
            continue
        # a forced move answers no decision
        thought = None if event.cause is Cause.FORCED else waited_for(film, event.decision, stored.at)
        yield {
            "event": number,
            "match": log.id,
            "move": stored.move,
            "seat": seat,
            "type": type(move).__name__,
            "cause": str(event.cause),
            "sealed": int(isinstance(event, AnswerSealed)),
            "asked": None if thought is None else event.decision,
            "asked_at": None if thought is None else film.frame(event.decision).at,
            "at": stored.at,
            "thought_ms": thought,
        }


def _points(log: Log, film: Film) -> Iterator[Row]:
    """Yield a row for each seat after the last event of each move."""
    after: dict[int, Frame] = {frame.move: frame for frame in film.frames if frame.points}
    for move, frame in after.items():
        row = {"match": log.id, "move": move, "version": frame.version}
        for seat, (points, place) in enumerate(zip(frame.points, frame.ranking, strict=True)):
            yield {**row, "seat": seat, "points": _bounded(points), "place": place}


def _bounded(points: int) -> int:
    """Return the points. Raises OverflowError for more than a database can hold, which a foreign log may have."""
    if abs(points) >= MOST:
        raise OverflowError(f"{points} points are more than a database holds")
    return points


class Tables:
    """The tables in an empty file that nobody reads until it is complete."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Make the tables. All methods raise sqlite3.Error when they can't write."""
        self._connection = connection
        # an incomplete file is deleted, and a complete one is made durable at the end
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.executescript(SCHEMA.read_text(encoding="utf-8"))
        self.matches: set[str] = set()
        self.events = 0

    def add(self, rows: Rows) -> None:
        """Add a match that is not in the tables yet."""
        before = self.events
        self._insert("matches", rows["matches"])
        self._insert("seats", rows["seats"])
        self._insert("events", [{**row, "id": before + row["id"]} for row in rows["events"]])
        self._insert("moves", [{**row, "event": before + row["event"]} for row in rows["moves"]])
        self._insert("points", rows["points"])
        self.matches.add(rows["matches"][0]["match"])
        self.events += len(rows["events"])

    def finish(self) -> None:
        """Write what is pending, the full-text index, and the statistics for the query planner."""
        self._connection.execute(INDEX_WORDS)
        self._connection.execute("ANALYZE")
        self._connection.commit()

    def _insert(self, table: str, rows: list[Row]) -> None:
        if rows:
            places = ", ".join(f":{column}" for column in rows[0])
            self._connection.executemany(f"INSERT INTO {table} ({', '.join(rows[0])}) VALUES ({places})", rows)
