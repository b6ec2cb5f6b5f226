"""Events, moves and the table in words. Seats and places are told from 0, as in the data."""

from domain.games.magicative.text.describing import describe
from domain.games.magicative.text.drawing import draw
from domain.games.magicative.text.listing import cards
from domain.games.magicative.text.refusing import explain

__all__ = ["cards", "describe", "draw", "explain"]
