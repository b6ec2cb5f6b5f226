"""Refuses moves that are not for a seat to make now. It reads nothing that the seat may not know."""

from __future__ import annotations

from domain.game import Refusal, Seat
from domain.games.magicative.state import OVER, Step, Table


def check_step(table: Table, seat: Seat, *steps: Step) -> Step:
    """Return the step of the turn, which must be one of those to which a move belongs.

    Rule:    MG-4, MG-6, MG-17.
    Raises:  Refusal if the seat is not in turn, or the move belongs to another step.
    """
    stage = table.stage
    if stage.seat == seat and stage.step in steps:
        return stage.step
    if stage.step is OVER:
        raise Refusal("MG-17", "over")
    if stage.seat != seat:
        raise Refusal("MG-4", "not-your-turn", seat=stage.seat)
    raise Refusal("MG-6", "wrong-step", step=stage.step.value)
