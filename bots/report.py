"""What many matches of bots come to, in the figures that `python -m bots play` prints."""

from __future__ import annotations

import msgspec
from rich.console import Console
from rich.table import Table

from bots.simulate import Played


class Moves(msgspec.Struct):
    """Moves a match."""

    mean: float
    max: int


class Report(msgspec.Struct):
    """The JSON that is printed. Moves: forced ones, answers under seal and their closings counted."""

    game: str
    seats: int
    matches: int
    moves: int
    events: int
    seconds: float
    moves_per_s: float
    moves_a_match: Moves
    wins_by_seat: list[float]
    """A win that is shared counts as its fraction for each of those who share it."""
    wins_by_bot: dict[str, float]
    points_by_bot: dict[str, int]
    """Sums, like the wins: of all matches and all seats that the bot had."""
    longest_legal: int


def tally(game: str, seats: int, results: list[tuple[tuple[str, ...], Played]], seconds: float) -> Report:
    """Sum up matches, each with the bots that played it in their seats' order."""
    wins_by_seat = [0.0] * seats
    names = sorted({name for order, _ in results for name in order})
    wins, points = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    for order, played in results:
        share = 1 / played.ranking.count(1)
        for seat, name in enumerate(order):
            points[name] += played.points[seat]
            if played.ranking[seat] == 1:
                wins_by_seat[seat] += share
                wins[name] += share
    moves = sum(played.moves for _, played in results)
    return Report(
        game=game,
        seats=seats,
        matches=len(results),
        moves=moves,
        events=sum(played.events for _, played in results),
        seconds=round(seconds, 3),
        moves_per_s=round(moves / seconds, 1),
        moves_a_match=Moves(mean=round(moves / len(results), 1), max=max(played.moves for _, played in results)),
        wins_by_seat=[round(won, 3) for won in wins_by_seat],
        wins_by_bot={name: round(won, 3) for name, won in wins.items()},
        points_by_bot=points,
        longest_legal=max(played.longest_legal for _, played in results),
    )


def show(report: Report) -> None:
    """Print it for people."""
    console = Console(highlight=False)
    console.print(
        f"{report.game}: {report.matches:,} matches, {report.moves:,} moves, {report.events:,} events "
        f"in {report.seconds:,.2f} s: {report.moves_per_s:,.0f} moves/s"
    )
    console.print(
        f"moves a match: {report.moves_a_match.mean:,.1f} on average, {report.moves_a_match.max:,} at most; "
        f"longest list of legal moves: {report.longest_legal}"
    )
    console.print("wins by seat: " + ", ".join(f"{seat}: {won:,g}" for seat, won in enumerate(report.wins_by_seat)))
    table = Table("bot", "wins", "points", box=None)
    for name, won in report.wins_by_bot.items():
        table.add_row(name, f"{won:,g}", f"{report.points_by_bot[name]:,}")
    console.print(table)
