"""Judges a position: the points scored and expected, less a part of those of the others."""

from __future__ import annotations

from functools import lru_cache

from domain.chance import Scripted
from domain.game import Seat, Terms, total
from domain.games.terraformers.bot.prospects import prospects
from domain.games.terraformers.components import ROUNDS
from domain.games.terraformers.evolve import evolve
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.rules import decide, legal
from domain.games.terraformers.state import ACTION, OVER, RESOLVING, Table

RIVALS = 0.5
"""How much the others' mean prospects count against the seat's own."""
FEW = 5
SETTLED = frozenset((RESOLVING, ACTION, OVER))
NO_CHANCE = Scripted()


# Nothing is hidden, so a bot that searches comes to the same tables again and again, in one world as in another.
@lru_cache(maxsize=1 << 12)
def evaluate(table: Table, seat: Seat) -> float:
    """Return the points that the seat's position seems to be worth, less a part of the others'. See `terms`."""
    return total(terms(table, seat).values())


def terms(table: Table, seat: Seat) -> Terms:
    """Return the seat's points, those that it may still get, and a part of those of the others, taken off.

    While the seat places tips, this is the worth after the best number of them: of a long list, only a few small
    numbers and the greatest are tried.
    """
    if table.turn.seat == seat and table.turn.phase not in SETTLED:
        moves = legal(table, seat)
        ends = [_settled(_after(table, seat, move), seat) for move in (*moves[:FEW], *moves[FEW:][-1:])]
        return max(ends, key=lambda end: total(end.values()))
    return _settled(table, seat)


def _after(table: Table, seat: Seat, move: TerraformersMove) -> Table:
    for event in decide(table, seat, move, NO_CHANCE):
        table = evolve(table, event)
    return table


def _settled(table: Table, seat: Seat) -> Terms:
    hopes = prospects(table)
    own, points = hopes[seat], table.players[seat].points
    return {"points": points, "hopes": own - points, "rivals": -RIVALS * (total(hopes) - own) / (len(hopes) - 1)}


def progress(table: Table) -> float:
    """Return the part of the rounds that is over."""
    return 1.0 if table.turn.phase is OVER else max(0, table.round - 1) / ROUNDS
