"""What a match tells about the pack's balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from domain.game import Measure, Seat, Value
from domain.games.ttmp.events import (
    CardDrawn,
    CardsShuffled,
    CardStocked,
    CardUsed,
    FinalRolled,
    MatchEnded,
    RoundBegan,
    StoneDrawn,
    StoneTaken,
    TurnBegan,
)


class Tally(Value, frozen=True):
    """One match, finished or not."""

    rounds: int
    turns: int
    start: Seat
    """Of the first round."""
    drawn: int
    """Magic cards."""
    stocked: int
    used: tuple[tuple[str, int], ...]
    """By kind of magic card, in the pack's order: how often."""
    stones: tuple[tuple[Seat, int], ...]
    """How many each seat drew, or took from another."""
    points: tuple[tuple[Seat, int], ...]
    """Of the stones with which a seat rolled in the final exam."""
    winners: tuple[Seat, ...]
    """Nobody before the end, and perhaps after it."""


def tally(events: Iterable[Any]) -> Tally:
    """Read a match's events, of which those of other rooms and of the match itself are passed over."""
    count: Counter[str] = Counter()
    used: Counter[tuple[int, str]] = Counter()
    stones: Counter[Seat] = Counter()
    points: dict[Seat, int] = {}
    start = 0
    winners: tuple[Seat, ...] = ()
    for event in events:
        count[type(event).__name__] += 1
        match event:
            case RoundBegan(round=1, start=seat):
                start = seat
            case CardUsed(card=card):
                used[card.number, card.en] += 1
            case StoneDrawn(seat=seat) | StoneTaken(seat=seat):
                stones[seat] += 1
            case FinalRolled(seat=seat, points=own):
                points[seat] = own
            case MatchEnded(winners=winners):
                pass
            case _:
                pass
    return Tally(
        rounds=count[RoundBegan.__name__],
        turns=count[TurnBegan.__name__],
        start=start,
        drawn=count[CardDrawn.__name__],
        stocked=count[CardStocked.__name__],
        used=tuple((name, many) for (_, name), many in sorted(used.items())),
        stones=tuple(sorted(stones.items())),
        points=tuple(sorted(points.items())),
        winners=winners,
    )


def measure(events: Iterable[Any]) -> Measure:
    """The rounds, and the seats that ever drew a stone, stocked a card, or used each kind of magic card.

    Shape:   `events` are a whole match's, and nothing in them is hidden.
    """
    rounds, first = 0, None
    users: dict[str, set[Seat]] = {"stone": set(), "stock": set()}
    for event in events:
        kind = type(event)
        if kind is CardUsed:
            users.setdefault(event.card.en, set()).add(event.seat)
        elif kind is CardStocked:
            users["stock"].add(event.seat)
        elif kind is StoneDrawn or kind is StoneTaken:
            users["stone"].add(event.seat)
        elif kind is RoundBegan:
            rounds += 1
            first = event.start if first is None else first
        elif kind is CardsShuffled and not rounds:
            for card in event.cards:
                users.setdefault(card.en, set())
    uses = tuple((name, tuple(sorted(seats))) for name, seats in sorted(users.items()))
    return Measure(rounds=rounds, uses=uses, first=first)
