"""Committing a group of appends by one message: its rows are written as if every append were right, and the server
undoes all of them if one is not. Then, and where that can't be tried, the group is judged before it is written.
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
"""Of the columns of an event's row after the partition."""


class Outright(NamedTuple):
    """A group that may be committed by one message."""

    outcomes: list[Outcome]
    """Once it is."""
    rows: Rows
    """The positions of its events are counted from the partition's last one."""
    expected: dict[str, int]
    """Where its streams must end before."""


class MaybeSent(Exception):
    """The connection broke while the message was under way: the server may have carried it out, or may be about to."""


def outright(appends: list[Append]) -> Outright | None:
    """How they are written if all of them are right; None where one message is not enough, or would leave no trace by
    which to tell later that it was carried out: each append must bring an event, and nothing beside.
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


def insertion(partition: int, found: Outright) -> Asked:
    """Insert the events after the partition's last one, if the streams end as expected.

    The server raises DivisionByZero if they don't.
    """
    ends = [one for end in found.expected.items() for one in end]
    values = [one for row in found.rows.events for one in row]
    sql = _insertion(len(found.rows.events), len(found.expected), LAST)
    return Asked(sql, (partition, *ends, *values))


@lru_cache(maxsize=1024)
def _insertion(rows: int, streams: int, last: str) -> str:
    """The position is divided by 1 when all streams end where they are expected to, else by 0.

    A place for each stream rather than an array of them: the server would guess its length, and plan anew each time.
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
    """Ask all of it at once, COMMIT as the last.

    Raises:  psycopg.Error, then nothing is stored; MaybeSent.
    """
    # what the server said when it hung up, and then that it did: nothing was sent to it by then
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
