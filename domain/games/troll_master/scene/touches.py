"""The touches of each move: the piece to take, then where it goes; or a button if there is nothing to take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from domain.game import Seat
from domain.games.troll_master import moves
from domain.games.troll_master.abilities import Paid
from domain.games.troll_master.components import ACTIONS, MAGICS, Magic
from domain.games.troll_master.moves import TrollMasterMove
from domain.games.troll_master.scene import ids
from domain.games.troll_master.scene.abilities import usable
from domain.games.troll_master.state import Owned, Step, Table
from domain.scene import Touches

Moves = tuple[TrollMasterMove, ...]

BUTTONS: dict[str, TrollMasterMove] = {
    ids.DRAW: moves.Draw(),
    ids.PASS: moves.Pass(),
    ids.ACT: moves.Act(),
    ids.ATTACK: moves.Attack(),
    ids.ANSWER: moves.Answer(),
    ids.DONE: moves.Done(),
}
BUTTON_OF = {type(move): button for button, move in BUTTONS.items()}


def touches(seen: Table, seat: Seat, move: TrollMasterMove) -> Touches:
    """Return the path by which the seat makes a legal move."""
    match move:
        case moves.Discard(card=card):
            return (ids.held(seat, card),)
        case moves.Reveal(card=card, action=action):
            return (ids.held(seat, card), ids.action(action))
        case moves.ChainTo(action=action):
            return (ids.action(action),)
        case moves.Summon(familiar=name):
            return (ids.pile(name), ids.seat_of(seat, "place"))
        case moves.Train(own=own, familiar=name):
            return (ids.pile(name), ids.familiar(seat, own))
        case moves.Charge(familiar=name):
            return (ids.seat_of(seat, "mana"), ids.familiar(seat, name))
        case moves.Use():
            return _use(seen, seat, move)
        case moves.Draw() | moves.Pass() | moves.Act() | moves.Attack() | moves.Answer() | moves.Done():
            return (BUTTON_OF[type(move)],)
        case _:
            assert_never(move)


def _use(seen: Table, seat: Seat, move: moves.Use) -> Touches:
    """Return the familiar, and the button of the ability if the card has several at this step."""
    at = ids.familiar(seat, move.familiar)
    owned = next(owned for owned in seen.places[seat].familiars if owned.card.name == move.familiar)
    abilities = _usable(seen, owned)
    return (at, ids.ability(move.familiar, abilities.index(move.ability))) if len(abilities) > 1 else (at,)


def _usable(seen: Table, owned: Owned) -> tuple[Paid, ...]:
    return usable(owned.card.face, seen.stage.step, seen.terms.printed.row[seen.stage.action].kind)


def meant(seen: Table, seat: Seat, touched: str) -> Moves:
    """Return the moves that the seat may have meant by a touch, the likeliest first."""
    if touched in BUTTONS:
        return (BUTTONS[touched],)
    if touched in (ids.DECK, f"{ids.DECK}/back"):
        return (moves.Draw(),)
    return tuple(_meant(seen, seat, touched))


def _meant(seen: Table, seat: Seat, touched: str) -> Iterator[TrollMasterMove]:
    """Yield the moves for a hand card, an action, a pile of the supply, or a piece of the seat."""
    place = seen.places[seat]
    if touched == ids.seat_of(seat, "pawn"):
        yield moves.Act() if seen.stage.step is Step.ACT else moves.Pass()
    if touched == ids.seat_of(seat, "mana"):
        yield from (owned.card.charge for owned in place.familiars)
    for card, at in zip(place.hand, ids.hand(seat, place.hand), strict=True):
        if at == touched and card:
            yield from _with_card(seen, card)
    for number in range(1, ACTIONS + 1):
        if touched in (ids.action(number), f"{ids.action(number)}/pawn"):
            yield from _on_action(seen, seat, number)
    for pile in seen.supply:
        if touched == ids.pile(pile.card.name):
            yield pile.card.summon
            yield from (moves.Train(owned.card.name, pile.card.name) for owned in place.familiars)
    for owned in place.familiars:
        at = ids.familiar(seat, owned.card.name)
        if touched in (at, f"{at}/charges"):
            yield from _with_familiar(seen, owned)
        for number, ability in enumerate(_usable(seen, owned)):
            if touched == ids.ability(owned.card.name, number):
                yield moves.Use(owned.card.name, ability)


def _with_card(seen: Table, card: Magic) -> Iterator[TrollMasterMove]:
    """Yield the discard of the card, or the reveals that it allows."""
    if seen.stage.step in (Step.BROOM, Step.DISCARD):
        yield moves.Discard(card)
    yield from reversed(next(reveals for magic, reveals in seen.terms.printed.reveals if magic is card))


def _on_action(seen: Table, seat: Seat, number: int) -> Iterator[TrollMasterMove]:
    """Yield the chain to it, the action itself, or its reveals.

    The reveals are those of the cards in hand, or of the action's icon if none is known: the icon first, then a
    crystal.
    """
    step = seen.stage.step
    if step is Step.CHAIN_TO:
        yield moves.ChainTo(number)
    elif step is Step.ACT and number == seen.stage.action:
        yield moves.Act()
    else:
        icon, hand = seen.terms.printed.row[number].icon, seen.places[seat].hand
        held = [card for card in MAGICS if card in hand]
        for card in sorted(held or [icon], key=lambda card: (card is not icon, card is not Magic.CRYSTAL)):
            yield moves.Reveal(card, number)


def _with_familiar(seen: Table, owned: Owned) -> Iterator[TrollMasterMove]:
    """Yield its usable abilities; in a summon its training, or outside a brew all its paid abilities; its charging."""
    name, step = owned.card.name, seen.stage.step
    yield from (moves.Use(name, ability) for ability in _usable(seen, owned))
    if step is Step.SUMMON:
        yield from (moves.Train(name, pile.card.name) for pile in seen.supply)
    elif step is not Step.BREW:
        yield from (
            moves.Use(name, ability)
            for ability in owned.card.face.abilities
            if isinstance(ability, Paid) and ability.cost
        )
    yield owned.card.charge
