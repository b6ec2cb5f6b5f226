"""The moves of a seat. Dice are named by their faces and cards by their kind: equal ones are one choice."""

from __future__ import annotations

from typing import Annotated

from domain.game import Move, Seat
from domain.games.ttmp.components import Card, Dice, Die, Level
from domain.secrecy import Hidden


class Use(Move, frozen=True):
    """Use a magic card of the seat's hand on some dice. Rule: TT-7, TT-9."""

    card: Card
    dice: Dice
    """The faces of the dice that it changes."""
    to: Dice
    """The faces to which they change, one for one; none: they are rolled."""


class Roll(Move, frozen=True):
    """Dice action: roll these dice, two or three (A) or one (B). Rule: TT-8."""

    dice: Dice
    """The dice that are rolled, by their faces."""


class KeepDice(Move, frozen=True):
    """Dice action C: roll nothing. Rule: TT-8."""


class DrawCard(Move, frozen=True):
    """Draw a magic card of that level. Rule: TT-8, TT-10."""

    level: Level


class DrawStone(Move, frozen=True):
    """Draw a stone from its deck. Rule: TT-9, TT-10."""


class TakeStone(Move, frozen=True):
    """When the deck of stones is empty: take one by chance from that seat. Rule: TT-23."""

    seat: Seat


class Discard(Move, frozen=True):
    """Discard a magic card of the seat's hand, which is full or too full. Rule: TT-2, TT-12."""

    card: Card


class Reroll(Move, frozen=True):
    """Begin the turn change by rolling one die again. Rule: TT-11."""

    die: Die


class LeaveDice(Move, frozen=True):
    """Begin the turn change, and leave the dice as they are. Rule: TT-11."""


class Stock(Move, frozen=True):
    """Set a magic card of the seat's hand aside for the next round; others see its level, but not its face.

    Rule:    TT-11.
    """

    level: Level
    card: Annotated[Card | None, Hidden("seat")]
    """Null if the reader may not know it."""


class StockNothing(Move, frozen=True):
    """End the turn without setting a card aside. Rule: TT-11."""


class MixWith(Move, frozen=True):
    """As summoner: mix the summoning stone with that seat's stones, and draw one. Rule: TT-23."""

    seat: Seat


class MixWithDeck(Move, frozen=True):
    """As summoner: mix the summoning stone with the deck of stones, and draw one. Rule: TT-23."""


TtmpMove = (
    Use
    | Roll
    | KeepDice
    | DrawCard
    | DrawStone
    | TakeStone
    | Discard
    | Reroll
    | LeaveDice
    | Stock
    | StockNothing
    | MixWith
    | MixWithDeck
)
