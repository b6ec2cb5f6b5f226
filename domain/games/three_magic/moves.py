"""The moves of a seat. Every decision is one choice from a list of at most 100."""

from __future__ import annotations

from domain.game import Move
from domain.games.three_magic.components import Position


class Tsumo(Move, frozen=True):
    """Win with the card just drawn. Rule: 3M-7, 3M-10."""


class Insert(Move, frozen=True):
    """Insert the drawn card before the hand's card at that position, counted from 0. Rule: 3M-6, 3M-7."""

    at: Position


class Discard(Move, frozen=True):
    """Take the card at that position out of the hand and discard it, with or without reach. Rule: 3M-7, 3M-19."""

    at: Position
    reach: bool = False
    """Whether reach is declared with it."""


class DiscardDrawn(Move, frozen=True):
    """In reach: discard the card just drawn. Rule: 3M-20."""


class Ron(Move, frozen=True):
    """Win with the card just discarded by another. Rule: 3M-10."""


class Pledge(Move, frozen=True):
    """Claim the discard with two hand cards, named by position from the left. Rule: 3M-13.

    Shape:   first < second. Removed positions are open (3M-6), so every pair of positions is a choice of its own.
    """

    first: Position
    second: Position


class Pass(Move, frozen=True):
    """Do not claim the discard. Rule: 3M-12."""


ThreeMagicMove = Tsumo | Insert | Discard | DiscardDrawn | Ron | Pledge | Pass
