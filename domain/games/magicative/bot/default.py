"""The default move: the clock plays it for an absent seat."""

from __future__ import annotations

from domain.game import Seat
from domain.games.magicative.bot.hopes import prospects, worth_of_hand
from domain.games.magicative.components import ONE
from domain.games.magicative.moves import Discard, MagicativeMove
from domain.games.magicative.rules.turn import DRAW, legal
from domain.games.magicative.state import START, TURN, Table, held


def default(seen: Table, seat: Seat) -> MagicativeMove:
    """Return the move of an absent seat: draw, discard what the hand misses least, else take the first legal move."""
    step = seen.stage.step
    if step is START:
        return DRAW
    moves = legal(seen, seat)
    if step is not TURN:
        return moves[0]
    place = seen.places[seat]
    pile, hoped = held(place.hand), prospects(seen.terms.pack, place.won.formulas)
    discards = [move for move in moves if isinstance(move, Discard)]
    return max(discards, key=lambda move: worth_of_hand(pile - ONE[move.card], hoped), default=moves[-1])
