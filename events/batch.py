"""The appends of one SQLite transaction: checked one by one, stored together in few statements.

Each statement releases Python's lock and must win it back from the threads that submit: one statement a row would halve
the number of events that a busy process stores in a second.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import msgspec

from events.envelope import Stored
from events.store import Append, Appended, Command, CommandReused, Decision, Span, StaleVersion, Write, spans_of

PARTITION, PARTITIONS = 0, 1
"""SQLite has one partition only."""

REMEMBERED = 100_000
"""The most streams whose versions are remembered, so that an append need not look them up."""

FIND_VERSIONS = (
    f"SELECT value, (SELECT coalesce(max(version), 0) FROM events WHERE partition = {PARTITION} AND stream = value)"
    " FROM json_each(?)"
)

ROWS = 64
"""The most rows that one statement inserts. SQLite keeps one prepared statement for each number of rows."""

FIND_COMMANDS = (
    "SELECT commands.match, commands.id, commands.digest, commands.spans FROM json_each(?) AS asked CROSS JOIN commands"
    f" ON commands.partition = {PARTITION} AND commands.match = json_extract(asked.value, '$[0]')"
    " AND commands.id = json_extract(asked.value, '$[1]')"
)
CLOSE_DECISIONS = f"DELETE FROM decisions WHERE partition = {PARTITION} AND match IN (SELECT value FROM json_each(?))"


def read_command(row: tuple[str, str, str, bytes]) -> tuple[Command, Appended]:
    """Return the command of a row and what it stored: see `Recorder.command`."""
    _, id, digest, spans = row
    return Command(id, digest), Appended(tuple(Span(*span) for span in msgspec.json.decode(spans)), repeated=True)


@cache
def _insertion(table: str, columns: int, rows: int) -> str:
    places = f"({', '.join('?' * columns)})"
    return f"INSERT INTO {table} VALUES {', '.join([places] * rows)}"


class Batch:
    """The appends of a transaction that are checked and not yet stored, and the ends of the streams once they are.

    Only the writing thread uses it.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._versions: dict[str, int] = {}
        self._position = 0
        self._seen = 0
        self._commands: dict[tuple[str, str], tuple[Command, Appended]] = {}
        self._events: list[tuple[object, ...]] = []
        self._taken: list[tuple[object, ...]] = []
        self._decisions: dict[str, tuple[Decision, ...]] = {}
        self.forget()

    def forget(self) -> None:
        """Forget what is remembered of the store, and read its last position again.

        Called after a rollback, and when another connection has written.
        """
        self._versions.clear()
        self._commands.clear()
        self._drop()
        sql = "SELECT coalesce(max(position), 0) FROM events WHERE partition = ?"
        (self._position,) = self._connection.execute(sql, (PARTITION,)).fetchone()

    def _drop(self) -> None:
        self._events.clear()
        self._taken.clear()
        self._decisions.clear()

    def begin(self) -> None:
        """Prepare for the appends of a transaction that has just begun."""
        self._commands.clear()
        # the number changes with each commit of another connection
        (seen,) = self._connection.execute("PRAGMA data_version").fetchone()
        if seen != self._seen:
            self._seen = seen
            self.forget()
        elif len(self._versions) > REMEMBERED:
            self._versions.clear()

    def expect(self, commands: Iterable[tuple[str, str]]) -> None:
        """Look up at once which of these commands, as (match, id), the store has.

        A command that was not looked up is taken for a new one; if it is not, `store` fails.
        """
        asked = msgspec.json.encode(list(commands)).decode()
        rows = self._connection.execute(FIND_COMMANDS, (asked,)).fetchall()
        self._commands.update({(row[0], row[1]): read_command(row) for row in rows})

    def take(self, append: Append) -> Appended:
        """Check an append and keep it until `store`. Its streams must have been looked up by `find_versions`.

        Raises:  CommandReused, StaleVersion; then nothing of it is kept.
        """
        if (before := self._known(append)) is not None:
            return before
        for write in append.writes:
            if (current := self._versions[write.stream]) != write.expected:
                return self._refuse(append, StaleVersion(write.stream, current))
        for write in append.writes:
            self._keep(write.events)
            self._versions[write.stream] = write.expected + len(write.events)
        command, spans = append.command, spans_of(append.writes)
        if append.decisions is not None:
            self._decisions[append.match] = append.decisions
        if command:
            self._commands[append.match, command.id] = (command, Appended(spans, repeated=True))
            bare = [(span.stream, span.first, span.last) for span in spans]
            self._taken.append((PARTITION, append.match, command.id, command.digest, msgspec.json.encode(bare)))
        return Appended(spans)

    def _known(self, append: Append) -> Appended | None:
        """Return what the append's command has stored before; None if it is new. Raises CommandReused."""
        command = append.command
        if command is None or (known := self._commands.get((append.match, command.id))) is None:
            return None
        if known[0].digest != command.digest:
            raise CommandReused(command.id)
        return known[1]

    def _refuse(self, append: Append, error: StaleVersion) -> Appended:
        """Raise the error; or return the result of the same command if the stream has grown by storing it before."""
        if append.command is not None:
            self.expect([(append.match, append.command.id)])
            if (before := self._known(append)) is not None:
                return before
        raise error

    def give_back(self, append: Append) -> None:
        """Undo the append that was taken last, after it alone was rolled back."""
        self._drop()
        for write in append.writes:
            self._versions[write.stream] = write.expected
            self._position -= len(write.events)
        if append.command:
            del self._commands[append.match, append.command.id]

    def store(self) -> None:
        """Write the appends that were taken."""
        self._insert("events", self._events)
        if self._decisions:
            matches = msgspec.json.encode(list(self._decisions)).decode()
            self._connection.execute(CLOSE_DECISIONS, (matches,))
            asked = (decision for decisions in self._decisions.values() for decision in decisions)
            rows = [(PARTITION, *msgspec.structs.astuple(decision)) for decision in asked]
            self._insert("decisions", rows)
        self._insert("commands", self._taken)
        self._drop()

    def _insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        for start in range(0, len(rows), ROWS):
            part = rows[start : start + ROWS]
            self._connection.execute(
                _insertion(table, len(part[0]), len(part)), [value for row in part for value in row]
            )

    def _keep(self, events: tuple[Stored, ...]) -> None:
        for event in events:
            self._position += 1
            self._events.append((PARTITION, *msgspec.structs.astuple(event), self._position))

    def find_versions(self, writes: Sequence[Write]) -> None:
        """Look up at once the versions of the streams that are not remembered, for the appends that are taken next."""
        if unknown := [write.stream for write in writes if write.stream not in self._versions]:
            asked = msgspec.json.encode(unknown).decode()
            self._versions.update(self._connection.execute(FIND_VERSIONS, (asked,)).fetchall())
