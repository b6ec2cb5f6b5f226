"""Statements that are asked all at once are answered one by one, and one that fails stops those after it."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import waiting
from psycopg.pq import TransactionStatus

from events.postgres.asking import ROWS, Asked, ask, insertions, texts
from events.postgres.opening import Connection, connect

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
