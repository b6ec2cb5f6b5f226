"""What lies in a service's store, looked at and changed behind its back."""

from __future__ import annotations

from events.sqlite import SqliteRecorder
from events.store import Row, Statement
from service.wiring import Service


def rows(service: Service, sql: str, **named: object) -> list[Row]:
    """What the statement finds."""
    return service.recorder.find(Statement(sql, named))


def change(service: Service, sql: str, **named: object) -> None:
    """Have the statement executed."""
    service.recorder.write([Statement(sql, named)])


def pragma(service: Service, said: str) -> int:
    """Have SQLite's writing connection told something, or asked; the number that it answers."""
    assert isinstance(service.recorder, SqliteRecorder)
    found: list[int] = service.recorder.transact(lambda connection: connection.execute(f"PRAGMA {said}").fetchone())
    return found[0] if found else 0
