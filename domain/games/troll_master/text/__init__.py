"""Events, moves, cards and the table in words. Seats are told from 0."""

from __future__ import annotations

from domain.games.troll_master.text.describing import describe
from domain.games.troll_master.text.drawing import draw
from domain.games.troll_master.text.listing import cards
from domain.games.troll_master.text.refusing import explain

__all__ = ["cards", "describe", "draw", "explain"]
