"""Refuses what is not for a seat to do now. It reads nothing that the seat may not know."""

from __future__ import annotations

from domain.game import Refusal, Seat
from domain.games.magicative.state import OVER, Step, Table

WANTED = {
    Step.START: "draw, or use Fate",
    Step.TURN: "do something of your turn, or discard a card to end it",
    Step.SWAP: "name the hand card that you give",
    Step.FORMULA: "name the formula, with its innocents",
    Step.APTITUDE: "choose the school of an aptitude card",
    Step.ARRANGE: "say which card lies next from the top",
    Step.PUT: "name a hand card that goes into your row",
    Step.TAKE: "take a card of your row",
    Step.IMITATE: "name the hand card that counts as innocent",
    Step.DECLARE: "name the school of the formula with that innocent",
}


def check_step(table: Table, seat: Seat, *steps: Step) -> Step:
    """Refuse a seat that is not in turn, and a move of another step; else the step.

    Rule:    MG-4, MG-6, MG-17.
    """
    stage = table.stage
    if stage.seat == seat and stage.step in steps:
        return stage.step
    if stage.step is OVER:
        raise Refusal("MG-17", "over", "The match is over.")
    if stage.seat != seat:
        raise Refusal("MG-4", "not-your-turn", "It is not your turn.")
    raise Refusal("MG-6", "wrong-step", f"You are to {WANTED[stage.step]}.")
