"""A group of appends to one partition, judged in their order: which of them are stored, and as which rows."""

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
"""What an append is answered, or why it is refused."""


class Found(msgspec.Struct):
    """Of a partition, what its appends have to know; judging keeps it up to date."""

    position: int
    """The last one."""
    versions: dict[str, int]
    """Of each stream that is written to."""
    commands: dict[tuple[str, str], tuple[Command, Appended]]
    """By match and id."""


class Rows(msgspec.Struct):
    """What a group stores, without the partition that it lies in."""

    events: list[Row] = []
    commands: list[Row] = []
    asked: dict[str, tuple[Decision, ...]] = {}
    """The decisions by match, those that closed all of a match's too."""
    beside: list[Statement] = []
    written: set[str] = set()
    """The streams that the appends make longer, and the matches of those without events."""


def streams_of(appends: list[Append]) -> list[str]:
    """The streams that they write to, each once."""
    return list({write.stream: None for append in appends for write in append.writes})


def commands_of(appends: list[Append]) -> tuple[list[str], list[str]]:
    """Matches and ids of the commands that they bring."""
    found = [(append.match, append.command.id) for append in appends if append.command]
    return [match for match, _ in found], [id for _, id in found]


def judge(appends: list[Append], found: Found) -> tuple[list[Outcome], Rows]:
    """Take the appends one by one: a refused one leaves no row."""
    rows = Rows()
    return [_judge(append, found, rows) for append in appends], rows


def _judge(append: Append, found: Found, rows: Rows) -> Outcome:
    command = append.command
    if command and (before := found.commands.get((append.match, command.id))):
        if before[0].digest != command.digest:
            return None, CommandReused(command.id)
        return before[1], None
    for write in append.writes:
        if (current := found.versions[write.stream]) != write.expected:
            return None, StaleVersion(write.stream, current)
    for write in append.writes:
        _take(write, found, rows)
    spans = spans_of(append.writes)
    if append.decisions is not None:
        rows.asked[append.match] = append.decisions
    if command:
        found.commands[append.match, command.id] = (command, Appended(spans, repeated=True))
        bare = msgspec.json.encode([(span.stream, span.first, span.last) for span in spans])
        rows.commands.append((append.match, command.id, command.digest, bare))
    rows.beside += append.beside
    rows.written |= grown_by(append)
    return Appended(spans), None


def _take(write: Write, found: Found, rows: Rows) -> None:
    for event in write.events:
        found.position += 1
        rows.events.append((*msgspec.structs.astuple(event), found.position))
    found.versions[write.stream] = write.expected + len(write.events)
