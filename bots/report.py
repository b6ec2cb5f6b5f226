"""What many matches of bots come to, in the figures that `python -m bots play` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
from rich.console import Console
from rich.table import Table

from bots.simulate import Played
from domain.game import Measure


class Moves(msgspec.Struct):
    """How many moves, or rounds, a match has."""

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
    wins_by_turn: list[float]
    """Wins in the order of turns from the seat that began; empty where the matches don't tell which did."""
    wins_by_bot: dict[str, float]
    points_by_bot: dict[str, int]
    """Sums, like the wins: of all matches and all seats that the bot had."""
    longest_legal: int
    rounds: Moves
    """Rounds or deals a match."""
    uses: dict[str, Use]
    """The least used first."""


class Use(msgspec.Struct):
    """What became of a card or a special that matches had to offer."""

    offered: int
    """Matches."""
    used: float
    """Share of those in which any seat used it."""
    won: float
    """Share of the seats that used it which won; without effect, one over the number of seats. 0 if none used it."""


Result = tuple[tuple[str, ...], Played, Measure]
"""The bots in their seats' order, how the match went, and what it tells about the pack."""


def uses_of(results: Iterable[Result]) -> dict[str, Use]:
    """By card or special, in how many matches it was offered and used, and how often its users won."""
    offered: Counter[str] = Counter()
    used: Counter[str] = Counter()
    users: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for _, played, measure in results:
        for name, seats in measure.uses:
            offered[name] += 1
            used[name] += bool(seats)
            users[name] += len(seats)
            won[name] += sum(played.ranking[seat] == 1 for seat in seats)
    found = {
        name: Use(offered=count, used=round(used[name] / count, 4), won=round(won[name] / max(1, users[name]), 4))
        for name, count in offered.items()
    }
    return dict(sorted(found.items(), key=lambda item: item[1].used))


def wins_by_turn(seats: int, results: list[Result]) -> list[float]:
    """Wins in the order of turns from the seat that began; nothing when some match does not tell which did."""
    wins = [0.0] * seats
    for _, played, measure in results:
        if measure.first is None:
            return []
        share = 1 / played.ranking.count(1)
        for seat, place in enumerate(played.ranking):
            if place == 1:
                wins[(seat - measure.first) % seats] += share
    return [round(won, 3) for won in wins]


def tally(game: str, seats: int, results: list[Result], seconds: float) -> Report:
    """The figures of all these matches."""
    wins_by_seat = [0.0] * seats
    names = sorted({name for order, _, _ in results for name in order})
    wins, points = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    for order, played, _ in results:
        share = 1 / played.ranking.count(1)
        for seat, name in enumerate(order):
            points[name] += played.points[seat]
            if played.ranking[seat] == 1:
                wins_by_seat[seat] += share
                wins[name] += share
    moves = sum(played.moves for _, played, _ in results)
    return Report(
        game=game,
        seats=seats,
        matches=len(results),
        moves=moves,
        events=sum(played.events for _, played, _ in results),
        seconds=round(seconds, 3),
        moves_per_s=round(moves / seconds, 1),
        moves_a_match=_moves([played.moves for _, played, _ in results]),
        wins_by_seat=[round(won, 3) for won in wins_by_seat],
        wins_by_turn=wins_by_turn(seats, results),
        wins_by_bot={name: round(won, 3) for name, won in wins.items()},
        points_by_bot=points,
        longest_legal=max(played.longest_legal for _, played, _ in results),
        rounds=_moves([measure.rounds for _, _, measure in results]),
        uses=uses_of(results),
    )


def _moves(counts: list[int]) -> Moves:
    return Moves(mean=round(sum(counts) / len(counts), 1), max=max(counts))


def show(report: Report) -> None:
    """Print the figures for people."""
    console = Console(highlight=False)
    matches = "match" if report.matches == 1 else "matches"
    console.print(
        f"{report.game}: {report.matches:,} {matches}, {report.moves:,} moves, {report.events:,} events "
        f"in {report.seconds:,.2f} s: {report.moves_per_s:,.0f} moves/s"
    )
    console.print(
        f"moves a match: {report.moves_a_match.mean:,.1f} on average, {report.moves_a_match.max:,} at most; "
        f"longest list of legal moves: {report.longest_legal}"
    )
    console.print("wins by seat: " + ", ".join(f"{seat}: {won:,g}" for seat, won in enumerate(report.wins_by_seat)))
    if report.wins_by_turn:
        fair = report.matches / report.seats
        shares = (f"{won:,g} ({won / fair:.2f})" for won in report.wins_by_turn)
        console.print("wins by turn, from who began (1 is fair): " + ", ".join(shares))
    table = Table("bot", "wins", "points", box=None)
    for name, won in report.wins_by_bot.items():
        table.add_row(name, f"{won:,g}", f"{report.points_by_bot[name]:,}")
    console.print(table)
    console.print(f"rounds a match: {report.rounds.mean:,.1f} on average, {report.rounds.max:,} at most")
    if report.uses:
        used = Table("used", "offered", "used in", "users who won", box=None)
        for name, use in report.uses.items():
            used.add_row(name, f"{use.offered:,}", f"{use.used:.1%}", f"{use.won:.1%}")
        console.print(used)
