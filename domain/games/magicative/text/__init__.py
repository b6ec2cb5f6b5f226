"""Events, moves and the table in words. Seats and places are told from 0, as in the data."""

from domain.games.magicative.text.cards import cards
from domain.games.magicative.text.describe import describe
from domain.games.magicative.text.draw import draw
from domain.games.magicative.text.refusals import explain

__all__ = ["cards", "describe", "draw", "explain"]
