"""Summoning and training familiars, and putting charges on them."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.troll_master.abilities import Timing
from domain.games.troll_master.components import Name
from domain.games.troll_master.events import Events, FamiliarCharged, FamiliarSummoned, FamiliarTrained
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.moves import Charge, Summon, Train
from domain.games.troll_master.printed import Card
from domain.games.troll_master.rules.abilities import payable, useful
from domain.games.troll_master.rules.actions import end_action
from domain.games.troll_master.state import Owned, Place, Table


def summoning_price(card: Card, reduction: int) -> int:
    """Return the mana that summoning the familiar costs. Rule: TM-25, TM-41."""
    return max(0, card.cost - reduction)


def training_price(own: Card, card: Card, reduction: int) -> int:
    """Return the mana that training `own` into the card costs: the difference, less the reduction.

    Rule:    TM-25, TM-41.
    """
    return max(0, card.cost - own.cost - reduction)


def acquisitions(table: Table, seat: Seat) -> tuple[Summon | Train, ...]:
    """Return every way in which the seat can acquire and pay for a familiar; an action allows one.

    Rule:    TM-25.
    """
    if table.stage.has_acquired:
        return ()
    place = table.places[seat]
    # The seat can pay for a card that costs no more than this.
    budget = place.mana + table.stage.bonus
    familiars = place.familiars
    numbers = [owned.card.number for owned in familiars]
    ways: list[Summon | Train] = []
    for pile in table.supply:
        card = pile.card
        if pile.left and card.number not in numbers:
            cost = card.cost
            if cost <= budget:
                ways.append(card.summon)
            ways += [Train(own.card.name, card.name) for own in familiars if cost - own.card.cost <= budget]
    return tuple(ways)


def may_acquire(table: Table, seat: Seat) -> bool:
    """Return whether the seat may acquire any familiar. The cheapest way is to train its most expensive one.

    Rule:    TM-25.
    """
    if table.stage.has_acquired:
        return False
    place = table.places[seat]
    budget = place.mana + table.stage.bonus + max([owned.card.cost for owned in place.familiars])
    numbers = [owned.card.number for owned in place.familiars]
    return any(pile.left and pile.card.cost <= budget and pile.card.number not in numbers for pile in table.supply)


def acquire(table: Table, seat: Seat, move: Summon | Train, chance: Chance) -> Events:
    """Pay for the familiar and put it into play, on top of the trained one if there is one.

    The action ends then, unless abilities can still be paid for.

    Rule:    TM-25, TM-47.
    Raises:  Refusal when the seat has acquired one, there is no such familiar for it, or too little mana.
    """
    if table.stage.has_acquired:
        raise Refusal("TM-25", "acquired")
    event = acquisition(table, seat, move)
    if event.mana > table.places[seat].mana:
        raise Refusal("TM-25", "cannot-pay", price=event.mana, mana=table.places[seat].mana)
    after = evolve(table, event)
    if useful(payable(after.places[seat], Timing.SUMMON)):
        return (event,)
    return (event, *end_action(after, (), seat, chance))


def acquisition(table: Table, seat: Seat, move: Summon | Train) -> FamiliarSummoned | FamiliarTrained:
    """Return the event that acquires the familiar, whether or not the seat has the mana. Rule: TM-25, TM-41.

    Raises:  Refusal when the supply has no such familiar for the seat, or the seat has none to train.
    """
    place, reduction = table.places[seat], table.stage.bonus
    card = _acquired(table, place, move.familiar)
    if isinstance(move, Summon):
        price = summoning_price(card, reduction)
        return FamiliarSummoned(seat=seat, familiar=card.name, mana=price, charges=card.charges)
    own = uncovered(place, move.own)
    price = training_price(own.card, card, reduction)
    return FamiliarTrained(
        seat=seat, own=move.own, lost=own.charges, familiar=card.name, mana=price, charges=card.charges
    )


def _acquired(table: Table, place: Place, name: Name) -> Card:
    """Return the card of that name in the supply.

    Rule:    TM-25.
    Raises:  Refusal when the supply has none, or the seat has one uncovered.
    """
    for pile in table.supply:
        if pile.card.name == name:
            if not pile.left:
                raise Refusal("TM-25", "none-left", familiar=name.en, ja=name.ja)
            if any(owned.card.number == pile.card.number for owned in place.familiars):
                raise Refusal("TM-25", "owned", familiar=name.en, ja=name.ja)
            return pile.card
    raise Refusal("TM-25", "not-in-supply", familiar=name.en, ja=name.ja)


def uncovered(place: Place, name: Name) -> Owned:
    """Return the seat's uncovered familiar of that name.

    Rule:    TM-25.
    Raises:  Refusal when it has none.
    """
    for owned in place.familiars:
        if owned.card.name == name:
            return owned
    raise Refusal("TM-25", "no-such-familiar", familiar=name.en, ja=name.ja)


def may_charge(table: Table, place: Place) -> bool:
    """Return whether the seat may put a charge by hand: there is mana and room, and charging is not over.

    Rule:    TM-26, TM-47.
    """
    if table.stage.is_charged or not place.mana:
        return False
    return any(owned.charges < owned.card.ribbons for owned in place.familiars)


def charges(table: Table, place: Place) -> tuple[Charge, ...]:
    """Return a move for each familiar on which the seat may put a charge by hand now. Rule: TM-26, TM-47."""
    if table.stage.is_charged or not place.mana:
        return ()
    return tuple([owned.card.charge for owned in place.familiars if owned.charges < owned.card.ribbons])


def charge(table: Table, seat: Seat, move: Charge) -> Events:
    """Put a mana from the hand as a charge on a familiar.

    Rule:    TM-26, TM-47.
    Raises:  Refusal when charging is over, there is no mana, or the familiar is not there or is full.
    """
    if table.stage.is_charged:
        raise Refusal("TM-47", "charging-over")
    place = table.places[seat]
    owned = uncovered(place, move.familiar)
    if not place.mana:
        raise Refusal("TM-26", "no-mana")
    if not owned.card.ribbons:
        raise Refusal("TM-26", "no-ribbons", familiar=move.familiar.en, ja=move.familiar.ja)
    if owned.charges >= owned.card.ribbons:
        raise Refusal("TM-26", "full", familiar=move.familiar.en, ja=move.familiar.ja, ribbons=owned.card.ribbons)
    return (FamiliarCharged(seat, move.familiar),)
