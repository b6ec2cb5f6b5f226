"""What bots ask of a room beside the rules: a state to think with, how good it looks, and what matches tell."""

from domain.games.troll_master.bot.evaluate import evaluate
from domain.games.troll_master.bot.imagine import imagine
from domain.games.troll_master.bot.measure import Tally, measure, tally

__all__ = ["Tally", "evaluate", "imagine", "measure", "tally"]
