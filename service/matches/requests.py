"""Requests: what players ask of each other beside the game, which no event tells.

A seat is offered to a player, or the others are asked to agree: that it is passed on, that the match is broken off,
paused or resumed. Each is noted in the transaction that stores it, and told as long as it waits for an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import msgspec

from service import clock
from service.matches.states import Lobby, Position
from service.store import Chair, Delivery, Entry, Notice, Statement, notices

SEAT, PASSING, ABORT, PAUSE, RESUME = REQUESTS = ("seat", "passing", "abort", "pause", "resume")
"""An offered seat; and what needs agreement: that a seat is passed on, and an end, a pause and its end."""

AGREES: dict[str, Callable[[Chair], bool]] = {
    PASSING: lambda _: False,
    ABORT: lambda chair: chair.agreed,
    PAUSE: lambda chair: chair.pausing,
    RESUME: lambda chair: chair.pausing,
}
"""Whether the seat's player agrees already, as far as the seat itself says it."""


class Asked(msgspec.Struct, frozen=True):
    """The part of a notice's body that is a request."""

    request: str
    by: int
    """The seat whose player asks."""


def ask_others(position: Position, request: str, by: int, now: datetime) -> list[Statement]:
    """Return the statements that note the request of the seat's player for all who must agree and have not yet.

    There are none if the player has asked for it before.
    """
    agrees, chairs = AGREES[request], position.entry.chairs
    asked = [chair for chair in chairs if chair.is_asked_itself and chair.seat != by and not agrees(chair)]
    if agrees(chairs[by]):
        return []
    return [one for chair in asked for one in ask(position, request, by, chair.player or "", chair.seat, now)]


def ask(position: Position, request: str, by: int, player: str, seat: int, now: datetime) -> list[Statement]:
    """Return the statements that note the request for one player. They are told once while the log stays as it is."""
    entry = position.entry
    return notices.note(
        Notice(
            notices.REQUEST,
            entry.id,
            entry.game,
            player,
            seat,
            clock.stamp(now),
            more={"request": request, "by": by},
            mark=f"{request} {by} {position.truth.version}",
        ),
        now,
    )


def read_request(one: Delivery) -> Asked:
    """Return what a notice asks."""
    return msgspec.json.decode(one.body, type=Asked)


def is_waiting(lobby: Lobby, entry: Entry, one: Delivery) -> bool:
    """Return whether the player of the notice has still to answer its request."""
    asked = read_request(one)
    if entry.is_over or one.seat is None:
        return False
    if asked.request in {SEAT, PASSING}:
        offer = next((offer for offer in lobby.offers_of(entry.id) if offer.seat == asked.by), None)
        if offer is None:
            return False
        if asked.request == SEAT:
            return offer.heir.player == one.player and not offer.accepted
        agreed = one.seat in offer.agreed
    else:
        agrees = AGREES[asked.request]
        agreed = agrees(entry.chairs[one.seat]) or not agrees(entry.chairs[asked.by])
    chair = entry.chairs[one.seat]
    return chair.player == one.player and chair.is_asked_itself and not agreed
