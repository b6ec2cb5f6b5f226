"""The touches of each move, and the moves that other touches may have meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from domain.game import Seat
from domain.games.terraformers import moves
from domain.games.terraformers.components import BOXES, Name
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.scene.places import (
    GUARD,
    PASS,
    PUT_BACK,
    box_id,
    card_id,
    hand_id,
    lying_id,
    sheet_id,
    tips_id,
)
from domain.games.terraformers.state import Spot, Table, holder_of, spot_of
from domain.scene import Touches


def touches(seen: Table, seat: Seat, move: TerraformersMove) -> Touches:
    """Return the box or the card, then the other player, or a button for the own species; tips have a button each.

    Rule:    TF-8.
    """
    match move:
        case moves.UseBox(box=box):
            return (box_id(seat, box),)
        case moves.UseCard(card=card) | moves.Acquire(card=card):
            return (_at(seen, card),)
        case moves.UseCardOn(card=card, other=other):
            return _at(seen, card), sheet_id(other)
        case moves.Guard(card=card):
            return _at(seen, card), GUARD
        case moves.Place(tips=tips):
            return (tips_id(tips),)
        case moves.PutBack():
            return _own(seen, seat), PUT_BACK
        case moves.Copy(card=card):
            return _own(seen, seat), _at(seen, card)
        case moves.Pass():
            return (PASS,)
        case _:
            assert_never(move)


def _at(table: Table, card: Name) -> str:
    return _id(table, spot_of(table, card))


def _id(table: Table, spot: Spot) -> str:
    """Return the id of the place where the card is."""
    return card_id(spot, table.planet[spot].kind, holder_of(table, spot))


def _own(table: Table, seat: Seat) -> str:
    """Return the id of the place where the seat's species is."""
    return _id(table, table.players[seat].species[0])


def meant(seen: Table, seat: Seat, touched: str) -> tuple[TerraformersMove, ...]:
    """Return the moves that the seat may have meant by a touch.

    A box or card, or tips on it: use or acquire it; the seat's own species: guard it or put it back. Tips in hand:
    place one.
    """
    return next((guessed for place, guessed in _guesses(seen, seat) if touched in (place, lying_id(place))), ())


def _guesses(table: Table, seat: Seat) -> Iterator[tuple[str, tuple[TerraformersMove, ...]]]:
    """Yield each place with the moves for which it may be touched."""
    for box in BOXES:
        yield box_id(seat, box), (moves.UseBox(box),)
    for spot in range(len(table.planet)):
        yield _id(table, spot), tuple(_guessed(table, seat, spot))
    for species in table.players[seat].species:
        yield GUARD, (moves.Guard(table.planet[species].name),)
    yield PUT_BACK, (moves.PutBack(),)
    yield PASS, (moves.Pass(),)
    yield hand_id(seat), (moves.Place(1),)
    for tips in range(1, table.players[seat].hand + 1):
        yield tips_id(tips), (moves.Place(tips),)


def _guessed(table: Table, seat: Seat, spot: Spot) -> Iterator[TerraformersMove]:
    """Yield the moves for which the planet card may be touched. Rule: TF-19, TF-20, TF-22."""
    laid = table.planet[spot]
    if laid.provokes:
        others = (other for other in range(len(table.players)) if other != seat)
        yield from (moves.UseCardOn(laid.name, other) for other in others)
    elif laid.is_box:
        yield laid.use
    elif spot in table.players[seat].species:
        yield moves.Guard(laid.name)
        yield moves.PutBack()
    else:
        yield laid.acquire
