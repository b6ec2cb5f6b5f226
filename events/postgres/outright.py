"""Commits a group of appends with one message, written as if every append were right.

The server undoes all rows if one append is not. Then, and where one message can't be used, the group is judged before
it is written.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import psycopg
from psycopg import pq

from events.postgres import judging
from events.postgres.asking import ROWS, Asked, ask
from events.postgres.guard import Connection
from events.postgres.judging import Found, Outcome, Rows
from events.store import Append

LAST = "SELECT coalesce(max(position), 0) FROM events WHERE partition = $1"
VERSION = "SELECT coalesce(max(version), 0) FROM events WHERE partition = $1"
ROLLBACK = Asked("ROLLBACK")
KINDS = ("text", "int", "text", "int", "text", "text", "int", "bytea", "bytea", "bytea", "bytea", "bigint")
"""The types of an event row's columns after the partition."""


class Outright(NamedTuple):
    """A group that may be committed with one message."""

    outcomes: list[Outcome]
    """The outcomes if the commit succeeds."""
    rows: Rows
    """The rows to store. The positions of the events are relative to the partition's last one."""
    expected: dict[str, int]
    """The version at which each stream must end before."""


class MaybeSent(Exception):
    """The connection broke while the message was sent: the server may have executed it, or may still do so."""


def outright(appends: list[Append]) -> Outright | None:
    """Return how to write the group, assuming that every append is right; None where it needs more than one message.

    Each append must bring an event and no statements beside it: only an event proves later that the message was
    executed.
    """
    expected: dict[str, int] = {}
    for append in appends:
        if append.beside or not any(write.events for write in append.writes):
            return None
        for write in append.writes:
            expected.setdefault(write.stream, write.expected)
    outcomes, rows = judging.judge(appends, Found(0, dict(expected), {}))
    if len(rows.events) > ROWS or any(appended is None or appended.repeated for appended, _ in outcomes):
        return None
    return Outright(outcomes, rows, expected)


def insertion(partition: int, group: Outright) -> Asked:
    """Return the statement that inserts the events after the partition's last one, if all streams end as expected.

    The server raises DivisionByZero if one does not.
    """
    ends = [value for end in group.expected.items() for value in end]
    values = [value for row in group.rows.events for value in row]
    sql = _insertion(len(group.rows.events), len(group.expected), LAST)
    return Asked(sql, (partition, *ends, *values))


@lru_cache(maxsize=1024)
def _insertion(rows: int, streams: int, last: str) -> str:
    """Return the statement. It divides the position by 1 if all streams end as expected, else by 0.

    Each stream has placeholders of its own: for an array the server would guess its length, and plan anew each time.
    """
    ends = [f"({VERSION} AND stream = ${number}) = ${number + 1}" for number in range(2, 2 + 2 * streams, 2)]
    first, width = 2 + 2 * streams, len(KINDS)
    places = [
        ", ".join([f"${first + row * width + column}::{kind}" for column, kind in enumerate(KINDS)])
        for row in range(rows)
    ]
    *columns, number = [f"c{column}" for column in range(width)]
    return (
        f"INSERT INTO events SELECT $1::int, {', '.join(columns)}, last.position / last.expected + {number}"
        f" FROM (VALUES {', '.join([f'({of_row})' for of_row in places])}) AS asked ({', '.join(columns)}, {number}),"
        f" (SELECT ({last}) AS position, ({' AND '.join(ends)})::int AS expected) AS last"
    )


def send(connection: Connection, asked: list[Asked]) -> None:
    """Send all statements in one message; the last one must be COMMIT.

    Raises:  psycopg.Error, then nothing is stored; MaybeSent.
    """
    # notice before sending if the server has closed the connection: read its last message, then the end
    connection.pgconn.consume_input()
    connection.pgconn.consume_input()
    try:
        ask(connection, asked)
    except psycopg.Error as error:
        if connection.broken:
            raise MaybeSent from error
        if connection.pgconn.transaction_status != pq.TransactionStatus.IDLE:
            ask(connection, [ROLLBACK])
        raise
