"""Refuses what is not for a seat to do now. It reads nothing that the seat may not know."""

from __future__ import annotations

from domain.game import Refusal, Seat
from domain.games.magicative.state import OVER, Step, Table


def check_step(table: Table, seat: Seat, *steps: Step) -> Step:
    """The step of the turn, which must be one of those that a move belongs to.

    Rule:    MG-4, MG-6, MG-17.
    Raises:  Refusal of a seat that is not in turn, and of a move of another step.
    """
    stage = table.stage
    if stage.seat == seat and stage.step in steps:
        return stage.step
    if stage.step is OVER:
        raise Refusal("MG-17", "over")
    if stage.seat != seat:
        raise Refusal("MG-4", "not-your-turn", seat=stage.seat)
    raise Refusal("MG-6", "wrong-step", step=stage.step.value)
