"""The actions of a turn: the events of a choice, of the tips placed on it, and of the other moves."""

from __future__ import annotations

from typing import assert_never

from domain.chance import Chance
from domain.game import EventBuffer, Refusal, Seat
from domain.games.terraformers import events, moves
from domain.games.terraformers.components import BOX_AT, BOXES, LEVELS, Kind, Name
from domain.games.terraformers.events import Events
from domain.games.terraformers.evolve import evolve
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.rules.cards import Buffer, happen, provoke
from domain.games.terraformers.rules.choosing import IDLE, least_tips
from domain.games.terraformers.rules.power import affordable, base_of, column_of
from domain.games.terraformers.rules.turn import next_turn, then
from domain.games.terraformers.state import (
    ACTION,
    BOX_TIPS,
    CARD_TIPS,
    OVER,
    Player,
    Spot,
    Table,
    ability_of,
    holder_of,
    spot_of,
)

PUT_BACK_PRICE = 1  # TF-10, TF-23
SPECIES, BOX_CARD = Kind


def decide(table: Table, seat: Seat, move: TerraformersMove, chance: Chance) -> Events:
    """Return the events that the move causes. Chance has no part in them.

    Raises:  Refusal, with the clause.
    """
    match move:
        case moves.Place(tips=tips):
            return _place(table, seat, tips)
        case moves.UseBox():
            return _use_box(table, seat, move)
        case moves.Pass():
            _check_turn(table, seat, placing=False)
            buffer: Buffer = EventBuffer(evolve, table, (events.Passed(seat),))
            next_turn(buffer, seat)
            return tuple(buffer.events)
        case moves.UseCard(card=card):
            return _use_card(table, seat, card, ())
        case moves.UseCardOn(card=card, other=other):
            return _use_card(table, seat, card, (other,))
        case moves.Acquire() | moves.Guard():
            return _choose_species(table, seat, move)
        case moves.PutBack():
            return _put_back(table, seat)
        case moves.Copy(card=card):
            return _copy(table, seat, card)
        case _:
            assert_never(move)


def _check_turn(table: Table, seat: Seat, placing: bool) -> Player:
    """Return the player; refuse a move that is not for this seat to make now. Rule: TF-6, TF-8."""
    turn = table.turn
    if turn.phase is OVER:
        raise Refusal("TF-25", "over")
    if turn.phase in IDLE or turn.seat != seat:
        raise Refusal("TF-6", "not-your-turn")
    if placing and turn.phase is ACTION:
        raise Refusal("TF-8", "action-first")
    if not placing and turn.phase is not ACTION:
        raise Refusal("TF-8", "tips-first")
    return table.players[seat]


def _check_acting(table: Table, seat: Seat) -> Player:
    """Return the player; refuse an action if it is not the seat's turn, or it has no tips. Rule: TF-9, TF-10."""
    player = _check_turn(table, seat, placing=False)
    if not player.hand:
        raise Refusal("TF-9", "no-tips")
    return player


def _use_box(table: Table, seat: Seat, move: moves.UseBox) -> Events:
    """Rule: TF-11, TF-13, TF-32."""
    player = _check_acting(table, seat)
    if player.boxes[BOX_AT[move.box]]:
        raise Refusal("TF-11", "box-occupied", box=move.box.value)
    if move.box in ability_of(table, player).barred:
        raise Refusal("TF-32", "barred", box=move.box.value)
    return (events.BoxChosen(seat, move.box),)


def _check_card(table: Table, player: Player, card: Name, kind: Kind) -> Spot:
    """Return the spot of a card that the player may choose for an action. Rule: TF-1, TF-10, TF-11, TF-19, TF-20."""
    spot = spot_of(table, card)
    if spot < 0:
        raise Refusal("TF-1", "no-such-card", card=card.told())
    laid = table.planet[spot]
    clause = "TF-19" if kind is BOX_CARD else "TF-20"
    if laid.kind is not kind:
        raise Refusal(clause, "wrong-kind", card=card.told())
    if table.tips[spot]:
        raise Refusal("TF-11", "card-occupied", card=card.told())
    power = base_of(player, ability_of(table, player)) + player.hand
    if power < laid.cost:
        raise Refusal(clause, "too-weak", card=card.told(), cost=laid.cost, power=power)
    return spot


def _use_card(table: Table, seat: Seat, card: Name, against: tuple[Seat, ...]) -> Events:
    """Rule: TF-19."""
    player = _check_acting(table, seat)
    spot = _check_card(table, player, card, BOX_CARD)
    provokes = table.planet[spot].provokes
    if against and not provokes:
        raise Refusal("TF-19", "works-on-nobody", card=card.told())
    if provokes and not against:
        raise Refusal("TF-19", "name-a-player", card=card.told())
    if against and (against[0] == seat or not 0 <= against[0] < len(table.players)):
        raise Refusal("TF-19", "not-another-player", card=card.told())
    return (events.CardChosen(seat, card, against),)


def _choose_species(table: Table, seat: Seat, move: moves.Acquire | moves.Guard) -> Events:
    """Rule: TF-20, TF-21, TF-22."""
    player = _check_acting(table, seat)
    spot = _check_card(table, player, move.card, SPECIES)
    is_own = spot in player.species
    if isinstance(move, moves.Guard) and not is_own:
        raise Refusal("TF-22", "not-yours", card=move.card.told())
    if isinstance(move, moves.Acquire):
        if is_own:
            raise Refusal("TF-22", "yours", card=move.card.told())
        _check_letting_go(table, player)
    return (events.SpeciesChosen(seat, move.card, holder_of(table, spot)),)


def _check_letting_go(table: Table, player: Player) -> None:
    """Rule: TF-33."""
    if ability_of(table, player).clings:
        raise Refusal("TF-33", "clings", card=table.planet[player.species[0]].name.told())


def _put_back(table: Table, seat: Seat) -> Events:
    """Put the species back on the table, with the tips that are on it. Rule: TF-23."""
    player = _check_acting(table, seat)
    if not player.species:
        raise Refusal("TF-23", "no-species")
    _check_letting_go(table, player)
    spot = player.species[0]
    buffer: Buffer = EventBuffer(evolve, table)
    buffer.tell(events.SpeciesPutBack(seat, table.planet[spot].name, PUT_BACK_PRICE))
    _end_copy(buffer, spot)
    next_turn(buffer, seat)
    return tuple(buffer.events)


def _end_copy(buffer: Buffer, spot: Spot) -> None:
    """End the copy of a species that is back on the table. Rule: TF-39."""
    table = buffer.state
    if (copied := table.copies[spot]) != spot:
        buffer.tell(events.CopyEnded(table.planet[spot].name, table.planet[copied].name))


def _copy(table: Table, seat: Seat, card: Name) -> Events:
    """Copy the ability of the named species; the action follows.

    The named card may have tips on it: naming it is not choosing it for an action.

    Rule:    TF-8, TF-37.
    """
    player = _check_acting(table, seat)
    price = ability_of(table, player).copy_price
    if not price:
        raise Refusal("TF-37", "no-copying")
    if table.turn.has_copied:
        raise Refusal("TF-37", "once-a-turn")
    if player.hand < price:
        raise Refusal("TF-37", "cannot-pay", price=price, tips=player.hand)
    own, copied = player.species[0], spot_of(table, card)
    if copied < 0:
        raise Refusal("TF-1", "no-such-card", card=card.told())
    if copied == own or table.planet[copied].kind is not SPECIES:
        raise Refusal("TF-37", "not-another", card=card.told())
    return (events.AbilityCopied(seat, table.planet[own].name, card, price),)


def _place(table: Table, seat: Seat, tips: int) -> Events:
    """Place tips on what the seat has chosen, resolve the effects, and end the turn.

    Rule:    TF-10, TF-13, TF-19, TF-20.
    """
    player = _check_turn(table, seat, placing=True)
    phase = table.turn.phase
    least = least_tips(table, player)
    if not least <= tips <= player.hand:
        clause = "TF-13" if phase is BOX_TIPS else "TF-19" if phase is CARD_TIPS else "TF-20"
        raise Refusal(clause, "tips", least=least, most=player.hand)
    power = base_of(player, ability_of(table, player)) + tips
    if phase is BOX_TIPS:
        return then(table, seat, _on_box(table, seat, tips, power))
    buffer: Buffer = EventBuffer(evolve, table)
    if phase is CARD_TIPS:
        use_card(buffer, seat, tips, power)
    else:
        take_species(buffer, seat, tips, power)
    next_turn(buffer, seat)
    return tuple(buffer.events)


def _on_box(table: Table, seat: Seat, tips: int, power: int) -> Events:
    """Return the use of a box. A level rises by the boxes that the power fills; other boxes wait for the round's end.

    Rule:    TF-13, TF-14.
    """
    at = table.turn.at
    used = events.BoxUsed(seat, BOXES[at], tips, power)
    if at >= len(LEVELS):
        return (used,)
    level = table.players[seat].levels[at]
    boxes = affordable(column_of(table.terms.pack, at), level, power)
    return (used, events.LevelRaised(seat, LEVELS[at], boxes, level + boxes)) if boxes else (used,)


def use_card(buffer: Buffer, seat: Seat, tips: int, power: int) -> None:
    """Place so many tips on the chosen box card, and add its effects. Rule: TF-19."""
    turn = buffer.state.turn
    laid = buffer.state.planet[turn.at]
    buffer.tell(events.CardUsed(seat, laid.name, tips, power))
    happen(buffer, seat, laid.name, laid.used, tips)
    for effect in laid.provokes:
        provoke(buffer, turn.against[0], laid.name, effect)


def take_species(buffer: Buffer, seat: Seat, tips: int, power: int) -> None:
    """Guard the chosen species, or acquire it after one held before has gone back to the table.

    Rule:    TF-20, TF-21, TF-22.
    """
    table = buffer.state
    spot = table.turn.at
    laid = table.planet[spot]
    held = table.players[seat].species
    if spot in held:
        buffer.tell(events.SpeciesGuarded(seat, laid.name, tips, power))
        return
    if held:
        buffer.tell(events.SpeciesReturned(seat, table.planet[held[0]].name))
        _end_copy(buffer, held[0])
    buffer.tell(events.SpeciesAcquired(seat, laid.name, tips, power, holder_of(table, spot)))
    happen(buffer, seat, laid.name, laid.ability.acquired, tips)
