"""What is asked of a room beside the rules: what the clock plays, how bots think and judge, what matches tell."""

from domain.games.troll_master.bot.default import default
from domain.games.troll_master.bot.evaluate import evaluate
from domain.games.troll_master.bot.imagine import imagine
from domain.games.troll_master.bot.measure import Tally, measure, tally

__all__ = ["Tally", "default", "evaluate", "imagine", "measure", "tally"]
