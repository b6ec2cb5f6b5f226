"""The figures of a match from which the pack's balance is judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.game import Measure, Seat
from domain.games.ttmp import events


def measure(told: Iterable[Any]) -> Measure:
    """Return the rounds, and the seats that ever drew a stone, stocked a card, or used each kind of magic card.

    Shape:   `told` are all events of a match, and nothing in them is hidden.
    """
    rounds, first = 0, None
    users: dict[str, set[Seat]] = {"stone": set(), "stock": set()}
    for event in told:
        kind = type(event)
        if kind is events.CardUsed:
            users.setdefault(event.card.en, set()).add(event.seat)
        elif kind is events.CardStocked:
            users["stock"].add(event.seat)
        elif kind is events.StoneDrawn or kind is events.StoneTaken:
            users["stone"].add(event.seat)
        elif kind is events.RoundBegan:
            rounds += 1
            first = event.start if first is None else first
        elif kind is events.CardsShuffled and not rounds:
            for card in event.cards:
                users.setdefault(card.en, set())
    uses = tuple((name, tuple(sorted(seats))) for name, seats in sorted(users.items()))
    return Measure(rounds=rounds, uses=uses, first=first)
