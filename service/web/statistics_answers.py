"""What is answered about what is counted of finished matches: each a struct."""

from __future__ import annotations

from typing import Any, Self

from msgspec import Struct

from service.store import statistics


class MoveNumbers(Struct, frozen=True):
    """How many moves matches took."""

    least: int
    """The least."""
    most: int
    mean: float
    """The mean."""


class Results(Struct, frozen=True, kw_only=True):
    """What was reached in so many matches."""

    matches: int
    """How many matches there were."""
    won: int
    """How many were won as the only first."""
    shared: int
    """How many were ended as one of several firsts."""
    points: float
    """Their mean."""

    @classmethod
    def of(cls, found: statistics.Result, **more: Any) -> Self:
        """Return what was found, with the mean of its points."""
        mean = round(found.points / found.matches, 3)
        return cls(matches=found.matches, won=found.won, shared=found.shared, points=mean, **more)


class SeatResults(Results, frozen=True, kw_only=True):
    """Of whoever sat there."""

    seat: int


class BotResults(Results, frozen=True, kw_only=True):
    """Of a bot, on whatever seat."""

    bot: str


class OwnResults(Results, frozen=True, kw_only=True):
    """Of a player in a game with so many seats."""

    game: str
    seats: int
    """With how many seats."""


class PlayedTable(Struct, frozen=True):
    """Matches with so many seats."""

    seats: int
    """With how many seats."""
    matches: int
    """How many matches were played."""
    moves: MoveNumbers
    """How many moves the matches took."""
    by_seat: list[SeatResults]
    """How seats did, a row for each."""
    by_bot: list[BotResults]
    """How bots did, a row for each."""


class GameStatistics(Struct, frozen=True):
    """What is counted of a game, by number of seats."""

    game: str
    tables: list[PlayedTable]
    """What is counted, by number of seats."""


class OwnStatistics(Struct, frozen=True):
    """What is counted of a player."""

    games: list[OwnResults]
