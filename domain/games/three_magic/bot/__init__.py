"""What a bot needs: a full table to think with, how good a position looks, and what the clock plays."""

from domain.games.three_magic.bot.absence import default
from domain.games.three_magic.bot.imagination import imagine
from domain.games.three_magic.bot.measuring import measure
from domain.games.three_magic.bot.worth import evaluate

__all__ = ["default", "evaluate", "imagine", "measure"]
