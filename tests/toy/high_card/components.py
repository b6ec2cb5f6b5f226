"""The cards, and what a table agrees on."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from domain.game import Value

Card = Annotated[int, Meta(title="Card", description="A card by its rank, from 1.")]
"""A rank, from 1. Copies are equal; a card has no identity."""

Lying = Annotated[tuple[Card | None, ...], Meta(description="Cards; null is one that is face down.")]
"""Cards as somebody knows them: None is a card whose face they don't know."""

HAND = 3  # TOY-3
MOST_ROUNDS = 3  # TOY-2
DIE = 6  # TOY-7


class Phase(StrEnum):
    """What a round waits for."""

    SETTING = "setting"  # TOY-4
    """Everybody sets a card aside."""
    RAISING = "raising"  # TOY-5
    """Who is asked may raise."""
    ROLLING = "rolling"  # TOY-7
    """The dice are rolled."""
    OVER = "over"  # TOY-9
    """The last round is over."""


class Options(Value, frozen=True):
    """What a table agrees on before the match."""

    rounds: int = 2
    """From 1 to 3. Rule: TOY-2."""
