"""Abilities of familiars: what fires by itself, and what is paid for."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.troll_master.abilities import Redraw, Reduce, Timing, charges
from domain.games.troll_master.events import AbilityFired, AbilityUsed, TrollMasterEvent
from domain.games.troll_master.moves import Use
from domain.games.troll_master.printed import Uses
from domain.games.troll_master.rules.preparation import draw
from domain.games.troll_master.state import Owned, Place, Stage, Step, Table

TIMINGS = {
    Step.PLANNING: Timing.PLANNING,
    Step.SUMMON: Timing.SUMMON,
    Step.BREW: Timing.BREW,
    Step.ATTACK: Timing.ATTACK,
    Step.DEFENCE: Timing.DEFENCE,
    Step.DIVINATION: Timing.DIVINATION,
}
"""When abilities other than chains are paid for. Rule: TM-17, TM-46."""


def fire(place: Place, seat: Seat, at: Timing) -> list[AbilityFired]:
    """The abilities without a cost of uncovered familiars, once each: all gains, then what charges a card with room.

    Rule:    TM-37, TM-42, TM-47.
    """
    told: list[AbilityFired] = []
    for owned in place.familiars:
        for ability in owned.card.fires[at]:
            told.append(AbilityFired(seat, owned.card.name, ability))
    charging = [(owned.card.name, ability) for owned in place.familiars for ability in owned.card.charging[at]]
    if not charging:
        return told
    room = {owned.card.name: owned.card.ribbons - owned.charges for owned in place.familiars}
    for name, ability in charging:
        charged = charges(ability, name)
        if room.get(charged, 0):
            room[charged] -= 1
            told.append(AbilityFired(seat, name, ability))
    return told


def fire_on_success(place: Place, seat: Seat) -> list[TrollMasterEvent]:
    """The abilities of uncovered familiars that a success of an attack sets off. Rule: TM-28."""
    return [
        AbilityFired(seat, owned.card.name, ability) for owned in place.familiars for ability in owned.card.on_success
    ]


def payable(place: Place, at: Timing) -> tuple[Use, ...]:
    """The uses of abilities that the seat can pay for with charges of the very card. Rule: TM-36."""
    found: tuple[Use, ...] = ()
    for owned in place.familiars:
        if owned.charges and (uses := owned.card.uses[at]):
            found += tuple([use for use in uses if use.ability.cost <= owned.charges])
    return found


def offered(stage: Stage, owned: Owned, chain_at: Timing) -> Uses:
    """What stands on a card that may be paid for at this step. Rule: TM-46, TM-47."""
    if stage.step is Step.CHAIN:
        return tuple(chain.use for chain in owned.card.chains[chain_at])
    uses = owned.card.uses[TIMINGS[stage.step]]
    return useful(uses) if stage.has_acquired else uses


def useful(uses: Uses) -> Uses:
    """What may still be paid for in a summon when a familiar was acquired: there is no cost any more. Rule: TM-47."""
    return tuple([use for use in uses if not isinstance(use.ability, Reduce)])


def use(table: Table, seat: Seat, move: Use, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """Pay for an ability; the one that draws is followed by its draw.

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
