"""What bots need: imagined tables, how a position looks, what the clock plays, and what matches are counted by."""

from domain.games.magicative.bot.absence import default
from domain.games.magicative.bot.imagining import imagine
from domain.games.magicative.bot.measuring import measure, tally
from domain.games.magicative.bot.worth import evaluate

__all__ = ["default", "evaluate", "imagine", "measure", "tally"]
