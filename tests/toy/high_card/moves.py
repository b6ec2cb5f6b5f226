"""What a player may choose."""

from __future__ import annotations

from typing import Annotated

from domain.game import Move
from domain.secrecy import Hidden
from tests.toy.high_card.components import Card


class SetAside(Move, frozen=True):
    """Set a card of the hand aside, face down. Rule: TOY-4."""

    card: Annotated[Card | None, Hidden("seat")]
    """Null where the reader may not know it."""


class Raise(Move, frozen=True):
    """Show the pair and put more into the pot. Rule: TOY-5, TOY-6."""


class Pass(Move, frozen=True):
    """Keep the pair to oneself. Rule: TOY-5."""


class Roll(Move, frozen=True):
    """Roll the die; never chosen. Rule: TOY-7."""


HighCardMove = SetAside | Raise | Pass | Roll
