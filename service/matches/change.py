"""What all that write into logs share: events in their places, the decisions they leave open, the register in step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from domain import match
from domain.deadlines import Due
from domain.match import Match, Status
from domain.play import Told
from events.sqlite import SqliteRecorder
from events.store import Decision, StaleVersion, Write
from replays import log as logs
from replays.log import Log
from service import clock
from service.matches import lobby
from service.matches.lobby import Entry, Statement
from service.problems import Conflict

T = TypeVar("T")

TRIES = 16
"""How often it is decided again because somebody else wrote in between."""


def decided(decide: Callable[[], T]) -> T:
    """Decide, on what is stored then; and again as long as somebody else writes in between.

    Raises:  Conflict (busy) when they never stop; whatever `decide` raises but StaleVersion.
    """
    for _ in range(TRIES):
        try:
            return decide()
        except StaleVersion:
            continue
    raise Conflict("busy")


def next_write(
    recorder: SqliteRecorder, log: Log, stream: str, told: Iterable[Told], expected: int, now: clock.Now
) -> Write:
    """The events in their places; StaleVersion when the stream has grown since it was looked at."""
    head = recorder.head(stream)
    if head.version != expected:
        raise StaleVersion(stream, head.version)
    stored = logs.seal(log.codec, head, stream, told, clock.stamp(now()), log.secret)
    return Write(stream, expected, stored)


def owed(game: Any, state: Match[Any], entry: Entry) -> tuple[Decision, ...]:
    """The open decisions, for the store: one for each seat that owes an answer."""
    return tuple(
        Decision(
            match=entry.id,
            seat=seat,
            since=match.decision_of(game, state, seat),
            due=_due(match.due_of(game, state, seat)),
            who=entry.chairs[seat].who,
        )
        for seat in match.to_act(game, state)
    )


def _due(deadline: Due | None) -> str:
    """The moment itself, as the store tells it; "" if there is none, or none that can be told."""
    try:
        return "" if deadline is None else clock.later(deadline.at, deadline.later)
    except (ValueError, OverflowError):
        return ""  # a log from elsewhere may say anything


def turned(entry: Entry, after: Match[Any]) -> list[Statement]:
    """The statements that keep the register in step, when the match has come to another part of its life."""
    if after.status == entry.status:
        return []
    return [
        lobby.turn(entry.id, after.status),
        *(lobby.start(entry.id) if entry.status == Status.OPEN else []),
        *([lobby.settle(entry.id)] if after.is_over else []),
    ]
