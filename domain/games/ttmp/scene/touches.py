"""The touches of each move, and the moves that other touches may have meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from domain.game import Seat
from domain.games.ttmp import moves
from domain.games.ttmp.abilities import AnyEffect, Copy, Flip, RollAgain, Shift, Turn
from domain.games.ttmp.components import LEVELS, STONE, Card, Dice, without
from domain.games.ttmp.moves import TtmpMove
from domain.games.ttmp.scene import places
from domain.games.ttmp.state import ACTION, DISCARD, LIMIT, STOCK, SUMMON, Kind, Table
from domain.scene import Touches, numbered


def touches(seen: Table, seat: Seat, move: TtmpMove) -> Touches:
    """Return a card, then the die that it changes, then the choice; a die, then a button; a deck; or a button."""
    match move:
        case moves.Use():
            effect = seen.terms.printed.kinds[move.card.number].effect
            return (_in_hand(seat, move.card), *_use(effect, move.dice, move.to))
        case moves.Roll(dice=dice):
            return _roll(seen.dice, dice)
        case moves.KeepDice():
            return (places.button("keep"),)
        case moves.DrawCard(level=level):
            return (places.deck(level),)
        case moves.DrawStone() | moves.MixWithDeck():
            return (places.deck(STONE),)
        case moves.TakeStone(seat=other) | moves.MixWith(seat=other):
            return (places.stone(other, 0),)
        case moves.Discard(card=card):
            return (_in_hand(seat, card),)
        case moves.Reroll(die=die):
            return (*places.dice((die,)), places.button("reroll"))
        case moves.LeaveDice():
            return (places.button("leave"),)
        case moves.Stock(card=card):
            assert card is not None, "a seat is offered its own cards only, which it knows"
            return (_in_hand(seat, card),)
        case moves.StockNothing():
            return (places.button("stock-nothing"),)
        case _:
            assert_never(move)


def _in_hand(seat: Seat, card: Card) -> str:
    return f"{places.hand(seat)}/{places.card(card.number)}"


def _roll(dice: Dice, some: Dice) -> Touches:
    """Return the die, and that it is rolled or the two others are; for all three there is one button. Rule: TT-8."""
    if len(some) == 1:
        return (*places.dice(some), places.button("roll-one"))
    if len(some) == 2:
        return (*places.dice(without(dice, some)), places.button("roll-two"))
    return (places.button("roll-all"),)


def _use(effect: AnyEffect, old: Dice, new: Dice) -> Touches:
    """Return what is touched after the card: dice, unless it changes all of them, then the choice that is left."""
    match effect:
        case Shift(by=by, dice=on):
            on_dice = places.dice(old) if on == "one" else ()
            return (*on_dice, places.by_step(new[0] - old[0])) if len({*by}) > 1 else on_dice
        case Turn(to=to):
            return (*places.dice(old), places.to_face(new[0])) if len({*to}) > 1 else places.dice(old)
        case Copy():
            return places.dice(old) + places.dice(new)
        case Flip(dice=on):
            return places.dice(old) if on == "one" else ()
        case RollAgain(dice=count):
            return places.dice(old) if count < 3 else ()
        case _:
            assert_never(effect)


def meant(seen: Table, seat: Seat, touched: str) -> tuple[TtmpMove, ...]:
    """Return the moves that the seat may have meant by a touch.

    A deck is touched to draw from it, a die to roll it, a card of the seat to use, stock or discard it.
    """
    return tuple(move for place, move in _meanings(seen, seat) if place == touched)


def _meanings(seen: Table, seat: Seat) -> Iterator[tuple[str, TtmpMove]]:
    step, place, kinds = seen.stage.step, seen.places[seat], seen.terms.printed.kinds
    yield places.deck(STONE), moves.MixWithDeck() if step is SUMMON else moves.DrawStone()
    for level in LEVELS:
        yield places.deck(level), moves.DrawCard(level)
    for at, die in zip(places.dice(seen.dice), seen.dice, strict=True):
        yield at, moves.Roll((die,)) if step is ACTION else moves.Reroll(die)
    for at, kind in _known(kinds, places.hand(seat), place.hand):
        if step is STOCK:
            yield at, moves.Stock(kind.level, kind.card)
        elif step in (DISCARD, LIMIT):
            yield at, moves.Discard(kind.card)
        else:
            yield at, moves.Use(kind.card, seen.dice[:1], ())
    for at, kind in _known(kinds, places.stock(seat), place.stock):
        yield at, moves.Use(kind.card, seen.dice[:1], ())


def _known(kinds: tuple[Kind, ...], at: str, levels: tuple[tuple[Card | None, ...], ...]) -> Iterator[tuple[str, Kind]]:
    """Return the known cards with their places."""
    known = [kinds[card.number] for cards in levels for card in cards if card is not None]
    return zip(numbered(at, (places.card(kind.card.number) for kind in known)), known, strict=True)
