"""What bots need: imagined tables, how a position looks, what the clock plays, and what matches are counted by."""

from domain.games.magicative.bot.default import default
from domain.games.magicative.bot.evaluate import evaluate
from domain.games.magicative.bot.imagine import imagine
from domain.games.magicative.bot.measure import measure, tally

__all__ = ["default", "evaluate", "imagine", "measure", "tally"]
