"""The figures of a match from which the pack's balance is judged: how often each win and call is used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.game import Measure, Seat
from domain.games.three_magic.events import DealStarted, Pledged, ReachDeclared, RonDeclared, TsumoDeclared

USES: dict[type[Any], str] = {ReachDeclared: "reach", TsumoDeclared: "tsumo", RonDeclared: "ron"}


def measure(events: Iterable[Any]) -> Measure:
    """Return the deals, and the seats that ever declared reach, pledged a pon or a chi, or won by tsumo or ron."""
    deals, first = 0, None
    users: dict[str, set[Seat]] = {name: set() for name in ("reach", "pon", "chi", "tsumo", "ron")}
    for event in events:
        kind = type(event)
        if kind is DealStarted:
            deals += 1
            first = event.manager if first is None else first
        elif kind is Pledged:
            users[event.call].add(event.seat)
        elif kind in USES:
            users[USES[kind]].add(event.seat)
    uses = tuple((name, tuple(sorted(seats))) for name, seats in users.items())
    return Measure(rounds=deals, uses=uses, first=first)
