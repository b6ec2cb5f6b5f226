"""The actions from right to left: the cost check, doing or passing, the next action, and chains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from domain.chance import Chance
from domain.game import EventBuffer, Refusal, Seat
from domain.games.troll_master import events
from domain.games.troll_master.components import ACTIONS, CARD_MANA, HOME, PASS_MANA, Kind, Magic, Magics
from domain.games.troll_master.events import Events, TrollMasterEvent
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.moves import ChainTo, Use
from domain.games.troll_master.printed import Space
from domain.games.troll_master.rules.abilities import fire
from domain.games.troll_master.rules.preparation import Buffer
from domain.games.troll_master.rules.scoring import score
from domain.games.troll_master.state import Table


def count(cards: Magics, icon: Magic) -> int:
    """Return how many of the cards count for an icon: crystals are wild, and only they count for divination.

    Rule:    TM-21.
    """
    found = cards.count(icon)
    return found if icon is Magic.CRYSTAL else found + cards.count(Magic.CRYSTAL)


def next_action(table: Table, told: Events, pawns: Sequence[int], chance: Chance) -> Events:
    """Reach the rightmost pawn's action; when all pawns are home, count points.

    Rule:    TM-20.
    Shape:   `table` is as it was before the events `told`, which change no card; `pawns` is as it is after them.
    """
    if action := max(pawns):
        return (*told, _reached(table, pawns.index(action), action))
    buffer: Buffer = EventBuffer(evolve, table, told)
    score(buffer, chance)
    return tuple(buffer.events)


def _reached(table: Table, seat: Seat, action: int) -> events.ActionReached:
    """Return the event of the cost check. Rule: TM-21, TM-22."""
    space = table.terms.printed.row[action]
    found = count(table.cards.open, space.icon)
    return events.ActionReached(
        seat=seat,
        action=action,
        kind=space.kind,
        cost=space.cost,
        found=found,
        price=max(0, space.cost - found) * CARD_MANA,
    )


def _pawns(table: Table, seat: Seat, action: int) -> list[int]:
    """Return the positions of all pawns once the seat's pawn is on that action."""
    pawns = [place.pawn for place in table.places]
    pawns[seat] = action
    return pawns


def may_act(table: Table, seat: Seat) -> bool:
    """Return whether the seat can pay for the missing cards. Rule: TM-22."""
    return table.stage.price <= table.places[seat].mana


def pass_action(table: Table, seat: Seat, chance: Chance) -> Events:
    """Take mana instead of doing the action, and reach the next pawn's action. Rule: TM-23."""
    passed = events.ActionPassed(seat, table.stage.action, PASS_MANA)
    return next_action(table, (passed,), _pawns(table, seat, HOME), chance)


def act(table: Table, seat: Seat) -> Events:
    """Pay for missing cards, take what is printed, then fire all abilities that cost nothing.

    Rule:    TM-22, TM-26, TM-29, TM-47.
    Raises:  Refusal when the missing cards cost more than the seat has.
    """
    if not may_act(table, seat):
        raise Refusal("TM-22", "cannot-pay", mana=table.places[seat].mana, price=table.stage.price)
    space = table.terms.printed.row[table.stage.action]
    begun: list[TrollMasterEvent] = []
    if price := table.stage.price:
        begun.append(events.CardsBought(seat, price // CARD_MANA, price))
    begun.append(_begun(seat, space))
    begun.extend(fire(table.places[seat], seat, space.timing))
    return tuple(begun)


def _begun(seat: Seat, space: Space) -> TrollMasterEvent:
    match space.kind:
        case Kind.SUMMON:
            return events.SummonBegun(seat, space.number, space.value)
        case Kind.BREW:
            return events.BrewBegun(seat, space.number, space.value)
        case Kind.ATTACK:
            return events.AttackBegun(seat, space.number, space.value)
        case Kind.DIVINATION:
            return events.DivinationBegun(seat, space.number, space.value)
        case _:
            assert_never(space.kind)


def end_action(table: Table, told: Events, seat: Seat, chance: Chance) -> Events:
    """End the action: offer a chain if one can be paid for, else leave the action.

    Rule:    TM-24, TM-48.
    Shape:   `table` is as it was before the events `told`, which change no familiar and no pawn.
    """
    if chains(table, seat):
        return (*told, events.ChainOffered(seat))
    return leave_chain(table, told, seat, chance)


def leave_chain(table: Table, told: Events, seat: Seat, chance: Chance) -> Events:
    """Send the pawn home, and reach the next pawn's action. Rule: TM-24."""
    returned = events.PawnReturned(seat, table.stage.action)
    return next_action(table, (*told, returned), _pawns(table, seat, HOME), chance)


def chains(table: Table, seat: Seat) -> tuple[Use, ...]:
    """Return the chains of uncovered familiars that can be paid for and lead somewhere. Rule: TM-43, TM-48."""
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
    """Return the moves to where a chain leads: actions of its kind left of the pawn, free of pawns. Rule: TM-43."""
    row, pawns = table.terms.printed.row, [place.pawn for place in table.places]
    return tuple(
        [
            CHAINS_TO[action]
            for action in range(1, table.stage.action)
            if row[action].kind is kind and action not in pawns
        ]
    )


def chain_to(table: Table, seat: Seat, move: ChainTo, chance: Chance) -> Events:
    """Move the pawn by the chain; its new action is done when it is the rightmost.

    Rule:    TM-20, TM-43.
    Raises:  Refusal when the chain does not lead there.
    """
    if move not in targets(table, table.stage.to[0]):
        raise Refusal("TM-43", "no-such-action", kind=table.stage.to[0].value, action=move.action)
    return next_action(table, (events.PawnChained(seat, move.action),), _pawns(table, seat, move.action), chance)


CHAINS_TO = tuple(map(ChainTo, range(ACTIONS)))
