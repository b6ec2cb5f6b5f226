"""The abilities of familiars: those that fire by themselves, and those that are paid for."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.troll_master.abilities import Redraw, Reduce, Timing, charges
from domain.games.troll_master.events import AbilityFired, AbilityUsed, Events, TrollMasterEvent
from domain.games.troll_master.moves import Use
from domain.games.troll_master.printed import Uses
from domain.games.troll_master.rules.preparation import draw
from domain.games.troll_master.state import Owned, Place, Stage, Step, Table

TIMINGS = {step: Timing[step.name] for step in Step if step.name in Timing.__members__}
"""For each step that is named like a timing: the timing of the abilities that may be paid for, chains apart.

Rule:    TM-17, TM-46.
"""


def fire(place: Place, seat: Seat, at: Timing) -> list[AbilityFired]:
    """Fire each ability without a cost of uncovered familiars once: all gains, then those that charge a card with room.

    Rule:    TM-37, TM-42, TM-47.
    """
    fired: list[AbilityFired] = []
    for owned in place.familiars:
        for ability in owned.card.fires[at]:
            fired.append(AbilityFired(seat, owned.card.name, ability))
    charging = [(owned.card.name, ability) for owned in place.familiars for ability in owned.card.charging[at]]
    if not charging:
        return fired
    room = {owned.card.name: owned.card.ribbons - owned.charges for owned in place.familiars}
    for name, ability in charging:
        charged = charges(ability, name)
        if room.get(charged, 0):
            room[charged] -= 1
            fired.append(AbilityFired(seat, name, ability))
    return fired


def fire_on_success(place: Place, seat: Seat) -> list[TrollMasterEvent]:
    """Fire the abilities of uncovered familiars that a success of an attack sets off. Rule: TM-28."""
    return [
        AbilityFired(seat, owned.card.name, ability) for owned in place.familiars for ability in owned.card.on_success
    ]


def payable(place: Place, at: Timing) -> tuple[Use, ...]:
    """Return the uses of abilities that the seat can pay for with charges of the card on which each is printed.

    Rule:    TM-36.
    """
    found: tuple[Use, ...] = ()
    for owned in place.familiars:
        if owned.charges and (uses := owned.card.uses[at]):
            found += tuple([use for use in uses if use.ability.cost <= owned.charges])
    return found


def offered(stage: Stage, owned: Owned, chain_at: Timing) -> Uses:
    """Return the uses of a card's abilities that the step allows, whether or not its charges suffice.

    Rule:    TM-46, TM-47.
    """
    if stage.step is Step.CHAIN:
        return tuple(chain.use for chain in owned.card.chains[chain_at])
    uses = owned.card.uses[TIMINGS[stage.step]]
    return useful(uses) if stage.has_acquired else uses


def useful(uses: Uses) -> Uses:
    """Return the uses that a summon still allows after a familiar was acquired: no reduction, as no cost is left.

    Rule:    TM-47.
    """
    return tuple([use for use in uses if not isinstance(use.ability, Reduce)])


def use(table: Table, seat: Seat, move: Use, chance: Chance) -> Events:
    """Pay for an ability. An ability that draws is followed by its draw.

    Rule:    TM-17, TM-36, TM-46.
    Raises:  Refusal when the seat has no such familiar, it has no such ability now, or too few charges.
    """
    stage, place = table.stage, table.places[seat]
    owned = next((owned for owned in place.familiars if owned.card.name == move.familiar), None)
    if owned is None:
        raise Refusal("TM-36", "no-such-familiar", familiar=move.familiar.en, ja=move.familiar.ja)
    if move not in offered(stage, owned, table.terms.printed.row[stage.action].timing):
        raise Refusal("TM-35", "no-such-ability", familiar=move.familiar.en, ja=move.familiar.ja)
    if move.ability.cost > owned.charges:
        raise Refusal(
            "TM-36",
            "cannot-pay",
            familiar=move.familiar.en,
            ja=move.familiar.ja,
            cost=move.ability.cost,
            charges=owned.charges,
        )
    used = AbilityUsed(seat, move.familiar, move.ability)
    return (used, *draw(table, seat, chance)) if isinstance(move.ability, Redraw) else (used,)
