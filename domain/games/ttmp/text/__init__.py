"""Events, moves and the table in words. Seats, places and faces are told as they stand in the data."""

from __future__ import annotations

from domain.games.ttmp.text.describing import describe
from domain.games.ttmp.text.drawing import draw
from domain.games.ttmp.text.listing import cards
from domain.games.ttmp.text.refusing import explain

__all__ = ["cards", "describe", "draw", "explain"]
