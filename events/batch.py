"""Appends on their way into SQLite: checked one by one, stored many at a time, so that few statements serve them all.

Each statement lets go of Python's lock and has to win it back from the threads that submit: a row a statement would
halve what a busy process stores.
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
"""SQLite has one only."""

REMEMBERED = 100_000
"""Streams whose versions are remembered, so that an append need not look them up."""

FIND_VERSIONS = (
    f"SELECT value, (SELECT coalesce(max(version), 0) FROM events WHERE partition = {PARTITION} AND stream = value)"
    " FROM json_each(?)"
)

ROWS = 64
"""Rows that one statement inserts at most. Each number has a statement of its own, which SQLite keeps prepared."""

FIND_COMMANDS = (
    "SELECT commands.match, commands.id, commands.digest, commands.spans FROM json_each(?) AS asked CROSS JOIN commands"
    f" ON commands.partition = {PARTITION} AND commands.match = json_extract(asked.value, '$[0]')"
    " AND commands.id = json_extract(asked.value, '$[1]')"
)
CLOSE_DECISIONS = f"DELETE FROM decisions WHERE partition = {PARTITION} AND match IN (SELECT value FROM json_each(?))"


def read_command(row: tuple[str, str, str, bytes]) -> tuple[Command, Appended]:
    """See `Recorder.command`."""
    _, id, digest, spans = row
    return Command(id, digest), Appended(tuple(Span(*span) for span in msgspec.json.decode(spans)), repeated=True)


@cache
def _insertion(table: str, columns: int, rows: int) -> str:
    places = f"({', '.join('?' * columns)})"
    return f"INSERT INTO {table} VALUES {', '.join([places] * rows)}"


class Batch:
    """What was taken and not yet stored, and where the store will end once it is. For the writing thread only."""

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
        """What was taken or stored has been rolled back, or others have stored more: look where the store ends."""
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
        """A transaction has begun: what is taken from here on is stored by it."""
        self._commands.clear()
        # it changes with each commit of another connection
        (seen,) = self._connection.execute("PRAGMA data_version").fetchone()
        if seen != self._seen:
            self._seen = seen
            self.forget()
        elif len(self._versions) > REMEMBERED:
            self._versions.clear()

    def expect(self, commands: Iterable[tuple[str, str]]) -> None:
        """Look up at once which of these (match, id) the store knows.

        A command that was not expected is one that the store does not know, most likely: `store` fails if it does.
        """
        asked = msgspec.json.encode(list(commands)).decode()
        rows = self._connection.execute(FIND_COMMANDS, (asked,)).fetchall()
        self._commands.update({(row[0], row[1]): read_command(row) for row in rows})

    def take(self, append: Append) -> Appended:
        """Check an append whose streams were looked up (`find_versions`), and keep it until `store`.

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
        """What the append's command has stored already. Raises CommandReused."""
        command = append.command
        if command is None or (known := self._commands.get((append.match, command.id))) is None:
            return None
        if known[0].digest != command.digest:
            raise CommandReused(command.id)
        return known[1]

    def _refuse(self, append: Append, error: StaleVersion) -> Appended:
        """Refuse it, unless it is stale because it has been stored already."""
        if append.command is not None:
            self.expect([(append.match, append.command.id)])
            if (before := self._known(append)) is not None:
                return before
        raise error

    def give_back(self, append: Append) -> None:
        """The append that was taken last has been rolled back, alone."""
        self._drop()
        for write in append.writes:
            self._versions[write.stream] = write.expected
            self._position -= len(write.events)
        if append.command:
            del self._commands[append.match, append.command.id]

    def store(self) -> None:
        """Write what was taken."""
        self._insert("events", self._events)
        if self._decisions:
            matches = msgspec.json.encode(list(self._decisions)).decode()
            self._connection.execute(CLOSE_DECISIONS, (matches,))
            asked = (one for decisions in self._decisions.values() for one in decisions)
            rows = [(PARTITION, *msgspec.structs.astuple(one)) for one in asked]
            self._insert("decisions", rows)
        self._insert("commands", self._taken)
        self._drop()

    def _insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            self._connection.execute(_insertion(table, len(some[0]), len(some)), [one for row in some for one in row])

    def _keep(self, events: tuple[Stored, ...]) -> None:
        for event in events:
            self._position += 1
            self._events.append((PARTITION, *msgspec.structs.astuple(event), self._position))

    def find_versions(self, writes: Sequence[Write]) -> None:
        """Look up at once those that are not remembered, for appends that are taken next."""
        if unknown := [write.stream for write in writes if write.stream not in self._versions]:
            asked = msgspec.json.encode(unknown).decode()
            self._versions.update(self._connection.execute(FIND_VERSIONS, (asked,)).fetchall())
