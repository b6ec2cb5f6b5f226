"""The worth of what a pawn may still bring: its action's effect, and the likely cost of missing cards."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import assert_never

from domain.game import Seat, total
from domain.games.troll_master.abilities import Ability, GainChips, GainMana, Reduce, Strengthen, Timing
from domain.games.troll_master.bot.worth import (
    CHARGE,
    LIKELY,
    MANA,
    gain_of_room,
    worth_of_card,
    worth_of_charge,
    worth_of_mana,
)
from domain.games.troll_master.components import CARD_MANA, COPIES, HOME, PASS_MANA, SUCCESS_CHIPS, Kind, Magic
from domain.games.troll_master.printed import Card, Space
from domain.games.troll_master.rules.actions import count
from domain.games.troll_master.rules.planning import placements
from domain.games.troll_master.state import Owned, Pile, Place, Step, Table, more_points, power
from domain.secrecy import known

PLACEABLE = (Step.DISCARD, Step.PLANNING)
BY_MANA = (Kind.SUMMON, Kind.BREW)
"""The actions whose effect depends on the mana that is left."""
Prices = tuple[tuple[int, float], ...]
"""What something may cost in mana, each price with its probability."""


def prospect(table: Table, seat: Seat, rounds: float) -> float:
    """Return what the seat's pawn may still bring in this round, in points.

    At the broom it is 0: every seat then has a whole round to come, so that nothing is added for it.
    """
    place, stage = table.places[seat], table.stage
    if place.pawn == HOME:
        if stage.step not in PLACEABLE or place.has_passed:
            return 0.0
        return _best_placement(table, seat, rounds)
    if stage.actor == seat and stage.action and stage.step is not Step.ACT:
        return _begun(table, seat, rounds)
    return expected(table, seat, table.terms.printed.row[place.pawn], rounds)


def _best_placement(table: Table, seat: Seat, rounds: float) -> float:
    row = table.terms.printed.row
    numbers = {move.action for move in placements(table, seat)}
    return max((expected(table, seat, row[number], rounds) for number in numbers), default=PASS_MANA * MANA)


def _begun(table: Table, seat: Seat, rounds: float) -> float:
    """Return what is still to come of an action that is being done, or is done and may chain."""
    stage, place = table.stage, table.places[seat]
    match stage.step:
        case Step.SUMMON if not stage.has_acquired:
            return best_acquisition(table, place, place.mana, stage.bonus, rounds)
        case Step.ATTACK:
            return successes(table, seat, power(place) + stage.bonus, 1)
        case Step.DEFENCE:
            answered = (stage.seat - seat) % len(table.places)
            return successes(table, seat, stage.strength, answered)
        case Step.CHAIN_TO:
            row, pawns = table.terms.printed.row, [other.pawn for other in table.places]
            leads_to = [
                expected(table, seat, space, rounds)
                for space in row[1 : stage.action]
                if space.kind is stage.to[0] and space.number not in pawns
            ]
            return max(leads_to)
        case _:
            return 0.0


def expected(table: Table, seat: Seat, space: Space, rounds: float) -> float:
    """Return the worth of the action, or of passing it if that is better, averaged over the unknown cards."""
    place = table.places[seat]
    mana = place.mana
    passing = worth_of_mana(mana + PASS_MANA, rounds) - worth_of_mana(mana, rounds)
    total, worth = 0.0, None
    for price, chance in prices(table, seat, space):
        if price > mana:
            total += chance * passing
            continue
        if worth is None or space.kind in BY_MANA:
            worth = effect(table, seat, space, mana - price, rounds)
        total += chance * max(passing, worth)
    return total


def prices(table: Table, seat: Seat, space: Space) -> Prices:
    """Return what the missing cards may cost in mana, each price with its probability as the seat may guess it."""
    cards, hand = table.cards, known(table.places[seat].hand)
    icon = space.icon
    found = count(cards.open, icon) + count(hand, icon)
    hidden = sum(len(place.hand) for place in table.places) - len(hand)
    if not hidden or found >= space.cost:
        return ((max(0, space.cost - found) * CARD_MANA, 1.0),)
    copies = COPIES if icon is Magic.CRYSTAL else 2 * COPIES
    unseen = hidden + len(cards.deck)
    share = (copies - found - count(cards.discards, icon)) / unseen
    return _guessed(space.cost - found, hidden, share)


@lru_cache(maxsize=1 << 12)
def _guessed(missing: int, hidden: int, share: float) -> Prices:
    """Return the prices if each of the hidden cards is one that is missing with that probability."""
    found = tuple(
        ((missing - more) * CARD_MANA, comb(hidden, more) * share**more * (1 - share) ** (hidden - more))
        for more in range(min(missing, hidden + 1))
    )
    # at least so many: nothing is left to pay
    return (*found, (0, 1 - total(chance for _, chance in found))) if hidden >= missing else found


def effect(table: Table, seat: Seat, space: Space, mana: int, rounds: float) -> float:
    """Return the worth of the action to a seat that has that much mana left."""
    place = table.places[seat]
    gained, chips, added = _fired(place.familiars, space.timing)
    match space.kind:
        case Kind.SUMMON:
            return best_acquisition(table, place, mana + gained, space.value + added, rounds)
        case Kind.BREW:
            brewed = worth_of_mana(mana + gained + space.value, rounds) - worth_of_mana(mana, rounds)
            return brewed + chips + _room(place, mana + gained + space.value)
        case Kind.ATTACK:
            return successes(table, seat, power(place) + space.value + added, 1) + chips + gained * MANA
        case Kind.DIVINATION:
            return space.value + chips + gained * MANA
        case _:
            assert_never(space.kind)


@lru_cache(maxsize=1 << 12)
def _fired(familiars: tuple[Owned, ...], at: Timing) -> tuple[int, int, int]:
    """Return the mana, chips and other amounts of abilities that fire by themselves or can be paid for once."""
    found: list[Ability] = []
    for owned in familiars:
        found += owned.card.fires[at]
        found += [use.ability for use in owned.card.uses[at] if use.ability.cost <= owned.charges]
    if not found:
        return 0, 0, 0
    mana = sum(ability.mana for ability in found if isinstance(ability, GainMana))
    chips = sum(ability.chips for ability in found if isinstance(ability, GainChips))
    reduced = sum(ability.mana for ability in found if isinstance(ability, Reduce))
    return mana, chips, reduced + sum(ability.power for ability in found if isinstance(ability, Strengthen))


def _room(place: Place, mana: int) -> float:
    """Return what charging by hand adds to the worth of the mana; this is most where charges are points."""
    added, room = 0.0, 0
    for owned in place.familiars:
        left = owned.card.ribbons - owned.charges
        if left and (gain := gain_of_room(owned.card, owned.charges)):
            added += gain * (1 - LIKELY) * min(1.0, mana / left)
            mana = max(0, mana - left)
        room += left
    return added + (CHARGE - MANA) * min(room, mana)


def best_acquisition(table: Table, place: Place, mana: int, reduction: int, rounds: float) -> float:
    """Return the most that a familiar of the supply adds to the seat's worth, less its price; at least 0."""
    best, seats = 0.0, len(table.places)
    left = _left(mana, rounds)
    numbers, ways = _ways(place.familiars, rounds, seats)
    for cost, worth in _offers(table.supply, rounds, seats, numbers):
        # nothing that is lost or paid makes it more
        if worth <= best:
            break
        for off, lost in ways:
            price = cost - reduction - off
            if price <= mana:
                kept = mana - price if price > 0 else mana
                best = max(best, worth - left[mana] + left[kept] - lost)
    return best


@lru_cache(maxsize=1 << 12)
def _ways(
    familiars: tuple[Owned, ...], rounds: float, seats: int
) -> tuple[tuple[int, ...], tuple[tuple[int, float], ...]]:
    """Return the numbers of the familiars, and by how much a new one is cheaper in each place, with what is lost.

    It is put beside the others, or covers one, whose worth is lost and whose cost is subtracted.
    """
    covering = [
        (
            owned.card.cost,
            worth_of_card(owned.card, rounds, seats) + worth_of_charge(owned.card, owned.charges, rounds),
        )
        for owned in familiars
    ]
    return tuple([owned.card.number for owned in familiars]), ((0, 0.0), *covering)


@lru_cache(maxsize=1 << 12)
def _left(mana: int, rounds: float) -> tuple[float, ...]:
    """Return the worth of each amount of mana up to this one."""
    return tuple(worth_of_mana(kept, rounds) for kept in range(mana + 1))


@lru_cache(maxsize=1 << 12)
def _offers(
    supply: tuple[Pile, ...], rounds: float, seats: int, numbers: tuple[int, ...]
) -> tuple[tuple[int, float], ...]:
    """Return the cost and the worth of each familiar that a seat with these may acquire, the best one first."""
    cards = [pile.card for pile in supply if pile.left and pile.card.number not in numbers]
    offers = [(card.cost, _worth_when_new(card, rounds, seats, len(numbers))) for card in cards]
    return tuple(sorted(offers, key=lambda offer: -offer[1]))


def _worth_when_new(card: Card, rounds: float, seats: int, owned: int) -> float:
    """Return the worth of a familiar that comes to a seat which has so many."""
    worth = worth_of_card(card, rounds, seats) + worth_of_charge(card, card.charges, rounds)
    scored = (ability for ability in card.scoring if ability.of != "itself")
    return worth + total(more_points(ability, card.charges, owned) for ability in scored)


def successes(table: Table, seat: Seat, strength: int, first: int) -> float:
    """Return the likely chips of an attack on the defenders from the `first` on the attacker's left on."""
    places = table.places
    on_success = 0.0
    for owned in places[seat].familiars:
        for ability in owned.card.on_success:
            on_success += ability.chips if isinstance(ability, GainChips) else MANA
    total = 0.0
    for step in range(first, len(places)):
        other = places[(seat + step) % len(places)]
        defence = power(other) + _fired(other.familiars, Timing.DEFENCE)[2]
        if strength > defence:
            total += SUCCESS_CHIPS + on_success
        elif strength + 1 > defence:
            total += 0.1
    return total
