"""The answers about statistics of finished matches."""

from __future__ import annotations

from typing import Any, Self

from msgspec import Struct

from service.store import results


class MoveNumbers(Struct, frozen=True):
    """The numbers of moves in matches."""

    least: int
    """The least."""
    most: int
    mean: float
    """The mean."""


class Results(Struct, frozen=True, kw_only=True):
    """The results of a number of matches."""

    matches: int
    """The number of matches."""
    won: int
    """The number of matches in which it alone came first."""
    shared: int
    """The number of matches in which it shared the first place."""
    points: float
    """The mean of the points."""

    @classmethod
    def of(cls, result: results.Result, **more: Any) -> Self:
        """Return the stored result in the form of answers, with the mean of its points."""
        mean = round(result.points / result.matches, 3)
        return cls(matches=result.matches, won=result.won, shared=result.shared, points=mean, **more)


class SeatResults(Results, frozen=True, kw_only=True):
    """The results of a seat."""

    seat: int


class BotResults(Results, frozen=True, kw_only=True):
    """The results of a bot on any seat."""

    bot: str


class OwnResults(Results, frozen=True, kw_only=True):
    """The results of a player in a game with a number of seats."""

    game: str
    seats: int
    """The number of seats."""


class PlayedTable(Struct, frozen=True):
    """The matches with a number of seats."""

    seats: int
    """The number of seats."""
    matches: int
    """The number of matches."""
    moves: MoveNumbers
    """The numbers of moves in the matches."""
    by_seat: list[SeatResults]
    """The results of each seat."""
    by_bot: list[BotResults]
    """The results of each bot."""


class GameStatistics(Struct, frozen=True):
    """The statistics of a game."""

    game: str
    tables: list[PlayedTable]
    """The statistics by number of seats."""


class OwnStatistics(Struct, frozen=True):
    """The statistics of a player."""

    games: list[OwnResults]
