"""Events, moves and the table in words. Seats and positions are told from 0."""

from __future__ import annotations

from domain.games.three_magic.text.cards import cards
from domain.games.three_magic.text.describe import describe
from domain.games.three_magic.text.draw import draw
from domain.games.three_magic.text.refusals import explain

__all__ = ["cards", "describe", "draw", "explain"]
