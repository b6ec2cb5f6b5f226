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
from events.store import Appended, Command, CommandReused, Decision, Span, StaleVersion, Write, spans_of

Beside = Sequence[tuple[str, tuple[Any, ...]]]
"""SQL statements on the caller's own tables with their parameters."""

PARTITION = 0
"""SQLite's only one."""

REMEMBERED = 100_000
"""Streams whose versions are remembered, so that an append need not look them up."""

FIND_VERSION = f"SELECT coalesce(max(version), 0) FROM events WHERE partition = {PARTITION} AND stream = ?"

CHUNKS = (128, 16, 4, 1)
"""Rows that one statement inserts."""

FIND_COMMAND = f"SELECT match, id, digest, spans FROM commands WHERE partition = {PARTITION} AND match = ? AND id = ?"
FIND_COMMANDS = (
    "SELECT commands.match, commands.id, commands.digest, commands.spans FROM json_each(?) AS asked CROSS JOIN commands"
    f" ON commands.partition = {PARTITION} AND commands.match = json_extract(asked.value, '$[0]')"
    " AND commands.id = json_extract(asked.value, '$[1]')"
)
CLOSE_DECISIONS = f"DELETE FROM decisions WHERE partition = {PARTITION} AND match IN (SELECT value FROM json_each(?))"


class Append(msgspec.Struct, frozen=True):
    """What `SqliteRecorder.append` was asked for."""

    match: str
    writes: tuple[Write, ...]
    command: Command | None
    decisions: tuple[Decision, ...] | None
    beside: Beside


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
        self._commands: dict[tuple[str, str], tuple[Command, Appended]] = {}
        self._events: list[tuple[object, ...]] = []
        self._taken: list[tuple[object, ...]] = []
        self._decisions: dict[str, tuple[Decision, ...]] = {}
        self.forget()

    def forget(self) -> None:
        """What was taken or stored has been rolled back: look where the store ends."""
        self._versions.clear()
        self._commands.clear()
        self._drop()
        sql = "SELECT coalesce(max(position), 0) FROM events WHERE partition = ?"
        (self._position,) = self._connection.execute(sql, (PARTITION,)).fetchone()

    def _drop(self) -> None:
        self._events.clear()
        self._taken.clear()
        self._decisions.clear()

    def expect(self, commands: Iterable[tuple[str, str]]) -> None:
        """Look up at once which of these (match, id) the store knows: they are about to be taken, and nothing else."""
        if len(self._versions) > REMEMBERED:
            self._versions.clear()
        asked = msgspec.json.encode(list(commands)).decode()
        rows = self._connection.execute(FIND_COMMANDS, (asked,)).fetchall() if asked != "[]" else ()
        self._commands = {(row[0], row[1]): read_command(row) for row in rows}

    def take(self, append: Append) -> Appended:
        """Check an append whose command was expected, and keep it until `store`.

        Raises:  CommandReused, StaleVersion; then nothing of it is kept.
        """
        command = append.command
        if command and (known := self._commands.get((append.match, command.id))):
            if known[0].digest != command.digest:
                raise CommandReused(command.id)
            return known[1]
        for write in append.writes:
            if (current := self._version(write.stream)) != write.expected:
                raise StaleVersion(write.stream, current)
        for write in append.writes:
            self._keep(write.events)
            self._versions[write.stream] = write.expected + len(write.events)
        spans = spans_of(append.writes)
        if append.decisions is not None:
            self._decisions[append.match] = append.decisions
        if command:
            self._commands[append.match, command.id] = (command, Appended(spans, repeated=True))
            bare = [(span.stream, span.first, span.last) for span in spans]
            self._taken.append((PARTITION, append.match, command.id, command.digest, msgspec.json.encode(bare)))
        return Appended(spans)

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
        start = 0
        for size in CHUNKS:
            while len(rows) - start >= size:
                sql = _insertion(table, len(rows[start]), size)
                self._connection.execute(sql, [value for row in rows[start : start + size] for value in row])
                start += size

    def _keep(self, events: tuple[Stored, ...]) -> None:
        for event in events:
            self._position += 1
            self._events.append((PARTITION, *msgspec.structs.astuple(event), self._position))

    def _version(self, stream: str) -> int:
        if (known := self._versions.get(stream)) is not None:
            return known
        (version,) = self._connection.execute(FIND_VERSION, (stream,)).fetchone()
        self._versions[stream] = version
        return int(version)
