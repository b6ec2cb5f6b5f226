"""How good a position looks: what is scored and what should come, less a part of what the others have of it."""

from __future__ import annotations

from domain.chance import Scripted
from domain.game import Seat
from domain.games.terraformers.bot.prospects import prospects
from domain.games.terraformers.evolve import evolve
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.rules import decide, legal
from domain.games.terraformers.state import ACTION, OVER, RESOLVING, Table

RIVALS = 0.5
"""What the others' prospects count against one's own, on average."""
FEW = 5
SETTLED = frozenset((RESOLVING, ACTION, OVER))
NO_CHANCE = Scripted()


def evaluate(table: Table, seat: Seat) -> float:
    """How many points the seat's position looks worth, less a part of what the others' do.

    While the seat places tips, it is worth what the best number of them makes of it: of a long list only few tips and
    all of them are tried.
    """
    if table.turn.seat == seat and table.turn.phase not in SETTLED:
        moves = legal(table, seat)
        return max(_settled(_after(table, seat, move), seat) for move in (*moves[:FEW], *moves[FEW:][-1:]))
    return _settled(table, seat)


def _after(table: Table, seat: Seat, move: TerraformersMove) -> Table:
    for event in decide(table, seat, move, NO_CHANCE):
        table = evolve(table, event)
    return table


def _settled(table: Table, seat: Seat) -> float:
    hopes = prospects(table)
    own = hopes[seat]
    return own - RIVALS * (sum(hopes) - own) / (len(hopes) - 1)
