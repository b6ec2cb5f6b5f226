"""Queues of appends, one a partition: the first to come commits for all who came meanwhile, then passes its turn on.

There is no writing thread: the callers do the work, so that it runs under threads and greenlets alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import Event, Lock
from time import sleep
from typing import NamedTuple

from psycopg import pq

from events.postgres.asking import ROWS, Asked, ask
from events.postgres.opening import Connection
from events.queries import Ends, Rows, judge
from events.store import Append, Appended, CommandReused, Result, StaleVersion

GROUP = 256
"""The most appends in one commit: it limits how long the first of them waits."""


class Waiting:
    """An append and its result."""

    def __init__(self, append: Append) -> None:
        self.append = append
        self.result: Result | None = None
        """What the append stored, or why it was refused; None until that is known."""
        self.woken = Event()
        """Set when the caller goes on: its append has a result, or it is its turn to commit."""


class Lane:
    """The appends of one partition, in the order in which they came."""

    def __init__(self, commit: Callable[[list[Waiting]], None]) -> None:
        """Make an empty queue. `commit` must set a result for each append of the group that it is given."""
        self._commit = commit
        self._door = Lock()
        self._waiting: list[Waiting] = []
        self._is_led = False

    def run(self, appends: Sequence[Append]) -> list[Result]:
        """Commit the appends in order, by this thread or others, and return a result for each.

        There must be at least one: the first caller leads, and a lane whose leader has nothing to commit would stop.
        """
        assert appends
        own = [Waiting(append) for append in appends]
        with self._door:
            self._waiting += own
            leads = not self._is_led
            self._is_led = True
        for waiting in own:
            if not leads:
                waiting.woken.wait()
            if waiting.result is None:
                self._lead()
            leads = False
        return [waiting.result for waiting in own if waiting.result is not None]

    def _lead(self) -> None:
        """Commit a group that begins with this thread's append; then let the next caller lead."""
        # let callers who are about to append do so first, and join the group
        sleep(0)
        with self._door:
            group = self._waiting[:GROUP]
            del self._waiting[:GROUP]
        try:
            self._commit(group)
        except BaseException as error:
            for waiting in group:
                waiting.result = waiting.result or error
            raise
        finally:
            with self._door:
                following = self._waiting[0] if self._waiting else None
                self._is_led = following is not None
            if following is not None:
                following.woken.set()
            for waiting in group:
                waiting.woken.set()


def judge_all(appends: list[Append], ends: Ends) -> tuple[list[Result], Rows]:
    """Judge the appends in order. Returns a result for each, and the rows to store; a refused append adds no row."""
    rows, results = Rows(), list[Result]()
    for append in appends:
        try:
            results.append(judge(append, ends, rows))
        except (CommandReused, StaleVersion) as error:
            results.append(error)
    return results, rows


LAST = "SELECT coalesce(max(position), 0) FROM events WHERE partition = $1"
VERSION = "SELECT coalesce(max(version), 0) FROM events WHERE partition = $1"
ROLLBACK = Asked("ROLLBACK")
KINDS = ("text", "int", "text", "int", "text", "text", "int", "bytea", "bytea", "bytea", "bytea", "bigint")
"""The types of an event row's columns after the partition."""


class Outright(NamedTuple):
    """A group that may be committed with one message."""

    results: list[Result]
    """The results if the commit succeeds."""
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
    results, rows = judge_all(appends, Ends(0, dict(expected), {}))
    if len(rows.events) > ROWS or not all(map(is_stored, results)):
        return None
    return Outright(results, rows, expected)


def is_stored(result: Result) -> bool:
    """Return whether the append itself stored something: it was not refused, and no repeated command."""
    return isinstance(result, Appended) and not result.repeated


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
    `last` is a part of the key in the cache, so that a test may replace LAST.
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
    """Send all statements, the last a COMMIT, in one message. Raises psycopg.Error if nothing is stored; MaybeSent."""
    # notice before sending if the server has closed the connection: read its last message, then the end
    connection.pgconn.consume_input()
    connection.pgconn.consume_input()
    try:
        ask(connection, asked)
    except Exception as error:
        # also one that was closed here, since its answers were not read to the end
        if connection.closed:
            raise MaybeSent from error
        if connection.pgconn.transaction_status != pq.TransactionStatus.IDLE:
            ask(connection, [ROLLBACK])
        raise
