"""Events, moves, cards and the table in words. Seats are counted from 0."""

from __future__ import annotations

from domain.games.terraformers.text.describing import describe
from domain.games.terraformers.text.drawing import draw

__all__ = ["describe", "draw"]
