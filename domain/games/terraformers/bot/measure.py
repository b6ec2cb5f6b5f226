"""The figures of a match from which the pack's balance is judged: which planet cards are used, and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.game import Measure, Seat
from domain.games.terraformers.events import CardUsed, MarkerDrawn, PlanetLaid, RoundStarted, SpeciesAcquired


def measure(events: Iterable[Any]) -> Measure:
    """Return how many rounds there were, who began, and which seats used each box card or acquired each species."""
    rounds, first = 0, None
    users: dict[str, set[Seat]] = {}
    for event in events:
        kind = type(event)
        if kind is CardUsed or kind is SpeciesAcquired:
            users[event.card.name].add(event.seat)
        elif kind is RoundStarted:
            rounds = event.round
        elif kind is MarkerDrawn:
            first = event.seat
        elif kind is PlanetLaid:
            users = {card.name: set() for card in event.cards}
    uses = tuple((name, tuple(sorted(seats))) for name, seats in users.items())
    return Measure(rounds=rounds, uses=uses, first=first)
