"""How a match ended and what happened to its seats, for fair ratings: from its state, or from its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
import structlog

from domain import matches
from domain.matches import Cause, Match, Status
from domain.play import Told
from events.chain import Stored
from events.store import Statement, Store
from service.store import Conduct, Ended, listing, results

logger = structlog.get_logger(__name__)

PLAYED = "played"
MOVES = frozenset({"match/MoveMade", "match/AnswersClosed"})
RESIGNED, HANDED, PASSED = "match/SeatResigned", "match/SeatHandedOver", "match/SeatPassedOn"

AT_ONCE = 256
"""The number of matches that are noted in one transaction."""


def ended_by(after: Match[Any], entries: Sequence[Told], at: str) -> Ended:
    """Return how the match ended, given the state after its last events, which were just stored."""
    last, clocks = entries[-1].event, after.clocks
    return Ended(
        at=at,
        how=PLAYED if after.status == Status.FINISHED else last.reason,
        moves=after.moves,
        # breaking a match off is no move
        moved=at if after.status == Status.FINISHED else None,
        points=after.points,
        ranking=after.ranking,
        conducts=tuple(
            results.Conduct(
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
    """Return how a match ended, given its log, without needing its rules; None if the log can't be read."""
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
        data = msgspec.json.decode(event.public, type=_OfSeat)
        by_clock[data.seat] += data.cause == Cause.CLOCK
        if event.type == RESIGNED:
            resigned.add(data.seat)
        elif event.type in {HANDED, PASSED}:
            handed.append((data.seat, data.reason or "passed"))
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
    # in one order, so that processes that start at once don't wait for each other's rows
    for number, match_id in enumerate(sorted(results.untold(recorder)), 1):
        progress()
        ended = ended_in(recorder.read(match_id))
        if ended is None:
            logger.warning("how a match ended can't be read", match=match_id)
        else:
            beside += listing.keep(match_id, results.end(match_id, ended))
        if number % AT_ONCE == 0:
            recorder.write(beside)
            beside.clear()
    if beside:
        recorder.write(beside)
