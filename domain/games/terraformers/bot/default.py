"""The default move: the clock plays it for an absent seat."""

from __future__ import annotations

from domain.game import Seat
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.rules.choosing import PASS, PLACES, least_tips
from domain.games.terraformers.state import ACTION, Table


def default(table: Table, seat: Seat) -> TerraformersMove:
    """Return a pass, or, if an action was chosen, the fewest tips that it takes. Rule: TF-8, TF-10."""
    if table.turn.phase is ACTION:
        return PASS
    return PLACES[least_tips(table, table.players[seat]) - 1]
