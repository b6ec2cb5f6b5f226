"""Queries on the logs in the store, alone or joined with the service's own tables."""

from __future__ import annotations

import msgspec

from events.store import Reader, Row, Statement, Tables
from service.store.statements import read_sql

SQL = read_sql("logs")


def strangers(store: Reader) -> list[Row]:
    """Return id, type, moment and public part of the first events of matches that the lobby doesn't know."""
    return store.find_everywhere(SQL["strangers"])


def asked(store: Reader) -> list[Row]:
    """Return id, and public part of the opening event, of the matches in which somebody is asked."""
    return store.find_everywhere(SQL["asked"])


def idle(store: Reader) -> list[Row]:
    """Return the same of running matches in which nobody is asked, and in which every seat has a player or bot."""
    return store.find_everywhere(SQL["idle"])


def played(store: Reader) -> list[Row]:
    """Return id, and public part of the opening event, of the matches that have started and are not over."""
    return store.find_everywhere(SQL["played"])


def counts(store: Reader) -> tuple[int, int]:
    """Return the numbers of matches and events."""
    rows = store.find_everywhere(SQL["counts"])
    return sum(row[0] for row in rows), sum(row[1] for row in rows)


class Sitting(msgspec.Struct, frozen=True):
    """A seat of the player, and the last positions of its match's log and of its private log; 0 for an empty one."""

    match: str
    seat: int
    last: int
    own: int


def ends(store: Tables) -> tuple[int, ...]:
    """Return the last position of each partition. Its events become visible in the order of their positions."""
    return tuple(end for (end,) in store.find_everywhere(SQL["ends"]))


def sittings(store: Tables, player: str, *, over: bool) -> tuple[Sitting, ...]:
    """Return the player's seats; `over`: with those in matches that are over."""
    return tuple(Sitting(*row) for row in store.find_everywhere(SQL["seats" if over else "live"], me=player))


def sitting(store: Tables, player: str, match_id: str) -> tuple[Sitting, ...]:
    """Return the player's seat in that match, if they have one."""
    rows = store.find(Statement(SQL["seat_in_match"], {"me": player, "match": match_id}, match_id))
    return tuple(Sitting(*row) for row in rows)


def between(
    store: Tables, match_id: str, stream: str, known: int, after: int, end: int, most: int
) -> list[tuple[int, int]]:
    """Return position and version of the stream's events between two positions, after a version known to be earlier."""
    named = {"stream": stream, "known": known, "after": after, "end": end, "most": most}
    return [(position, version) for position, version in store.find(Statement(SQL["between"], named, match_id))]


def came(store: Tables, match_id: str, seat: int, known: int, *, is_private: bool) -> int:
    """Return the position at which somebody last came to the seat; 0 if nobody did after the version `known`.

    Shape:   `is_private`: before its first player sits there, the private log of a seat has no events, but those that
             follow in the same append come before; so only a seat that is passed on counts there.
    """
    named = {"match": match_id, "seat": f"seat:{seat}", "known": known, "private": int(is_private)}
    return int(store.find(Statement(SQL["came"], named, match_id))[0][0])


def event_at(store: Tables, partition: int, position: int) -> tuple[str, int] | None:
    """Return stream and version of the event at a position; None if there is none."""
    rows = store.find(Statement(SQL["event_at"], {"partition": partition, "position": position}))
    return next(((stream, version) for stream, version in rows), None)


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
                rows = self._store.find(Statement(SQL["grown"], {"partition": partition, "after": after, "end": end}))
                grown.update(stream for (stream,) in rows)
        self._ends = now
        return grown
