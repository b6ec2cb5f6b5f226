"""The abilities of a card that may be paid for at a step, and so may be touched."""

from __future__ import annotations

from domain.games.troll_master.abilities import Chain, Paid
from domain.games.troll_master.components import Kind
from domain.games.troll_master.printed import Face
from domain.games.troll_master.rules.abilities import TIMINGS
from domain.games.troll_master.state import Step


def usable(card: Face, step: Step, kind: Kind) -> tuple[Paid, ...]:
    """Return them in the order in which they are printed; `kind` is that of the action which is being done.

    Rule:    TM-46, TM-48.
    """
    if step is Step.CHAIN:
        return tuple(ability for ability in card.abilities if isinstance(ability, Chain) and ability.at == kind.value)
    if step not in TIMINGS:
        return ()
    return tuple(
        ability
        for ability in card.abilities
        if isinstance(ability, Paid) and ability.at == step.value and ability.cost and not isinstance(ability, Chain)
    )
