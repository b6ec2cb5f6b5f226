"""Actions from right to left: the cost check, doing or passing, what comes after, and chains."""

from __future__ import annotations

from typing import assert_never

from domain.chance import Chance
from domain.game import Refusal, Seat, Teller
from domain.games.troll_master.components import ACTIONS, CARD_MANA, PASS_MANA, Kind, Magic, Magics
from domain.games.troll_master.events import (
    ActionPassed,
    ActionReached,
    AttackBegun,
    BrewBegun,
    CardsBought,
    ChainOffered,
    DivinationBegun,
    PawnChained,
    PawnReturned,
    SummonBegun,
    TrollMasterEvent,
)
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.moves import ChainTo, Use
from domain.games.troll_master.printed import Space
from domain.games.troll_master.rules.abilities import fire
from domain.games.troll_master.rules.preparation import Telling
from domain.games.troll_master.rules.scoring import score
from domain.games.troll_master.state import Table


def count(cards: Magics, icon: Magic) -> int:
    """Cards that count for an icon: crystals are wild, and for divination nothing else counts. Rule: TM-21."""
    found = cards.count(icon)
    return found if icon is Magic.CRYSTAL else found + cards.count(Magic.CRYSTAL)


def next_action(teller: Telling, chance: Chance) -> None:
    """The rightmost pawn's action is next; when all pawns are home, points are counted. Rule: TM-20, TM-21, TM-22."""
    table = teller.state
    pawns = [place.pawn for place in table.places]
    action = max(pawns)
    if not action:
        score(teller, chance)
        return
    space = table.terms.printed.row[action]
    found = count(table.cards.open, space.icon)
    teller.tell(
        ActionReached(
            seat=pawns.index(action),
            action=action,
            kind=space.kind,
            cost=space.cost,
            found=found,
            price=max(0, space.cost - found) * CARD_MANA,
        )
    )


def may_act(table: Table, seat: Seat) -> bool:
    """Whether the seat can pay for the missing cards. Rule: TM-22."""
    return table.stage.price <= table.places[seat].mana


def pass_action(table: Table, seat: Seat, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """Mana instead of the action. Rule: TM-23."""
    teller: Telling = Teller(evolve, table)
    teller.tell(ActionPassed(seat, table.stage.action, PASS_MANA))
    next_action(teller, chance)
    return tuple(teller.events)


def act(table: Table, seat: Seat) -> tuple[TrollMasterEvent, ...]:
    """Pay for missing cards, take what is printed; then everything fires that needs no paying.

    Rule:    TM-22, TM-26, TM-29, TM-47.
    """
    if not may_act(table, seat):
        raise Refusal("TM-22", "cannot-pay", f"The missing cards cost {table.stage.price} mana.")
    space = table.terms.printed.row[table.stage.action]
    told: list[TrollMasterEvent] = []
    if price := table.stage.price:
        told.append(CardsBought(seat, price // CARD_MANA, price))
    told.append(_begun(seat, space))
    told.extend(fire(table.places[seat], seat, space.timing))
    return tuple(told)


def _begun(seat: Seat, space: Space) -> TrollMasterEvent:
    match space.kind:
        case Kind.SUMMON:
            return SummonBegun(seat, space.number, space.value)
        case Kind.BREW:
            return BrewBegun(seat, space.number, space.value)
        case Kind.ATTACK:
            return AttackBegun(seat, space.number, space.value)
        case Kind.DIVINATION:
            return DivinationBegun(seat, space.number, space.value)
        case _:
            assert_never(space.kind)


def done(table: Table, seat: Seat, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """The action is done: a chain is offered if one can be paid for, else it is over. Rule: TM-24, TM-48."""
    teller: Telling = Teller(evolve, table)
    end_action(teller, seat, chance)
    return tuple(teller.events)


def end_action(teller: Telling, seat: Seat, chance: Chance) -> None:
    """The same after what was already told. Rule: TM-24, TM-48."""
    if chains(teller.state, seat):
        teller.tell(ChainOffered(seat))
    else:
        _return(teller, seat, chance)


def leave_chain(table: Table, seat: Seat, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """The pawn goes home. Rule: TM-24."""
    teller: Telling = Teller(evolve, table)
    _return(teller, seat, chance)
    return tuple(teller.events)


def _return(teller: Telling, seat: Seat, chance: Chance) -> None:
    teller.tell(PawnReturned(seat, teller.state.stage.action))
    next_action(teller, chance)


def chains(table: Table, seat: Seat) -> tuple[Use, ...]:
    """Chains of uncovered familiars that can be paid for and lead somewhere. Rule: TM-43, TM-48."""
    at = table.terms.printed.row[table.stage.action].timing
    return tuple(
        [
            chain.use
            for owned in table.places[seat].familiars
            for chain in owned.card.chains[at]
            if chain.cost <= owned.charges and targets(table, chain.to)
        ]
    )


def targets(table: Table, kind: Kind) -> tuple[ChainTo, ...]:
    """Where a chain leads: actions of its kind left of the pawn, free of pawns. Rule: TM-43."""
    row, pawns = table.terms.printed.row, [place.pawn for place in table.places]
    return tuple(
        [
            CHAINS_TO[action]
            for action in range(1, table.stage.action)
            if row[action].kind is kind and action not in pawns
        ]
    )


def chain_to(table: Table, seat: Seat, move: ChainTo, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """The pawn moves on; its action is done when its place comes. Rule: TM-20, TM-43."""
    if move not in targets(table, table.stage.to[0]):
        raise Refusal("TM-43", "no-such-action", f"The chain leads to a free {table.stage.to[0]} left of your pawn.")
    teller: Telling = Teller(evolve, table)
    teller.tell(PawnChained(seat, move.action))
    next_action(teller, chance)
    return tuple(teller.events)


CHAINS_TO = tuple(map(ChainTo, range(ACTIONS + 1)))
