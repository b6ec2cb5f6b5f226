"""A house whose SQL statements are noted."""

from __future__ import annotations

from collections.abc import Iterator
from threading import current_thread

import pytest

from events import opening
from service.config import Config
from tests.service.house import House, build

LISTENER = "listener"
"""The thread of `service.wakeups.commits`, which looks for others' commits as often as it is woken."""


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What any connection to a store that is opened from now on executes, but for the listener's."""
    found: list[str] = []
    connect = opening.connect

    def note(statement: str) -> None:
        if current_thread().name != LISTENER:
            found.append(statement)

    def tracing(uri: str) -> opening.Connection:
        connection = connect(uri)
        connection.set_trace_callback(note)
        return connection

    monkeypatch.setattr(opening, "connect", tracing)
    return found


@pytest.fixture
def traced(statements: list[str], config: Config) -> Iterator[House]:
    with House(build(config)) as house:
        yield house
