"""Finds out who had a part in a match's seed, from its log and from the nonces that the reader of the audit holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from domain import matches
from events import chain
from events.chain import Shown
from events.receipts import Receipt
from replays.checking.audit.proof import Lines, fields
from replays.checking.audit.report import Fault, Nonce

SAT, LEFT = "match/SeatTaken", "match/SeatLeft"


class Chance(NamedTuple):
    """What is known of the seed: see `Report`. Empty if the match never started, or is not over."""

    chance: str | None = None
    last_nonce: int | None = None
    taken_again: tuple[int, ...] = ()
    own_nonces: tuple[int, ...] = ()
    unbound_nonces: tuple[int, ...] = ()


class _Brought(NamedTuple):
    """The nonce of a seat, "" if its player brought none, and the version of the event that has it."""

    nonce: str
    version: int


def of(lines: Lines, held: Sequence[Receipt | Nonce]) -> Chance:
    """Return who had a part in the seed, whose nonce came last, who sat down again, and which nonces are held."""
    kinds = [event.type for event in lines.own]
    seats = fields(lines.own[0]).get("seats") if kinds else None
    if not lines.is_over or matches.STARTED not in kinds or type(seats) is not int:
        return Chance()
    counts: dict[int, _Brought] = {}
    left, again = set(), set()
    is_known = False
    for event, taken in _of_seats(lines.own[: kinds.index(matches.STARTED)], seats):
        seat = taken["seat"]
        counts.pop(seat, None)  # so that the last nonce is the last key
        if event.type == LEFT:
            left.add(seat)
            continue
        if is_known and seat in left:
            again.add(seat)
        counts[seat] = _Brought(_nonce(taken.get("nonce")), event.version)
        is_known = is_known or bool(counts[seat].nonce)
    brought = {seat: entry for seat, entry in counts.items() if entry.nonce}
    mine = {seat: entry for seat, entry in sorted(brought.items()) if Nonce(entry.nonce) in held}
    return Chance(
        "seats" if brought else "server alone",
        list(brought)[-1] if brought else None,
        tuple(sorted(again)),
        tuple(mine),
        tuple(seat for seat, entry in mine.items() if not _is_bound(lines, held, entry)),
    )


def held(lines: Lines, held: Sequence[Receipt | Nonce]) -> Iterator[Fault]:
    """Yield faults by LOG-9 of nonces that a player brought: the log must have them, even if the seat was left.

    A nonce that no receipt follows may not have arrived: somebody else was faster, or the connection was cut.
    """
    in_log = {_nonce(fields(event).get("nonce")) for event in lines.own if event.type == SAT} - {""}
    for place, item in enumerate(held):
        is_taken = any(isinstance(later, Receipt) for later in held[place:])
        if isinstance(item, Nonce) and is_taken and item.nonce not in in_log:
            reason = "a nonce that is held is not in the log, and receipts were given after it was sent"
            yield Fault(0, "receipt", lines.header.match, 0, reason)


def _of_seats(events: Sequence[Shown], seats: int) -> Iterator[tuple[Shown, dict[str, Any]]]:
    """Yield the events of seats that were taken or left, with their public fields."""
    for event in events:
        data = fields(event) if event.type in {SAT, LEFT} else {}
        if type(data.get("seat")) is int and 0 <= data["seat"] < seats:
            yield event, data


def _is_bound(lines: Lines, held: Sequence[Receipt | Nonce], brought: _Brought) -> bool:
    """Return whether a receipt was held before the nonce was sent, so that the secret was fixed by then."""
    before = held[: list(held).index(Nonce(brought.nonce))]
    return any(
        isinstance(item, Receipt) and item.stream == lines.header.match and 1 <= item.version < brought.version
        for item in before
    )


def _nonce(value: object) -> str:
    """Return the nonce; "" for a value that is not one."""
    try:
        return value if isinstance(value, str) and chain.raw_bytes(value, 32) else ""
    except chain.NotCanonical:
        return ""
