"""Statements that are sent all at once: one message to the server, and one wait for all its answers.

psycopg's own pipeline sends each statement alone, and waits a moment after each for an answer. An append has few
statements, the same ones each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import psycopg
from psycopg import errors, pq, waiting
from psycopg.abc import PQGen

from events.postgres.opening import Connection

Value = str | int | bytes

Answer = list[tuple[bytes, ...]]
"""The rows. Each column is in the server's binary form: texts and bytes as they are, NULL as b""."""

ROWS = 16
"""The most rows that one statement inserts. The server keeps one prepared statement for each number of rows."""

LOOK = 0.1
"""Seconds between two checks whether a waiting thread was told to end; with no pause the wait would be a busy loop."""

_prepared: WeakKeyDictionary[Connection, set[bytes]] = WeakKeyDictionary()
"""The names of the statements that the server has prepared, by connection."""


class Asked(NamedTuple):
    """A statement to send; its placeholders are `$1`, `$2` and so on."""

    sql: str
    values: tuple[Value, ...] = ()


def texts(values: Iterable[str]) -> str:
    """Return the texts as a literal of the server's array type."""
    quoted = [value.replace("\\", "\\\\").replace('"', '\\"') for value in values]
    return "{" + ",".join([f'"{value}"' for value in quoted]) + "}"


def insertions(table: str, partition: int, rows: Sequence[tuple[Value, ...]]) -> list[Asked]:
    """Return the statements that insert rows into a partition. The rows come without their partition's column."""
    some = (rows[start : start + ROWS] for start in range(0, len(rows), ROWS))
    return [
        Asked(_insertion(table, len(part), len(part[0])), (partition, *[value for row in part for value in row]))
        for part in some
    ]


@lru_cache(maxsize=1024)
def _insertion(table: str, rows: int, columns: int) -> str:
    places = [", ".join([f"${2 + row * columns + column}" for column in range(columns)]) for row in range(rows)]
    return f"INSERT INTO {table} VALUES {', '.join([f'($1, {of_row})' for of_row in places])}"


def ask(connection: Connection, asked: Sequence[Asked]) -> list[Answer]:
    """Send the statements in one round trip and return their answers. Nobody else may use the connection meanwhile.

    Raises:  psycopg.Error of the first statement that failed; those after it were not executed.
    """
    bound = [(*_named(statement.sql), *_bound(statement.values)) for statement in asked]
    known = _prepared.setdefault(connection, set())
    try:
        return _answered(connection, bound, known)
    except errors.InvalidSqlStatementName:
        # psycopg drops all prepared statements when it rolls back a transaction in which it prepared some itself
        known.clear()
        if connection.info.transaction_status is not pq.TransactionStatus.IDLE:
            raise
        return _answered(connection, bound, known)


Bound = tuple[bytes, bytes, list[bytes], list[int]]
"""A statement's name, text, values and their formats."""


def _answered(connection: Connection, asked: Sequence[Bound], known: set[bytes]) -> list[Answer]:
    try:
        return waiting.wait(_all(connection.pgconn, asked, known), connection.pgconn.socket, LOOK)
    except psycopg.Error:
        raise
    except BaseException:
        # the waiting thread was told to end while answers are still on their way: the connection can't be used again
        connection.close()
        raise


_numbers = count()


@cache
def _named(sql: str) -> tuple[bytes, bytes]:
    return b"foldtable_%d" % next(_numbers), sql.encode()


def _bound(values: tuple[Value, ...]) -> tuple[list[bytes], list[int]]:
    """Return the values as bytes, and their formats: 1 for bytes, 0 for text. Raises DataError for NUL in a text."""
    encoded: list[bytes] = []
    for value in values:
        if isinstance(value, bytes):
            encoded.append(value)
        elif isinstance(value, int):
            encoded.append(b"%d" % value)
        elif "\0" in value:
            raise psycopg.DataError("a text holds NUL")
        else:
            encoded.append(value.encode())
    return encoded, [isinstance(value, bytes) for value in values]


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
        result = connection.get_result()
        if result is None:
            continue
        if result.status == pq.ExecStatus.PIPELINE_SYNC:
            break
        if result.status == pq.ExecStatus.FATAL_ERROR and failure is None:
            failure = errors.error_from_result(result)
        if failure is None:
            if name := awaited[len(answers)]:
                known.add(name)
            answers.append(_rows(result))
    connection.exit_pipeline_mode()
    if failure is not None:
        raise failure
    return [answer for answer, name in zip(answers, awaited, strict=True) if not name]


def _send(connection: pq.abc.PGconn, asked: Sequence[Bound], known: set[bytes]) -> list[bytes]:
    """Send the statements. Returns an entry for each answer: the name of a prepared statement, or b"" for rows."""
    awaited: list[bytes] = []
    for name, sql, values, formats in asked:
        if name not in known and name not in awaited:
            connection.send_prepare(name, sql)
            awaited.append(name)
        connection.send_query_prepared(name, values, formats, pq.Format.BINARY)
        awaited.append(b"")
    return awaited


def _rows(result: pq.abc.PGresult) -> Answer:
    columns = range(result.nfields)
    return [tuple([result.get_value(row, column) or b"" for column in columns]) for row in range(result.ntuples)]


def text(column: Any) -> str:
    """Return a column as a text."""
    return str(column, "utf-8")


PARTS = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")|(\?)|(?<!:):([a-z_][a-z0-9_]*)|(%)""")
"""Matches a text or quoted name, a `?`, a `:name`, a percent sign. `::` is a cast, and no placeholder."""


@lru_cache(maxsize=1024)
def as_psycopg(sql: str) -> str:
    """Return the statement with `%s` and `%(name)s` as placeholders; quoted parts stay as they are."""
    return PARTS.sub(_replaced, sql)


def _replaced(match: re.Match[str]) -> str:
    quoted, place, name, _ = match.groups()
    if quoted is not None:
        return quoted.replace("%", "%%")
    if place:
        return "%s"
    return f"%({name})s" if name else "%%"
