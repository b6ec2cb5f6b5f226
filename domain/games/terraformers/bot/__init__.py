"""What bots and the clock need: a move for an absent seat, what a seat may imagine, how good a position looks.

And what matches are counted by.
"""

from domain.games.terraformers.bot.default import default
from domain.games.terraformers.bot.evaluate import evaluate
from domain.games.terraformers.bot.imagine import imagine
from domain.games.terraformers.bot.measure import measure

__all__ = ["default", "evaluate", "imagine", "measure"]
