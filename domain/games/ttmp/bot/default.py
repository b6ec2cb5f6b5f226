"""The default move: the clock plays it for an absent seat."""

from __future__ import annotations

from domain.game import Seat
from domain.games.ttmp.moves import KeepDice, LeaveDice, StockNothing, TtmpMove
from domain.games.ttmp.rules import legal
from domain.games.ttmp.state import ACTION, AFTER, STOCK, Table


def default(table: Table, seat: Seat) -> TtmpMove:
    """Return the move that does nothing, or the first in the list if there is none. Rule: TT-8, TT-11, TT-12."""
    step = table.stage.step
    if step is ACTION:
        return KeepDice()
    if step is AFTER:
        return LeaveDice()
    if step is STOCK:
        return StockNothing()
    return legal(table, seat)[0]
