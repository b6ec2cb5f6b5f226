"""Statements that are asked all at once: one message to the server, and one wait for all that it answers.

psycopg's own pipeline sends each statement by itself, and waits for a moment after each, in case that something was
answered already. An append has few statements, which are the same each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import psycopg
from psycopg import errors, pq, waiting
from psycopg.abc import PQGen

from events.postgres.guard import Connection

Value = str | int | bytes

Answer = list[tuple[bytes, ...]]
"""The rows, each column as the server's binary form has it: texts and bytes as they are. None stands in none."""

ROWS = 16
"""Rows that one statement inserts at most. Each number has a statement of its own, which the server keeps prepared."""

LOOK = 0.1
"""Seconds after which who waits looks whether it is told to end; without it waiting would be asking again at once."""

_prepared: WeakKeyDictionary[Connection, set[bytes]] = WeakKeyDictionary()
"""The statements that the server knows by name, by the connection."""


class Asked(NamedTuple):
    """A statement, with `$1` for its first place."""

    sql: str
    values: tuple[Value, ...] = ()


def texts(values: Iterable[str]) -> str:
    """Texts as the server reads an array of them."""
    quoted = [value.replace("\\", "\\\\").replace('"', '\\"') for value in values]
    return "{" + ",".join([f'"{value}"' for value in quoted]) + "}"


def insertions(table: str, partition: int, rows: Sequence[tuple[Value, ...]]) -> list[Asked]:
    """Insert rows of one partition, which come without it."""
    some = (rows[start : start + ROWS] for start in range(0, len(rows), ROWS))
    return [
        Asked(_insertion(table, len(part), len(part[0])), (partition, *[one for row in part for one in row]))
        for part in some
    ]


@lru_cache(maxsize=1024)
def _insertion(table: str, rows: int, columns: int) -> str:
    places = [", ".join([f"${2 + row * columns + column}" for column in range(columns)]) for row in range(rows)]
    return f"INSERT INTO {table} VALUES {', '.join([f'($1, {of_row})' for of_row in places])}"


def ask(connection: Connection, asked: Sequence[Asked]) -> list[Answer]:
    """What each of them is answered, in one round trip. Nobody else uses the connection meanwhile.

    Raises:  psycopg.Error, of the first that failed; those after it were not executed.
    """
    bound = [(*_named(one.sql), *_bound(one.values)) for one in asked]
    known = _prepared.setdefault(connection, set())
    try:
        return _answered(connection, bound, known)
    except errors.InvalidSqlStatementName:
        # psycopg has the server forget all statements when a transaction was rolled back that it had prepared some for
        known.clear()
        if connection.info.transaction_status is not pq.TransactionStatus.IDLE:
            raise
        return _answered(connection, bound, known)


Bound = tuple[bytes, bytes, list[bytes], list[int]]
"""A statement's name, its text, its values and their formats."""


def _answered(connection: Connection, asked: Sequence[Bound], known: set[bytes]) -> list[Answer]:
    try:
        return waiting.wait(_all(connection.pgconn, asked, known), connection.pgconn.socket, LOOK)
    except psycopg.Error:
        raise
    except BaseException:
        # whoever waits here was told to end: answers are still on their way
        connection.close()
        raise


@lru_cache(maxsize=1024)
def _named(sql: str) -> tuple[bytes, bytes]:
    _names.setdefault(sql, b"foldtable_%d" % len(_names))
    return _names[sql], sql.encode()


_names: dict[str, bytes] = {}


def _bound(values: tuple[Value, ...]) -> tuple[list[bytes], list[int]]:
    """The values and their formats: bytes go as they are, all else as texts. Raises DataError for NUL in a text."""
    found: list[bytes] = []
    formats: list[int] = []
    for value in values:
        is_bytes = isinstance(value, bytes)
        if isinstance(value, bytes):
            found.append(value)
        elif isinstance(value, int):
            found.append(b"%d" % value)
        elif "\0" in value:
            raise psycopg.DataError("a text holds NUL")
        else:
            found.append(value.encode())
        formats.append(is_bytes)
    return found, formats


def _all(connection: pq.abc.PGconn, asked: Sequence[Bound], known: set[bytes]) -> PQGen[list[Answer]]:
    connection.enter_pipeline_mode()
    awaited = _send(connection, asked, known)
    connection.pipeline_sync()
    while connection.flush():
        if (yield waiting.Wait.RW) & waiting.Ready.R:
            connection.consume_input()
    answers: list[Answer] = []
    failure: psycopg.Error | None = None
    while True:
        while connection.is_busy():
            yield waiting.Wait.R
            connection.consume_input()
        found = connection.get_result()
        if found is None:
            continue
        if found.status == pq.ExecStatus.PIPELINE_SYNC:
            break
        if found.status == pq.ExecStatus.FATAL_ERROR and failure is None:
            failure = errors.error_from_result(found)
        if failure is None:
            if name := awaited[len(answers)]:
                known.add(name)
            answers.append(_rows(found))
    connection.exit_pipeline_mode()
    if failure is not None:
        raise failure
    return [answer for answer, name in zip(answers, awaited, strict=True) if not name]


def _send(connection: pq.abc.PGconn, asked: Sequence[Bound], known: set[bytes]) -> list[bytes]:
    """For each answer that is to come the name of the statement that it says was prepared, b"" for its rows."""
    awaited: list[bytes] = []
    for name, sql, values, formats in asked:
        if name not in known and name not in awaited:
            connection.send_prepare(name, sql)
            awaited.append(name)
        connection.send_query_prepared(name, values, formats, pq.Format.BINARY)
        awaited.append(b"")
    return awaited


def _rows(found: pq.abc.PGresult) -> Answer:
    columns = range(found.nfields)
    return [tuple([found.get_value(row, column) or b"" for column in columns]) for row in range(found.ntuples)]


def text(column: Any) -> str:
    """A column that is a text."""
    return str(column, "utf-8")
