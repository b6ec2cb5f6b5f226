"""Appends that are committed by one message: what is wrong is judged, and what was cut off is found, or told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from psycopg.pq import TransactionStatus

from events.postgres import PostgresRecorder, committing, groups
from events.postgres.asking import Answer, Asked, ask
from events.postgres.committing import COMMIT
from events.postgres.opening import Connection
from events.store import Append, Appended, Command, Decision, Span, StaleVersion, Statement, StoreUnsure, Write
from tests.events.streams import everything, neighbour, sealed, write
from tests.postgres import Server

CUT = Asked("SELECT pg_terminate_backend(pg_backend_pid())")

Ask = Callable[[Connection, Sequence[Asked]], list[Answer]]


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many statements each message had."""
    found: list[int] = []

    def counted(connection: Connection, asked: Sequence[Asked]) -> list[Answer]:
        found.append(len(asked))
        return ask(connection, asked)

    monkeypatch.setattr(groups, "ask", counted)
    monkeypatch.setattr("events.postgres.committing.ask", counted)
    return found


def cutting(monkeypatch: pytest.MonkeyPatch, *within: Asked, before: Callable[[], object] | None = None) -> None:
    """Have the connection end after the message, in which more is asked; or before any of it came, after all else."""

    def cut(connection: Connection, asked: Sequence[Asked]) -> list[Answer]:
        if before is None:
            return ask(connection, [*asked[:-1], *within, asked[-1], CUT])
        before()
        return ask(connection, [CUT])

    monkeypatch.setattr(groups, "ask", cut)


def test_an_append_of_events_is_one_message(postgres_store: PostgresRecorder, messages: list[int]) -> None:
    asked = (Decision("m", 0, 1, "", "player:1"),)
    postgres_store.append("m", [write("m", 2)], command=Command("c", "d"), decisions=asked)
    n = neighbour(postgres_store, "m")
    postgres_store.append(n, [write(n, 1)])
    assert messages == [7, 4]
    assert [position for position, _ in everything(postgres_store)] == [1, 2, 3]
    assert (postgres_store.decisions(), postgres_store.command("m", "c")) == (
        asked,
        (Command("c", "d"), Appended(postgres_store.append("m", [], command=Command("c", "d")).spans, repeated=True)),
    )


def test_the_server_plans_once_how_events_are_inserted(postgres_url: str) -> None:
    """Left to itself it plans anew five times to compare; where it finds that better it would do so for ever."""
    store = PostgresRecorder(postgres_url, connections=1)
    for _ in range(20):
        store.append("m", [write("m", 1, store.head("m"))])
    sql = b"SELECT generic_plans FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO events%'"
    assert store.transact(lambda connection: connection.execute(sql).fetchall()) == [(20,)]
    store.close()


@pytest.mark.parametrize("command", [None, Command("c", "d")])
@pytest.mark.parametrize("arrives", [False, True])
def test_a_message_that_was_cut_off_is_looked_up_or_sent_anew(
    postgres_store: PostgresRecorder, monkeypatch: pytest.MonkeyPatch, command: Command | None, arrives: bool
) -> None:
    cutting(monkeypatch, before=None if arrives else lambda: None)
    appended = postgres_store.append("m", [write("m", 2)], command=command)
    assert (appended.repeated, [span.last for span in appended.spans]) == (False, [2])
    assert [position for position, _ in everything(postgres_store)] == [1, 2]


def test_of_what_did_not_arrive_that_is_refused_which_another_came_before(
    postgres_url: str, postgres_store: PostgresRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what was sent with it is stored: its event does not stand for the other's."""
    n, theirs = neighbour(postgres_store, "m"), sealed("m", 2, text="theirs")
    other = PostgresRecorder(postgres_url)

    def come_before() -> None:
        # what stands beside keeps it from being such a message itself
        other.append("m", [Write("m", 0, theirs)], beside=[Statement("SELECT 1")])

    cutting(monkeypatch, before=come_before)
    stale, stored = postgres_store.append_all([Append("m", (write("m", 1),)), Append(n, (write(n, 1),))])
    assert isinstance(stale, StaleVersion)
    assert isinstance(stored, Appended)
    assert postgres_store.read("m") == theirs
    other.close()


LAST = Asked("ALTER ROLE lost NOLOGIN")
"""Afterwards no further connection can be had."""


@pytest.mark.parametrize("is_again", [False, True])
def test_who_can_t_be_told_whether_the_message_arrived_is_told_so(
    postgres_server: Server,
    postgres_url: str,
    postgres_store: PostgresRecorder,
    monkeypatch: pytest.MonkeyPatch,
    is_again: bool,
) -> None:
    """Neither the first message, nor the one after it that is sent since nothing came of the first."""

    def cut(connection: Connection, asked: Sequence[Asked]) -> list[Answer]:
        return ask(connection, [*asked[:-1], LAST, COMMIT, CUT] if asked[-1] == COMMIT else asked)

    postgres_server.execute("CREATE ROLE lost SUPERUSER LOGIN")
    store = PostgresRecorder(postgres_url.replace("user=postgres", "user=lost"), connections=1, wait=0.1)
    cutting(monkeypatch, *([] if is_again else [LAST]), before=(lambda: None) if is_again else None)
    monkeypatch.setattr(committing, "ask", cut)
    with pytest.raises(StoreUnsure, match="was cut off while it committed"):
        store.append("m", [write("m", 2)])
    assert postgres_store.head("m").version == 2
    store.close()
    postgres_server.execute("DROP ROLE lost")


def test_an_error_after_the_message_was_sent_does_not_tell_that_nothing_is_stored(
    postgres_store: PostgresRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `ask` does: it closes the connection, since answers may be on their way."""

    def stumble(connection: Connection, asked: Sequence[Asked]) -> list[Answer]:
        ask(connection, asked)
        connection.close()
        raise MemoryError

    monkeypatch.setattr(groups, "ask", stumble)
    assert postgres_store.append("m", [write("m", 2)]).spans == (Span("m", 1, 2),)
    assert postgres_store.head("m").version == 2


def test_a_refused_message_leaves_no_transaction_open(postgres_store: PostgresRecorder) -> None:
    def refused(connection: Connection) -> None:
        with pytest.raises(Exception, match="division by zero"):
            groups.send(connection, [Asked("BEGIN"), Asked("SELECT 1 / $1::int", (0,)), Asked("COMMIT")])
        assert connection.pgconn.transaction_status == TransactionStatus.IDLE

    with postgres_store._pool.connection() as connection:
        refused(connection)
