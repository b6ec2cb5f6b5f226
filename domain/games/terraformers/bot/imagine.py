"""What else may lie at the table as far as a seat knows: nothing else."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Seat
from domain.games.terraformers.state import Table


def imagine(seen: Table, seat: Seat | None, chance: Chance) -> Table:
    """The same table: whoever sees it knows all of it. Rule: TF-5."""
    return seen
