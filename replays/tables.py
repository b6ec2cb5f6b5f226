"""Matches as tables of a database (docs/tables.md): the rows of a match, and writing them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import msgspec
from sqlite_utils import Database

from domain.matches import LAST, SEALED, AnswerSealed, Cause, Finished, Forked, MoveMade
from events.chain import Stored
from replays import words
from replays.film import Film, Frame, waited_for
from replays.log import TRUTH, Log, Viewer, private_stream

MOST = 2**63
"""One more than the greatest number that a database holds."""


class MatchRow(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A match."""

    match: str
    game: str
    rules: int
    """The version of the game's rules."""
    pack: str
    pack_hash: str
    seats: int
    options: str
    """JSON."""
    status: str
    viewer: str
    """Who may know what all rows of the match say: `all`, `anybody` or `seat:N`."""
    parent: str | None
    """The match that it continues; `parent_version`: the version after which it does."""
    parent_version: int | None
    opened: str
    ended: str | None
    """The moment of the last event; None while the match is running."""
    events: int
    """The number of events in the match's own log."""
    moves: int


class SeatRow(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A seat, and its result if there is one."""

    match: str
    seat: int
    place: int | None
    points: int | None


class EventRow(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An event, in words and as data."""

    id: int
    """Its number in the database, from 1."""
    match: str
    stream: str
    """The match's id, or the id of a seat's private log."""
    version: int
    type: str
    at: str
    actor: str
    move: int
    """The number of the move that it belongs to; 0 before the first."""
    text_en: str
    text_ja: str
    fields: str
    """JSON; unknown values are null."""


class MoveRow(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A move that a seat chose, or that the engine or the clock chose for it."""

    event: int
    """The id of the event."""
    match: str
    move: int
    seat: int
    type: str
    cause: str
    sealed: int
    """1 for an answer under seal."""
    asked: int | None
    """The version at which the seat was asked; None if it was not, since it had no choice."""
    asked_at: str | None
    at: str
    thought_ms: int | None
    """Milliseconds from `asked_at` to `at`."""


class PointRow(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The game's standing after a move."""

    match: str
    move: int
    """0 for the standing before the first move."""
    version: int
    """The version of the move's last event."""
    seat: int
    points: int
    place: int


class Rows(msgspec.Struct, frozen=True, array_like=True):
    """All rows of a match."""

    match: MatchRow
    seats: tuple[SeatRow, ...]
    events: tuple[EventRow, ...]
    """Numbered from 1."""
    moves: tuple[MoveRow, ...]
    points: tuple[PointRow, ...]

    def __reduce__(self) -> tuple[Callable[[bytes], Rows], tuple[bytes]]:
        """Pickle all structs as one value, which is four times as fast as one by one."""
        return _read, (msgspec.msgpack.encode(self),)


def _read(packed: bytes) -> Rows:
    return msgspec.msgpack.decode(packed, type=Rows)


def rows_of(log: Log, viewer: Viewer) -> Rows:
    """Return the rows of the match as the viewer may see it. Private logs are included when the match is over.

    Raises:  any of FOREIGN for a log that the rules did not make.
    """
    film = Film(log, viewer)
    events = [*_own(log, film), *_private(log, film)]
    return Rows(
        match=_match(log, film),
        seats=tuple(_seats(log, film)),
        events=tuple(_event(log, number, stored, event) for number, (stored, event) in enumerate(events, 1)),
        moves=tuple(_moves(log, film, events)),
        points=tuple(_points(log, film)),
    )


def viewer_name(viewer: Viewer) -> str:
    """Return the viewer as `matches.viewer` writes it."""
    return "all" if viewer == TRUTH else "anybody" if viewer is None else f"seat:{viewer}"


def _own(log: Log, film: Film) -> Iterator[tuple[Stored, Any]]:
    for stored, frame in zip(log.store.read(log.id, 0, film.head), film.frames, strict=True):
        yield stored, frame.event


def _private(log: Log, film: Film) -> Iterator[tuple[Stored, Any]]:
    """Yield the events of private logs that the viewer may read, if the match is over."""
    if film.frames[-1].type not in LAST:
        return
    seats = range(log.opening.seats) if film.viewer == TRUTH else () if film.viewer is None else (film.viewer,)
    for seat in seats:
        for stored in log.store.read(private_stream(log.id, seat)):
            # standing orders, and events of later releases, are left out
            if stored.type == SEALED or log.is_rung(stored):
                yield stored, log.codec.decode(stored.type, stored.schema, stored.public, stored.secret)


def _match(log: Log, film: Film) -> MatchRow:
    opened, last = film.frames[0], film.frames[-1]
    forked = next((frame.event for frame in film.frames[1:2] if isinstance(frame.event, Forked)), None)
    return MatchRow(
        match=log.id,
        game=log.opening.game,
        rules=log.opening.version,
        pack=log.pack.name,
        pack_hash=log.pack.hash,
        seats=log.opening.seats,
        options=msgspec.json.encode(opened.event.options).decode(),
        status=str(film.status),
        viewer=viewer_name(film.viewer),
        parent=forked.parent if forked else None,
        parent_version=forked.version if forked else None,
        opened=opened.at,
        ended=last.at if last.type in LAST else None,
        events=film.head,
        moves=last.move,
    )


def _seats(log: Log, film: Film) -> Iterator[SeatRow]:
    last = film.frames[-1].event
    for seat in range(log.opening.seats):
        if isinstance(last, Finished):
            yield SeatRow(match=log.id, seat=seat, place=last.ranking[seat], points=_bounded(last.points[seat]))
        else:
            yield SeatRow(match=log.id, seat=seat, place=None, points=None)


def _event(log: Log, number: int, stored: Stored, event: Any) -> EventRow:
    return EventRow(
        id=number,
        match=log.id,
        stream=stored.stream,
        version=stored.version,
        type=stored.type,
        at=stored.at,
        actor=stored.actor,
        move=stored.move,
        text_en=words.describe(log.game, event, "en"),
        text_ja=words.describe(log.game, event, "ja"),
        fields=msgspec.json.encode(event).decode(),
    )


def _moves(log: Log, film: Film, events: list[tuple[Stored, Any]]) -> Iterator[MoveRow]:
    for number, (stored, event) in enumerate(events, 1):
        if isinstance(event, MoveMade):
            seat, move = event.seat, event.move
        elif isinstance(event, AnswerSealed):
            seat, move = int(stored.stream.rpartition(":")[2]), event.answer
        else:
            continue
        # a forced move answers no decision
        thought = None if event.cause is Cause.FORCED else waited_for(film, event.decision, stored.at)
        yield MoveRow(
            event=number,
            match=log.id,
            move=stored.move,
            seat=seat,
            type=type(move).__name__,
            cause=str(event.cause),
            sealed=int(isinstance(event, AnswerSealed)),
            asked=None if thought is None else event.decision,
            asked_at=None if thought is None else film.frame(event.decision).at,
            at=stored.at,
            thought_ms=thought,
        )


def _points(log: Log, film: Film) -> Iterator[PointRow]:
    """Yield a row for each seat after the last event of each move."""
    after: dict[int, Frame] = {frame.move: frame for frame in film.frames if frame.points}
    for move, frame in after.items():
        for seat, (points, place) in enumerate(zip(frame.points, frame.ranking, strict=True)):
            yield PointRow(
                match=log.id, move=move, version=frame.version, seat=seat, points=_bounded(points), place=place
            )


def _bounded(points: int) -> int:
    """Return the points. Raises OverflowError for more than a database can hold, which a foreign log may have."""
    if abs(points) >= MOST:
        raise OverflowError(f"{points} points are more than a database holds")
    return points


TABLES: dict[str, tuple[type[msgspec.Struct], tuple[str, ...], tuple[tuple[str, str, str], ...]]] = {
    "matches": (MatchRow, ("match",), ()),
    "seats": (SeatRow, ("match", "seat"), (("match", "matches", "match"),)),
    "events": (EventRow, ("id",), (("match", "matches", "match"),)),
    "moves": (MoveRow, ("event",), (("event", "events", "id"), ("match", "matches", "match"))),
    "points": (PointRow, ("match", "move", "seat"), (("match", "matches", "match"),)),
}
"""By name: the class of the rows, the key, and the foreign keys."""

SEARCHED = ("text_en", "text_ja")
"""The columns of `events` that have a full-text index."""

INDEX_WORDS = "INSERT INTO events_fts (rowid, text_en, text_ja) SELECT id, text_en, text_ja FROM events WHERE id > ?"

BATCH = 64
"""The number of matches in a transaction."""


class Tables:
    """The tables in an empty file that nobody reads until it is complete."""

    def __init__(self, path: Path) -> None:
        """Make the tables. All methods raise sqlite3.Error when they can't write."""
        self._connection = sqlite3.connect(path)
        # an incomplete file is deleted, and a complete one is made durable at the end
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self.matches: set[str] = set()
        self.events = 0
        self._pending = 0
        self._searchable = 0
        database = Database(self._connection)
        for name, (row, key, keys) in TABLES.items():
            _create(database, name, row, key, keys)
        events, moves = database.table("events"), database.table("moves")
        events.create_index(["stream", "version"], unique=True)
        events.create_index(["match"])
        moves.create_index(["match", "move"])
        # an index of every three characters, since Japanese has no spaces between words
        events.enable_fts(SEARCHED, tokenize="trigram")
        self._connection.commit()

    def add(self, rows: Rows) -> None:
        """Add a match that is not in the tables yet."""
        before = self.events
        self._insert("matches", [rows.match])
        self._insert("seats", rows.seats)
        self._insert("events", [msgspec.structs.replace(row, id=before + row.id) for row in rows.events])
        self._insert("moves", [msgspec.structs.replace(row, event=before + row.event) for row in rows.moves])
        self._insert("points", rows.points)
        self.matches.add(rows.match.match)
        self.events += len(rows.events)
        self._pending += 1
        if self._pending == BATCH:
            self._commit()

    def finish(self) -> None:
        """Write what is pending, and the statistics for the query planner."""
        self._commit()
        self._connection.execute("ANALYZE")
        self._connection.commit()

    def close(self) -> None:
        """Close the file as it is."""
        self._connection.close()

    def _commit(self) -> None:
        self._connection.execute(INDEX_WORDS, (self._searchable,))
        self._connection.commit()
        self._searchable, self._pending = self.events, 0

    def _insert(self, table: str, rows: Iterable[msgspec.Struct]) -> None:
        places = ", ".join("?" * len(TABLES[table][0].__struct_fields__))
        self._connection.executemany(f"INSERT INTO {table} VALUES ({places})", map(msgspec.structs.astuple, rows))


def _create(
    database: Database, name: str, row: type[msgspec.Struct], key: tuple[str, ...], keys: Iterable[tuple[str, str, str]]
) -> None:
    hints: dict[str, Any] = get_type_hints(row)
    kinds = {column: set(get_args(hint)) or {hint} for column, hint in hints.items()}
    database.table(name).create(
        {column: next(kind for kind in types if kind is not NoneType) for column, types in kinds.items()},
        pk=key[0] if len(key) == 1 else key,
        not_null={column for column, types in kinds.items() if NoneType not in types},
        foreign_keys=tuple(keys),
        strict=True,
    )
