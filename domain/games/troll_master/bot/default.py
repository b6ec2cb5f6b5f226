"""The default move: the clock plays it for an absent seat whose time is up."""

from __future__ import annotations

from domain.game import Seat
from domain.games.troll_master.moves import ChainTo, Reveal, TrollMasterMove
from domain.games.troll_master.rules.preparation import discards
from domain.games.troll_master.rules.turn import ANSWER, ATTACK, DONE, PASS, legal
from domain.games.troll_master.state import Step, Table


def default(table: Table, seat: Seat) -> TrollMasterMove:
    """Return the move of an absent seat: use nothing, pass or carry on; place leftmost, discard the last card dealt.

    Rule:    TM-8, TM-14, TM-23, TM-46.
    """
    choices = legal(table, seat)
    for move in (PASS, DONE, ATTACK, ANSWER):
        if move in choices:
            return move
    if table.stage.step is Step.DISCARD:
        return next(move for move in discards(table, seat) if move.card is table.places[seat].hand[-1])
    return min((move for move in choices if isinstance(move, Reveal | ChainTo)), key=lambda move: move.action)
