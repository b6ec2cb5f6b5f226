"""The figures about many matches of bots that `python -m bots play` prints."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NamedTuple

import click
import msgspec
from rich.console import Console
from rich.table import Table

from bots.arena import Cell, Tried
from bots.fitting import Fit
from bots.simulate import Played
from domain.game import Measure

WIDE = 400
"""The most letters of a line where no terminal sets a bound."""


class Moves(msgspec.Struct):
    """The number of moves, or of rounds, in a match."""

    mean: float
    max: int


class Report(msgspec.Struct):
    """The JSON that is printed. Moves include forced ones, answers under seal, and their closings."""

    game: str
    seats: int
    matches: int
    moves: int
    events: int
    seconds: float
    moves_per_s: float
    moves_a_match: Moves
    wins_by_seat: list[float]
    """A shared win counts as a fraction for each seat that shares it."""
    wins_by_turn: list[float]
    """Wins in turn order from the seat that began; empty if the matches don't say which did."""
    wins_by_bot: dict[str, float]
    points_by_bot: dict[str, int]
    """Sums over all matches and all seats that the bot had, like the wins."""
    longest_legal: int
    rounds: Moves
    """Rounds or deals in a match."""
    uses: dict[str, Use]
    """By card or special, least used first."""


class Use(msgspec.Struct):
    """How a card or a special was used in the matches that offered it."""

    offered: int
    """The number of matches."""
    used: float
    """The share of these in which any seat used it."""
    won: float
    """The share of winners among the seats that used it; 0 if none did. One over the number of seats is no effect."""


class Outcome(NamedTuple):
    """How a match went."""

    names: tuple[str, ...]
    """The bots in their seats' order."""
    played: Played
    measure: Measure
    """What the match says about the pack."""
    seconds: float


def uses_of(results: Iterable[Outcome]) -> dict[str, Use]:
    """Return by card or special how many matches offered it, how many used it, and how often its users won."""
    # for each match that offered it: whether each of the seats that used it won
    by_name: dict[str, list[list[bool]]] = {}
    for _, played, measure, _ in results:
        for name, seats in measure.uses:
            by_name.setdefault(name, []).append([played.ranking[seat] == 1 for seat in seats])
    uses = {}
    for name, matches in by_name.items():
        users = [has_won for match in matches for has_won in match]
        used = sum(map(bool, matches)) / len(matches)
        uses[name] = Use(len(matches), used=round(used, 4), won=round(sum(users) / max(1, len(users)), 4))
    return dict(sorted(uses.items(), key=lambda item: item[1].used))


def tally(game: str, seats: int, results: list[Outcome]) -> Report:
    """Return the figures of all these matches."""
    by_seat, by_turn = [0.0] * seats, [0.0] * seats
    names = sorted({name for result in results for name in result.names})
    wins, points = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    for order, played, measure, _ in results:
        share = 1 / played.ranking.count(1)
        for seat, name in enumerate(order):
            points[name] += played.points[seat]
            if played.ranking[seat] == 1:
                by_seat[seat] += share
                by_turn[(seat - (measure.first or 0)) % seats] += share
                wins[name] += share
    has_turns = all(result.measure.first is not None for result in results)
    moves, seconds = sum(result.played.moves for result in results), sum(result.seconds for result in results)
    return Report(
        game=game,
        seats=seats,
        matches=len(results),
        moves=moves,
        events=sum(result.played.events for result in results),
        seconds=round(seconds, 3),
        moves_per_s=round(moves / seconds, 1),
        moves_a_match=_moves([result.played.moves for result in results]),
        wins_by_seat=[round(won, 3) for won in by_seat],
        wins_by_turn=[round(won, 3) for won in by_turn] if has_turns else [],
        wins_by_bot={name: round(won, 3) for name, won in wins.items()},
        points_by_bot=points,
        longest_legal=max(result.played.longest_legal for result in results),
        rounds=_moves([result.measure.rounds for result in results]),
        uses=uses_of(results),
    )


def _moves(counts: list[int]) -> Moves:
    return Moves(mean=round(sum(counts) / len(counts), 1), max=max(counts))


def _console() -> Console:
    """Return where figures are printed: as wide as the terminal, and in a file or a pipe as wide as they need."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)


def show(report: Report) -> None:
    """Print the figures as text."""
    console = _console()
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


def show_cells(title: str, cells: list[Cell]) -> None:
    """Print how bots did against a field, as text."""
    console = _console()
    console.print(f"{title}: share of firsts, with its interval (95 %)")
    table = Table("bot", "matches", "firsts", "95 %", "fair", "ms", "worlds", "leaves", "leaves/s", box=None)
    for cell in cells:
        found = (f"{figure:,.0f}" for figure in (cell.ms, cell.worlds, cell.leaves, cell.leaves_per_s))
        between = f"{cell.low:.0%}-{cell.high:.0%}"
        table.add_row(cell.bot, f"{cell.matches:,}", f"{cell.share:.1%}", between, f"{cell.fair:.1%}", *found)
    console.print(table)


def show_tried(title: str, tried: list[Tried]) -> None:
    """Print how a searcher did with other numbers, as text."""
    console = _console()
    console.print(f"{title}: share of firsts, and its gain over the game's own numbers (95 %)")
    table = Table("numbers", "matches", "firsts", "gain", "95 %", "ms", box=None)
    for one in tried:
        numbers = ", ".join(f"{name} = {value:g}" for name, value in one.numbers.items()) or "its own"
        between = f"{one.low:+.0%} to {one.high:+.0%}"
        figures = (f"{one.cell.matches:,}", f"{one.cell.share:.1%}", f"{one.gain:+.1%}", between, f"{one.cell.ms:,.0f}")
        table.add_row(numbers, *figures)
    console.print(table)


def show_fits(game: str, fits: list[Fit]) -> None:
    """Print the fitted curves as the lines of `search.toml`, and how well they tell what happens."""
    lines = [f"    [{fit.seats}, {fit.start:.3g}, {fit.end:.3g}]," for fit in fits]
    click.echo("\n".join(["scale = [", *lines, "]"]))
    for fit in fits:
        click.echo(
            f"# {game}, {fit.seats} seats, {fit.matches} matches of greedy bots: the place that is expected is off by"
            f" {fit.error:.3f} on average (ECE), {fit.loss:.3f} nats a position ({fit.fair:.3f} without looking)"
        )
