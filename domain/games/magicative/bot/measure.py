"""The figures of a match from which the pack's balance is judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.game import Measure, Seat
from domain.games.magicative import events
from domain.games.magicative.abilities import Group


def measure(told: Iterable[Any]) -> Measure:
    """Return how many turns were begun, and which seats completed each special, used each artefact, awakened."""
    turns, first = 0, None
    users: dict[str, set[Seat]] = {}
    for event in told:
        kind = type(event)
        if kind is events.TurnStarted:
            turns += 1
        elif kind is events.StartDrawn:
            first = event.seat
        elif kind is events.SpecialCompleted:
            users.setdefault(_name(event.special), set()).add(event.seat)
        elif kind is events.ArtefactUsed:
            users.setdefault(event.artefact.value, set()).add(event.seat)
        elif kind is events.Awakened:
            users.setdefault("awakening", set()).add(event.seat)
    uses = tuple((name, tuple(sorted(seats))) for name, seats in sorted(users.items()))
    return Measure(rounds=turns, uses=uses, first=first)


def _name(special: Group) -> str:
    """Return `equal-runs 2`."""
    fields = (str(getattr(special, name)) for name in special.__struct_fields__)
    return " ".join((str(special.__struct_config__.tag), *fields))
