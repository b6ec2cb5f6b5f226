"""Judges a group of appends to one partition in their order: which of them are stored, and as which rows."""

from __future__ import annotations

from typing import Any

import msgspec

from events.store import (
    Append,
    Appended,
    Command,
    CommandReused,
    Decision,
    StaleVersion,
    Statement,
    Write,
    grown_by,
    spans_of,
)

Row = tuple[Any, ...]

Outcome = tuple[Appended | None, BaseException | None]
"""What an append stored, or the error with which it is refused."""


class Found(msgspec.Struct):
    """The state of a partition as far as its appends need it; `judge` keeps it up to date."""

    position: int
    """The last position."""
    versions: dict[str, int]
    """The version of each stream that is written to."""
    commands: dict[tuple[str, str], tuple[Command, Appended]]
    """The commands that are stored, by match and id."""


class Rows(msgspec.Struct):
    """The rows that a group stores, without the column of their partition."""

    events: list[Row] = []
    commands: list[Row] = []
    asked: dict[str, tuple[Decision, ...]] = {}
    """The new open decisions by match; none for a match of which all are closed."""
    beside: list[Statement] = []
    written: set[str] = set()
    """The streams that the appends make longer; for an append without events its match."""


def streams_of(appends: list[Append]) -> list[str]:
    """Return the streams that the appends write to, each once."""
    return list({write.stream: None for append in appends for write in append.writes})


def commands_of(appends: list[Append]) -> tuple[list[str], list[str]]:
    """Return the matches and the ids of the appends' commands, as two lists of equal length."""
    commands = [(append.match, append.command.id) for append in appends if append.command]
    return [match for match, _ in commands], [id for _, id in commands]


def judge(appends: list[Append], state: Found) -> tuple[list[Outcome], Rows]:
    """Judge the appends in order. Returns an outcome for each, and the rows to store; a refused append adds no row."""
    rows = Rows()
    return [_judge(append, state, rows) for append in appends], rows


def _judge(append: Append, state: Found, rows: Rows) -> Outcome:
    command = append.command
    if command and (before := state.commands.get((append.match, command.id))):
        if before[0].digest != command.digest:
            return None, CommandReused(command.id)
        return before[1], None
    for write in append.writes:
        if (current := state.versions[write.stream]) != write.expected:
            return None, StaleVersion(write.stream, current)
    for write in append.writes:
        _take(write, state, rows)
    spans = spans_of(append.writes)
    if append.decisions is not None:
        rows.asked[append.match] = append.decisions
    if command:
        state.commands[append.match, command.id] = (command, Appended(spans, repeated=True))
        bare = msgspec.json.encode([(span.stream, span.first, span.last) for span in spans])
        rows.commands.append((append.match, command.id, command.digest, bare))
    rows.beside += append.beside
    rows.written |= grown_by(append)
    return Appended(spans), None


def _take(write: Write, state: Found, rows: Rows) -> None:
    for event in write.events:
        state.position += 1
        rows.events.append((*msgspec.structs.astuple(event), state.position))
    state.versions[write.stream] = write.expected + len(write.events)
