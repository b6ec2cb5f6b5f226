"""A PostgreSQL server that is stopped, killed or full: whoever asks is told so soon, and served again when it is back.

The pools here wait for a connection for longer than any test takes, and a stopped server never answers: who is refused
is refused by the guard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, suppress

import psycopg
import pytest

from events.postgres import PostgresRecorder
from events.postgres.opening import Probe
from events.store import Statement, StoreError
from tests import postgres
from tests.events.gates import GATE, gate, until
from tests.events.streams import write
from tests.postgres import Server

pytestmark = pytest.mark.postgres

LONG = 3600.0
"""Seconds that no test takes."""


@pytest.fixture
def server() -> Iterator[Server]:
    with postgres.server(max_connections="12", superuser_reserved_connections="0") as found:
        yield found


@pytest.fixture
def store(server: Server) -> Iterator[PostgresRecorder]:
    with closing(PostgresRecorder(server.database(), wait=LONG)) as found:
        found.append("m", [write("m", 1)])
        yield found


def deeds(store: PostgresRecorder) -> tuple[Callable[[], object], ...]:
    """Everything that requests ask of a store."""
    return (
        lambda: store.read("m"),
        lambda: store.find(Statement("SELECT 1")),
        lambda: store.find_everywhere("SELECT 1 WHERE :partition >= 0"),
        lambda: store.append("new", [write("new", 1)]),
        store.probe,
        lambda: store.write([Statement("UPDATE store SET schema = schema")]),
    )


def are_refused(store: PostgresRecorder) -> None:
    """All that is asked at once is refused, more than there are connections, and each that comes later."""
    with ThreadPoolExecutor(24) as threads:
        for asked in [threads.submit(deed) for deed in deeds(store) * 4]:
            assert isinstance(asked.exception(), StoreError)
    for deed in deeds(store):
        with pytest.raises(StoreError):
            deed()


def serves(store: PostgresRecorder) -> bool:
    try:
        store.probe()
        return len(store.read("m")) == 1
    except StoreError:
        return False


@pytest.mark.parametrize("away", [Server.stopped, Server.killed, Server.full])
def test_a_server_that_is_away_is_told_soon_and_comes_back(
    server: Server, store: PostgresRecorder, away: Callable[[Server], AbstractContextManager[None]]
) -> None:
    with away(server):
        are_refused(store)
    until(lambda: serves(store))
    assert store.head("m").version == 1


def test_who_has_a_connection_is_served_by_a_server_that_hands_out_no_more(
    server: Server, store: PostgresRecorder
) -> None:
    with ExitStack() as left:
        with suppress(psycopg.OperationalError):
            while True:
                left.enter_context(psycopg.connect(server.url()))
        for _ in range(40):
            assert serves(store)


def test_a_long_transaction_of_a_server_that_answers_is_not_cut_off(
    server: Server, store: PostgresRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes, is_over = list[bool](), Probe.is_over

    def note(probe: Probe, seconds: float) -> bool:
        probes.append(is_over(probe, seconds) and probe.is_answered)
        return probes[-1]

    monkeypatch.setattr(Probe, "is_over", note)
    with gate(str(store._pool.conninfo)) as shut, ThreadPoolExecutor(1) as threads:
        held = threads.submit(store.append, "held", [write("held", 1)], beside=[GATE])
        until(lambda: len(probes) > 2)
        shut.open()
        assert held.result().spans
    assert set(probes) == {True}
