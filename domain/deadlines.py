"""What a log says of time: until when seats are to answer, what their banks hold, and whether time runs at all.

There is no clock here: moments and durations are facts that the service told, and none of them is ever compared with
a present.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain.game import Seat, Value
from domain.happenings import BankUsed, ClockSet, DeadlineSet, OutageExtended, Paused, Resumed, RungSealed


class Deadline(Value, frozen=True):
    """When a decision is due. It counts as long as that decision is open."""

    decision: int
    due: str
    after: int
    """The version of the match's log from which on whatever moves deadlines moves it too."""


_NONE = Deadline(decision=0, due="", after=0)


class Due(Value, frozen=True):
    """When an open decision is due: so many milliseconds after that moment."""

    at: str
    later: int


class Clocks(Value, frozen=True):
    """What has been told of time."""

    terms: ClockSet | None
    deadlines: tuple[Deadline, ...]
    """A seat's latest, met or not: see `due`."""
    sealed: tuple[Deadline, ...]
    """Those under seal that are known, until the answers are closed; empty while there are none."""
    banks: tuple[int, ...]
    """What each seat has left, in milliseconds."""
    moved: tuple[tuple[int, int], ...]
    """The versions at which all deadlines were moved, and by how many milliseconds."""
    is_paused: bool


def begin(seats: int) -> Clocks:
    """Before anything was told."""
    return Clocks(terms=None, deadlines=(_NONE,) * seats, sealed=(), banks=(0,) * seats, moved=(), is_paused=False)


def due(clocks: Clocks, seat: Seat, decision: int) -> Due | None:
    """When that decision of the seat is due; None if it has no deadline."""
    for deadline in (clocks.deadlines[seat], *clocks.sealed[seat : seat + 1]):
        if deadline.due and deadline.decision == decision:
            return Due(at=deadline.due, later=sum(by for version, by in clocks.moved if version > deadline.after))
    return None


def evolve(clocks: Clocks, event: Any, version: int) -> Clocks:
    """What is known of time after an event of the match, of that version; most have nothing to say of it."""
    replace = msgspec.structs.replace
    match event:
        case ClockSet(bank=bank):
            return replace(clocks, terms=event, banks=(bank,) * len(clocks.banks))
        case DeadlineSet(seat=seat, decision=decision, due=at):
            return _set(clocks, seat, Deadline(decision=decision, due=at, after=version))
        case BankUsed(seat=seat, decision=decision, spent=spent, due=at):
            left = clocks.banks[seat] - spent
            paid = replace(clocks, banks=_put(clocks.banks, seat, left))
            return _set(paid, seat, Deadline(decision=decision, due=at, after=version))
        case Paused():
            return replace(clocks, is_paused=True)
        case Resumed(length=length):
            return replace(clocks, is_paused=False, moved=(*clocks.moved, (version, length)))
        case OutageExtended(length=length):
            return replace(clocks, moved=(*clocks.moved, (version, length)))
        case _:
            return clocks


def seal(clocks: Clocks, seat: Seat, event: RungSealed) -> Clocks:
    """The same with what the seat's private log says on top."""
    known = clocks.sealed or (_NONE,) * len(clocks.deadlines)
    deadline = Deadline(decision=event.decision, due=event.due, after=event.after)
    return msgspec.structs.replace(clocks, sealed=_put(known, seat, deadline))


def close(clocks: Clocks) -> Clocks:
    """The same once the answers under seal are closed, which is what their deadlines were for."""
    return msgspec.structs.replace(clocks, sealed=()) if clocks.sealed else clocks


def _set(clocks: Clocks, seat: Seat, deadline: Deadline) -> Clocks:
    return msgspec.structs.replace(clocks, deadlines=_put(clocks.deadlines, seat, deadline))


def _put(values: tuple[Any, ...], at: int, value: object) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])
