"""Which abilities of a card may be paid for at a step: what there is to be touched on it."""

from __future__ import annotations

from domain.games.troll_master.abilities import Chain, Paid
from domain.games.troll_master.components import Kind
from domain.games.troll_master.printed import Face
from domain.games.troll_master.rules.abilities import TIMINGS
from domain.games.troll_master.state import Step


def usable(card: Face, step: Step, kind: Kind) -> tuple[Paid, ...]:
    """In the order in which they are printed; `kind` is that of the action which is done. Rule: TM-46, TM-48."""
    if step is Step.CHAIN:
        return tuple(one for one in card.abilities if isinstance(one, Chain) and one.at == kind.value)
    if step not in TIMINGS:
        return ()
    at = TIMINGS[step].name.lower()
    return tuple(
        one
        for one in card.abilities
        if isinstance(one, Paid) and one.at == at and one.cost and not isinstance(one, Chain)
    )
