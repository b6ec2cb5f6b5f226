"""What a bot needs: a full table to think with, how good a position looks, and what the clock plays."""

from domain.games.three_magic.bot.default import default
from domain.games.three_magic.bot.evaluate import evaluate
from domain.games.three_magic.bot.imagine import imagine
from domain.games.three_magic.bot.measure import measure

__all__ = ["default", "evaluate", "imagine", "measure"]
