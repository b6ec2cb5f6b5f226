"""The tables that a seat may imagine: only the one that it sees."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Seat
from domain.games.terraformers.state import Table


def imagine(seen: Table, seat: Seat | None, chance: Chance) -> Table:
    """Return the same table: every viewer knows all of it. Rule: TF-5."""
    return seen
