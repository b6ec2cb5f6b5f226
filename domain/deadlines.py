"""Folds what a log says of time: seats' deadlines, their banks, and whether time runs at all.

There is no clock here. Moments and durations are facts from the service, and none is ever compared with the present.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain.game import Seat, Value, put
from domain.happenings import (
    BankUsed,
    ClockSet,
    DeadlineExtended,
    DeadlineSet,
    OutageExtended,
    Paused,
    Resumed,
    RungSealed,
    SeatHandedBack,
    SeatHandedOver,
    SeatPassedOn,
    SeatResigned,
)


class Deadline(Value, frozen=True):
    """When a decision is due. It counts while that decision is open."""

    decision: int
    due: str
    after: int
    """Events after this version of the match's log that move all deadlines move this one too."""
    length: int = 0
    """The duration in milliseconds that ends with it: the allowance, or what the bank has paid."""
    more: int = 0
    """The milliseconds by which this deadline alone was extended."""
    away: int = 0
    """How many of these are for its player's vacations."""
    has_grace: bool = False
    """Whether a new player of the seat was given more time for the decision, which happens once."""


_NONE = Deadline(decision=0, due="", after=0)


class Due(Value, frozen=True):
    """When an open decision is due: `later` milliseconds after `at`."""

    at: str
    later: int


class Clocks(Value, frozen=True):
    """What the log has said of time, and of who plays each seat."""

    terms: ClockSet | None = None
    deadlines: tuple[Deadline, ...] = ()
    """Each seat's latest deadline, met or not: see `due`. Empty until one is set."""
    sealed: tuple[Deadline, ...] = ()
    """The known deadlines under seal, until the answers are closed; empty if there are none."""
    banks: tuple[int, ...] = ()
    """The milliseconds left in each seat's bank; empty until a clock is set."""
    moved: tuple[tuple[int, int], ...] = ()
    """The versions at which all deadlines were moved, each with the milliseconds."""
    is_paused: bool = False
    absent: tuple[int, ...] = ()
    """How many moves in a row the clock has made for each seat; empty if 0 for all."""
    bots: tuple[str, ...] = ()
    """The bot that plays for each seat; "" if its player does. Empty if there never was one."""
    resigned: tuple[Seat, ...] = ()
    """The seats that were given up for good."""
    by_clock: tuple[int, ...] = ()
    """How many moves in total the clock has made for each seat; empty if 0 for all."""
    handed: tuple[tuple[Seat, str], ...] = ()
    """The seat and the reason for each time that somebody else came to play for a seat."""


NOTHING = Clocks()
"""The state before any event."""


def due(clocks: Clocks, seat: Seat, decision: int) -> Due | None:
    """Return when that decision of the seat is due; None if it has no deadline."""
    for deadline in (*clocks.deadlines[seat : seat + 1], *clocks.sealed[seat : seat + 1]):
        if deadline.due and deadline.decision == decision:
            moved = sum(by for version, by in clocks.moved if version > deadline.after)
            return Due(at=deadline.due, later=deadline.more + moved)
    return None


def open_deadline(clocks: Clocks, seat: Seat, decision: int) -> Deadline | None:
    """Return the deadline of that decision from the match's own log; None if it has none there."""
    latest = clocks.deadlines[seat] if clocks.deadlines else _NONE
    return latest if latest.due and latest.decision == decision else None


def bank(clocks: Clocks, seat: Seat) -> int:
    """Return the milliseconds left in the seat's bank."""
    return clocks.banks[seat] if clocks.banks else 0


def absences(clocks: Clocks, seat: Seat) -> int:
    """Return how many moves in a row the clock has made for the seat."""
    return clocks.absent[seat] if clocks.absent else 0


def evolve(clocks: Clocks, event: Any, version: int, seats: int) -> Clocks:
    """Return the clocks after an event of time or seats with that version, in a match with that many seats."""
    replace = msgspec.structs.replace
    match event:
        case ClockSet():
            return replace(clocks, terms=event, banks=(event.bank,) * seats)
        case DeadlineSet(seat=seat, decision=decision, due=at):
            length = clocks.terms.allowance if clocks.terms else 0
            return _set(clocks, seat, Deadline(decision=decision, due=at, after=version, length=length), seats)
        case BankUsed(seat=seat, decision=decision, spent=spent, due=at):
            banks = put(clocks.banks or (0,) * seats, seat, bank(clocks, seat) - spent)
            known = open_deadline(clocks, seat, decision)
            has_grace = known is not None and known.has_grace
            deadline = Deadline(decision=decision, due=at, after=version, length=spent, has_grace=has_grace)
            return _set(replace(clocks, banks=banks), seat, deadline, seats)
        case DeadlineExtended(seat=seat, decision=decision, length=length, reason=reason):
            if (known := open_deadline(clocks, seat, decision)) is None:
                return clocks
            if reason == "vacation":
                extended = replace(known, more=known.more + length, away=known.away + length)
            else:
                extended = replace(known, more=known.more + length, has_grace=True)
            return _set(clocks, seat, extended, seats)
        case Paused():
            return replace(clocks, is_paused=True)
        case Resumed(length=length):
            return replace(clocks, is_paused=False, moved=(*clocks.moved, (version, length)))
        case OutageExtended(length=length):
            return replace(clocks, moved=(*clocks.moved, (version, length)))
        case SeatHandedOver(seat=seat, bot=bot, reason=reason):
            bots, handed = put(clocks.bots or ("",) * seats, seat, bot), (*clocks.handed, (seat, reason))
            return replace(count(clocks, seat, seats, is_absent=False), bots=bots, handed=handed)
        case SeatHandedBack(seat=seat):
            return replace(clocks, bots=put(clocks.bots or ("",) * seats, seat, ""))
        case SeatPassedOn(seat=seat):
            # the new player was never absent
            return replace(count(clocks, seat, seats, is_absent=False), handed=(*clocks.handed, (seat, "passed")))
        case SeatResigned(seat=seat):
            return give_up(clocks, seat)
        case _:
            raise AssertionError(f"{type(event).__name__} says nothing of time or seats")


def give_up(clocks: Clocks, seat: Seat) -> Clocks:
    """Return the clocks after the seat was given up for good."""
    return msgspec.structs.replace(clocks, resigned=(*clocks.resigned, seat))


def count(clocks: Clocks, seat: Seat, seats: int, *, is_absent: bool) -> Clocks:
    """Return the clocks after one more open move of the seat; `is_absent`: the clock made it."""
    if not (is_absent or clocks.absent):
        return clocks
    known = clocks.absent or (0,) * seats
    absent = put(known, seat, known[seat] + 1 if is_absent else 0)
    if is_absent:
        so_far = clocks.by_clock or (0,) * seats
        clocks = msgspec.structs.replace(clocks, by_clock=put(so_far, seat, so_far[seat] + 1))
    return msgspec.structs.replace(clocks, absent=absent if any(absent) else ())


def seal(clocks: Clocks, seat: Seat, event: RungSealed, seats: int) -> Clocks:
    """Return the clocks with a deadline from the seat's private log added."""
    known = clocks.sealed or (_NONE,) * seats
    deadline = Deadline(decision=event.decision, due=event.due, after=event.after)
    return msgspec.structs.replace(clocks, sealed=put(known, seat, deadline))


def close(clocks: Clocks) -> Clocks:
    """Return the clocks after the answers under seal are closed, without their deadlines."""
    return msgspec.structs.replace(clocks, sealed=()) if clocks.sealed else clocks


def _set(clocks: Clocks, seat: Seat, deadline: Deadline, seats: int) -> Clocks:
    known = clocks.deadlines or (_NONE,) * seats
    return msgspec.structs.replace(clocks, deadlines=put(known, seat, deadline))
