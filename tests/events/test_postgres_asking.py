"""Statements asked all at once, and appends by one message: all is answered, and what was cut off is found or told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import psycopg
import pytest
from psycopg import waiting
from psycopg.pq import TransactionStatus

from events.postgres import PostgresRecorder, committing, groups
from events.postgres.asking import ROWS, Answer, Asked, ask, insertions, texts
from events.postgres.committing import COMMIT
from events.postgres.opening import Connection, connect
from events.store import Append, Appended, Command, Decision, Span, StaleVersion, Statement, StoreUnsure, Write
from tests.events.streams import everything, neighbour, sealed, write
from tests.postgres import Server

COUNT = Asked("SELECT count(*)::text FROM things")


@pytest.fixture
def connection(postgres_url: str) -> Iterator[Connection]:
    with connect(postgres_url) as connection:
        connection.execute("CREATE TABLE things (partition int, name text PRIMARY KEY, bytes bytea, number bigint)")
        yield connection


def test_all_are_answered_in_their_order(connection: Connection) -> None:
    names = ['"', "\\", "鶴", "{,}", "", *map(str, range(2 * ROWS))]
    rows = [(name, b"\0" + name.encode(), 2**40) for name in names]
    find = "SELECT name, bytes FROM things WHERE partition = $1 AND name = ANY($2) ORDER BY bytes"
    asked = [Asked("BEGIN"), *insertions("things", 3, rows), Asked(find, (3, texts(names[:5]))), Asked("COMMIT"), COUNT]
    begun, *_, found, ended, counted = ask(connection, asked)
    assert (begun, ended, counted) == ([], [], [(str(len(names)).encode(),)])
    assert found == sorted(((name.encode(), b"\0" + name.encode()) for name in names[:5]), key=lambda row: row[1])
    assert connection.info.transaction_status == TransactionStatus.IDLE


def test_what_no_buffer_holds_is_sent_and_answered_whole(connection: Connection) -> None:
    large = bytes(range(256)) * (1 << 16)
    back = Asked("SELECT $1::bytea, length($1::bytea)::text", (large,))
    assert ask(connection, [back, back, COUNT]) == [*[[(large, str(len(large)).encode())]] * 2, [(b"0",)]]


def test_one_that_fails_stops_those_after_it(connection: Connection) -> None:
    same = insertions("things", 3, [("a", b"", 1)])
    later = Asked("SELECT 'later'")
    for _ in range(2):
        with pytest.raises(psycopg.errors.UniqueViolation):
            ask(connection, [Asked("BEGIN"), *same, *same, later, Asked("COMMIT")])
        assert connection.info.transaction_status == TransactionStatus.INERROR
        connection.rollback()
    # it was not prepared where nothing was done any more
    assert ask(connection, [COUNT, later]) == [[(b"0",)], [(b"later",)]]
    assert connection.execute("SELECT count(*) FROM things").fetchone() == (0,)


def test_a_text_with_nul_is_not_sent(connection: Connection) -> None:
    for value in ("a\0b", texts(["a\0b"])):
        with pytest.raises(psycopg.DataError, match="NUL"):
            ask(connection, [Asked("BEGIN"), Asked("SELECT $1::text", (value,))])
    assert connection.info.transaction_status == TransactionStatus.IDLE


def test_a_connection_that_broke_or_whose_answers_nobody_waits_for_is_closed(
    connection: Connection, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(postgres_url) as other:
        with pytest.raises(psycopg.OperationalError):
            ask(other, [Asked("SELECT pg_terminate_backend(pg_backend_pid())")])
        assert other.broken

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(waiting, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ask(connection, [COUNT])
    assert connection.closed


def test_statements_that_the_server_has_forgotten_are_told_again_but_not_within_a_transaction(
    connection: Connection,
) -> None:
    insert = insertions("things", 3, [("a", b"", 1)])
    ask(connection, [Asked("BEGIN"), *insert, Asked("ROLLBACK"), COUNT])
    connection.execute("DEALLOCATE ALL")
    connection.commit()
    assert ask(connection, [Asked("BEGIN"), *insert, Asked("COMMIT"), COUNT])[-1] == [(b"1",)]
    ask(connection, [Asked("BEGIN"), COUNT])
    connection.execute("DEALLOCATE ALL")
    with pytest.raises(psycopg.errors.InvalidSqlStatementName):
        ask(connection, [COUNT])
    connection.rollback()
    assert ask(connection, [COUNT]) == [[(b"1",)]]


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
