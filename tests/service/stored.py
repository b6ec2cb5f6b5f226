"""What lies in a service's store, looked at and changed behind its back."""

from __future__ import annotations

from events.sqlite import SqliteRecorder
from events.store import Row, Statement
from service.store import listing
from service.wiring import Service

LISTED = "SELECT list, moment, match FROM listed WHERE partition = :partition"
DUE = listing.moments()
"""The lists of all matches, from what these say."""

ANEW = (
    "DELETE FROM listed WHERE partition = :partition",
    f"INSERT INTO listed (partition, list, moment, match) SELECT :partition, list, moment, match FROM ({DUE}) AS now",
)


def rows(service: Service, sql: str, **named: object) -> list[Row]:
    return service.recorder.find(Statement(sql, named))


def out_of_step(service: Service) -> set[Row]:
    """The rows by which the lists of the lobby differ from what the matches say."""
    store = service.recorder
    rows = (store.find_everywhere(sql) for sql in (LISTED, DUE))
    held, due = map(set, rows)
    return held ^ due


def list_anew(service: Service) -> None:
    """Make all lists anew, after matches were changed behind their back."""
    store = service.recorder
    store.write([Statement(sql, {"partition": one}) for one in range(store.partitions) for sql in ANEW])


def change(service: Service, sql: str, **named: object) -> None:
    service.recorder.write([Statement(sql, named)])


UNREADABLE, NO_SEAT = b'{"seat":"x"}', b'{"nonce":"","seat":99}'
"""Who sat down first: the second can be read, but no state follows from it."""


def spoil(service: Service, match: str, said: bytes = UNREADABLE) -> None:
    """Make the match's log, in a file, one that can't be read: of who sat down first it says this."""
    change(
        service,
        "UPDATE events SET public = :said WHERE stream = :match AND type = 'match/SeatTaken' AND version < 4",
        said=said,
        match=match,
    )


def pragma(service: Service, said: str) -> int:
    """Have SQLite's writing connection told something, or asked; the number that it answers."""
    assert isinstance(service.recorder, SqliteRecorder)
    found: list[int] = service.recorder.transact(lambda connection: connection.execute(f"PRAGMA {said}").fetchone())
    return found[0] if found else 0
