"""Events, moves and the table in words. Seats and positions are told from 0."""

from __future__ import annotations

from domain.games.three_magic.text.describing import describe
from domain.games.three_magic.text.drawing import draw
from domain.games.three_magic.text.listing import cards
from domain.games.three_magic.text.refusing import explain

__all__ = ["cards", "describe", "draw", "explain"]
