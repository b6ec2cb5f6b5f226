"""How a match ended and what became of its seats, so that ratings can be fair: told by its state, or by its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
import structlog

from domain import matches
from domain.matches import Cause, Match, Status
from domain.play import Told
from events.envelope import Stored
from events.store import Statement, Store
from service.store import Conduct, Ended, conclusions, lists

logger = structlog.get_logger(__name__)

PLAYED = "played"
MOVES = frozenset({"match/MoveMade", "match/AnswersClosed"})
RESIGNED, HANDED, PASSED = "match/SeatResigned", "match/SeatHandedOver", "match/SeatPassedOn"

AT_ONCE = 256
"""Matches that are noted in one transaction."""


def ended_by(after: Match[Any], told: Sequence[Told], at: str) -> Ended:
    """Of the state after the events that ended a match, just stored."""
    last, clocks = told[-1].event, after.clocks
    return Ended(
        at=at,
        how=PLAYED if after.status == Status.FINISHED else last.reason,
        moves=after.moves,
        # who breaks a match off makes no move
        moved=at if after.status == Status.FINISHED else None,
        points=after.points,
        ranking=after.ranking,
        conducts=tuple(
            conclusions.Conduct(
                resigned=seat in clocks.resigned,
                by_clock=clocks.by_clock[seat] if clocks.by_clock else 0,
                handed=tuple(reason for whose, reason in clocks.handed if whose == seat),
            )
            for seat in range(len(after.taken))
        ),
    )


class _Opening(msgspec.Struct, frozen=True):
    seats: int


class _End(msgspec.Struct, frozen=True):
    points: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()
    reason: str = PLAYED


class _OfSeat(msgspec.Struct, frozen=True):
    seat: int
    cause: str = ""
    reason: str = ""


def ended_in(log: Sequence[Stored]) -> Ended | None:
    """Of the log of a match that is over, whose rules need not be at hand; None when it can't be read."""
    try:
        end = msgspec.json.decode(log[-1].public, type=_End)
        seats = msgspec.json.decode(log[0].public, type=_Opening).seats
        conducts = _conducts(log, seats)
    except (msgspec.DecodeError, IndexError):
        return None
    if log[-1].type not in matches.LAST or not {len(end.points), len(end.ranking)} <= {0, seats}:
        return None
    made = [event for event in log if event.type in MOVES]
    return Ended(
        at=log[-1].at,
        how=end.reason,
        moves=log[-1].move,
        moved=made[-1].at if made else None,
        points=end.points,
        ranking=end.ranking,
        conducts=conducts,
    )


def _conducts(log: Iterable[Stored], seats: int) -> tuple[Conduct, ...]:
    by_clock: Counter[int] = Counter()
    resigned: set[int] = set()
    handed: list[tuple[int, str]] = []
    for event in log:
        if event.type not in {"match/MoveMade", RESIGNED, HANDED, PASSED}:
            continue
        told = msgspec.json.decode(event.public, type=_OfSeat)
        by_clock[told.seat] += told.cause == Cause.CLOCK
        if event.type == RESIGNED:
            resigned.add(told.seat)
        elif event.type in {HANDED, PASSED}:
            handed.append((told.seat, told.reason or "passed"))
    return tuple(
        Conduct(
            resigned=seat in resigned,
            by_clock=by_clock[seat],
            handed=tuple(reason for whose, reason in handed if whose == seat),
        )
        for seat in range(seats)
    )


def note_endings(recorder: Store, progress: Callable[[], object] = lambda: None) -> None:
    """Note how matches ended that were over when they came into the store."""
    beside: list[Statement] = []
    # in one order: of processes that start at once each would wait for a row that the other holds
    for number, match_id in enumerate(sorted(conclusions.untold(recorder)), 1):
        progress()
        ended = ended_in(recorder.read(match_id))
        if ended is None:
            logger.warning("how a match ended can't be read", match=match_id)
        else:
            beside += lists.keep(match_id, conclusions.end(match_id, ended))
        if number % AT_ONCE == 0:
            recorder.write(beside)
            beside.clear()
    if beside:
        recorder.write(beside)
