"""How good a position looks, for bots that look one move ahead."""

from __future__ import annotations

from domain.game import Seat
from domain.games.terraformers.state import Table


def evaluate(table: Table, seat: Seat) -> float:
    """In points."""
    return float(table.players[seat].points)
