"""The figures of a match from which the pack's balance is judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.game import Measure, Seat
from domain.games.troll_master.events import (
    FamiliarsLaidOut,
    FamiliarSummoned,
    FamiliarTrained,
    PointsCounted,
    RoundStarted,
)


def measure(told: Iterable[Any]) -> Measure:
    """Return how many rounds were played to their end, who began, and which seats acquired each familiar laid out."""
    rounds, first = 0, None
    users: dict[str, set[Seat]] = {}
    for event in told:
        kind = type(event)
        if kind is FamiliarSummoned or kind is FamiliarTrained:
            users[event.familiar.en].add(event.seat)
        elif kind is PointsCounted:
            rounds = event.round
        elif kind is RoundStarted and event.round == 1:
            first = event.start
        elif kind is FamiliarsLaidOut:
            users = {name.en: set() for name in event.familiars}
    uses = tuple((name, tuple(sorted(seats))) for name, seats in users.items())
    return Measure(rounds=rounds, uses=uses, first=first)
