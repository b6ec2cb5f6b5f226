"""How good a position looks to a seat (a first draft)."""

from __future__ import annotations

from domain.game import Seat
from domain.games.ttmp.state import Table


def evaluate(table: Table, seat: Seat) -> float:
    """Own stones."""
    return float(len(table.places[seat].stones))
