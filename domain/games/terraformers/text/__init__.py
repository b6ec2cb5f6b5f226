"""Events, moves, cards and the table in words. Seats and places are told from 1."""

from __future__ import annotations

from domain.games.terraformers.text.describing import describe
from domain.games.terraformers.text.drawing import draw

__all__ = ["describe", "draw"]
