"""What matches are counted by: how often each planet card is used, and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.game import Measure, Seat, Value
from domain.games.terraformers.events import (
    AbilityCopied,
    CardUsed,
    MarkerDrawn,
    MatchEnded,
    PlanetLaid,
    RoundStarted,
    SpeciesAcquired,
    SpeciesGuarded,
)


class Use(Value, frozen=True):
    """What became of a planet card in a match."""

    card: str
    times: tuple[int, ...]
    """A seat: how often it used the box card, or acquired the species."""
    guarded: int
    copied: int


class Tally(Value, frozen=True):
    """A match by its cards."""

    rounds: int
    """Rounds that were begun."""
    cards: tuple[Use, ...]
    """In table order."""
    points: tuple[int, ...]
    ranking: tuple[int, ...]


def tally(events: Iterable[Any]) -> Tally:
    """Count a whole match; events that are not the game's are passed over."""
    rounds = 0
    names: tuple[str, ...] = ()
    done: list[tuple[str, int]] = []
    guarded: list[str] = []
    copied: list[str] = []
    points: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()
    for event in events:
        match event:
            case PlanetLaid(cards=cards):
                names = tuple(card.name for card in cards)
            case RoundStarted(round=number):
                rounds = number
            case CardUsed(card=card, seat=seat) | SpeciesAcquired(card=card, seat=seat):
                done.append((card.name, seat))
            case SpeciesGuarded(card=card):
                guarded.append(card.name)
            case AbilityCopied(copied=card):
                copied.append(card.name)
            case MatchEnded():
                points, ranking = event.points, event.ranking
            case _:
                pass
    seats = range(len(points))
    uses = (
        Use(name, tuple(done.count((name, seat)) for seat in seats), guarded.count(name), copied.count(name))
        for name in names
    )
    return Tally(rounds=rounds, cards=tuple(uses), points=points, ranking=ranking)


def measure(events: Iterable[Any]) -> Measure:
    """The rounds, who began, and the seats that used each box card or acquired each species of the planet."""
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
