"""The worth of familiars, mana and charges before they have brought any points. All amounts are in points."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from domain.games.troll_master.abilities import (
    Ability,
    Chain,
    ChargeAnother,
    ChargeItself,
    GainChips,
    GainMana,
    MorePoints,
    Redraw,
    Reduce,
    Strengthen,
)
from domain.games.troll_master.components import GOAL
from domain.games.troll_master.printed import Card
from domain.games.troll_master.state import Owned

ROUNDS_A_MATCH = 8.0
"""The most rounds ahead that count."""
POINTS_A_ROUND = 2.2
"""About what the leader makes in a round."""
OFTEN = 0.3
"""How often in a round a seat does an action of one kind."""
POWER = {3: 0.035, 4: 0.035, 5: 0.07}
"""The worth of one power in each round, by the number of seats: an attack may bring 2, 3 or 4 chips. BALANCE.md says
how the value for five was measured."""
MANA = 0.3
CHARGE = 0.32
"""The worth of a charge on a card that can spend it; a little more than that of the mana that it was."""
LIKELY = 0.45
"""How likely a familiar whose charges are points is full by the end, for the mana that this takes."""
PLENTY = 10
"""Mana above this amount is worth half."""


def horizon(leader: int) -> float:
    """Return about how many rounds are still to come after this one, by the points of who has most."""
    return min(ROUNDS_A_MATCH, max(0.0, (GOAL - leader) / POINTS_A_ROUND))


def worth_of_mana(mana: int, rounds: float) -> float:
    """Return the worth of mana in hand; when the match is about to end, it buys nothing more."""
    use = min(1.0, 0.1 + rounds / 3)
    return use * MANA * (mana if mana <= PLENTY else PLENTY + (mana - PLENTY) / 2)


@lru_cache(maxsize=4096)
def worth_of_card(card: Card, rounds: float, seats: int) -> float:
    """Return the worth of a familiar's points and of its effects in the rounds to come, without its charges."""
    worth = card.points + card.power * POWER[seats] * rounds
    for ability in card.face.abilities:
        worth += _worth_of_ability(ability, rounds)
    return worth


def _worth_of_ability(ability: Ability, rounds: float) -> float:
    match ability:
        case MorePoints():
            return _worth_of_points(ability)
        case ChargeItself() | ChargeAnother():
            return OFTEN * rounds * CHARGE
        case Chain():
            effect = 1.0
        case GainMana(mana=mana) | Reduce(mana=mana):
            effect = MANA * mana
        case GainChips(chips=chips):
            effect = float(chips)
        case Strengthen(power=power):
            effect = 0.12 * power
        case Redraw():
            effect = 0.3
        case _:
            assert_never(ability)
    return OFTEN * rounds * (effect if not ability.cost else max(0.0, effect - CHARGE * ability.cost) / 2)


def _worth_of_points(ability: MorePoints) -> float:
    """Return the worth of a scoring ability, without points for charges, which `worth_of_charge` counts."""
    match ability.of:
        case "itself":
            return float(ability.points)
        case "charges":
            return 0.0
        case "familiars":
            return 0.5 * ability.points
        case _:
            assert_never(ability.of)


def worth_of_charge(card: Card, charges: int, rounds: float) -> float:
    """Return the worth of the charges on a card; if they score, also that of charges still to come."""
    for ability in card.scoring:
        if ability.of == "charges":
            begun = 0.9 * (charges % ability.every) * ability.points / ability.every
            return begun + gain_of_room(card, charges) * LIKELY * min(1.0, rounds / 5)
    return charges * CHARGE * min(1.0, 0.1 + rounds / 3)


def gain_of_room(card: Card, charges: int) -> float:
    """Return what filling a card would bring whose charges are points, less the mana that it takes."""
    for ability in card.scoring:
        if ability.of == "charges":
            more = (card.ribbons // ability.every - charges // ability.every) * ability.points
            return max(0.0, more - MANA * (card.ribbons - charges))
    return 0.0


@lru_cache(maxsize=1 << 12)
def worth_of_familiars(familiars: tuple[Owned, ...], rounds: float, seats: int) -> float:
    """Return the worth of a seat's familiars besides the points that they have now, with that number of seats."""
    worth = 0.0
    for owned in familiars:
        card = owned.card
        worth += worth_of_card(card, rounds, seats) - card.points
        if owned.charges or card.scoring:
            worth += worth_of_charge(card, owned.charges, rounds)
    return worth
