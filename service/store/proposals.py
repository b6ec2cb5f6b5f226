"""Proposals: what players ask of each other beside the game, which no event tells.

A seat is offered to a player, or the others are asked to agree: that it is passed on, that the match is broken off,
paused or resumed. Each is noted in the transaction that stores it, and told as long as it waits for an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import msgspec

from events.store import Reader, Statement
from service import clock
from service.store import notices
from service.store.clocks import Timetable
from service.store.deliveries import Delivery
from service.store.lobby import Chair, Entry, Heir, Lobby
from service.store.notices import Notice

SEAT, PASSING, ABORT, PAUSE, RESUME = PROPOSALS = ("seat", "passing", "abort", "pause", "resume")
"""An offered seat; and what needs agreement: that a seat is passed on, and an end, a pause and its end."""

AGREES: dict[str, Callable[[Chair], bool]] = {
    PASSING: lambda _: False,
    ABORT: lambda chair: chair.agreed,
    PAUSE: lambda chair: chair.pausing,
    RESUME: lambda chair: chair.pausing,
}
"""Whether the seat's player agrees already, as far as the seat itself says it."""


class Proposed(msgspec.Struct, frozen=True):
    """The part of a notice's body that is a proposal."""

    proposal: str
    by: int
    """The seat whose player proposes it."""
    heir: Heir | None = None
    """Who is to get the seat that is passed on with your agreement."""


def propose_to_others(
    entry: Entry, version: int, proposal: str, by: int, now: datetime, heir: Heir | None = None
) -> list[Statement]:
    """Return the statements that note the proposal of the seat's player for all others who must agree.

    There are none if somebody has proposed it already: then the player only agrees, or asks for it again. `version`: of
    the match's log.
    """
    agrees, chairs = AGREES[proposal], [chair for chair in entry.chairs if chair.is_asked_itself]
    if any(map(agrees, chairs)):
        return []
    asked = [chair for chair in chairs if chair.seat != by]
    about = entry, version, proposal, by
    return [one for chair in asked for one in propose(*about, chair.player or "", chair.seat, now, heir)]


def propose(
    entry: Entry,
    version: int,
    proposal: str,
    by: int,
    player: str,
    seat: int,
    now: datetime,
    heir: Heir | None = None,
) -> list[Statement]:
    """Return the statements that note the proposal for one player. They are told once while the log stays as it is."""
    return notices.note(
        Notice(
            notices.PROPOSAL,
            entry.id,
            entry.game,
            player,
            seat,
            clock.stamp(now),
            more={"proposal": proposal, "by": by, **({"heir": heir} if heir else {})},
            mark=f"{proposal} {by} {version}" + (f" {heir.player} {heir.bot}" if heir else ""),
        ),
        now,
    )


def read_proposal(one: Delivery) -> Proposed:
    """Return what a notice proposes."""
    return msgspec.json.decode(one.body, type=Proposed)


def offers_seat(one: Delivery) -> bool:
    """Return whether the notice offers a seat. Then its player may not see the match yet."""
    return one.kind == notices.PROPOSAL and read_proposal(one).proposal == SEAT


def match_if_true(store: Reader, one: Delivery) -> Entry | None:
    """Return the match of a notice if that still holds for its player. Whether its decision is open is not judged."""
    entry = Lobby(store).find(one.home)
    if entry is None or one.seat is None:
        return None
    chair = entry.chairs[one.seat]
    if one.kind == notices.PROPOSAL:
        is_true = not entry.is_over and _is_waiting(store, entry, one, chair)
    elif one.kind == notices.INVITATION:
        is_true = entry.status == "open" and chair.is_free and chair.reserved == one.player
    else:
        is_true = chair.player == one.player and (one.kind != notices.STAND_IN or chair.stand_in is not None)
    return entry if is_true else None


def _is_waiting(store: Reader, entry: Entry, one: Delivery, chair: Chair) -> bool:
    """Return whether the player of the notice has still to answer its proposal. `chair`: the notice's."""
    proposed = read_proposal(one)
    what, by = proposed.proposal, entry.chairs[proposed.by]
    offer = next((offer for offer in Lobby(store).offers_of(entry.id) if offer.seat == by.seat), None)
    if what == SEAT:
        return offer is not None and offer.heir.player == one.player and not offer.accepted
    if what == PASSING:
        is_made = offer is not None and offer.heir == proposed.heir
        has_agreed = offer is not None and chair.seat in offer.agreed
    else:
        is_made, has_agreed = AGREES[what](by), AGREES[what](chair)
    if what in {PAUSE, RESUME}:  # by one wish of a seat it is paused or resumed, whichever it is not
        is_made &= (Timetable(store).pause(entry.id) is not None) == (what == RESUME)
    return is_made and not has_agreed and chair.player == one.player and chair.is_asked_itself
