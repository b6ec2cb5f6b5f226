"""What a bot needs: how good a position looks; and what matches are counted by."""

from domain.games.terraformers.bot.evaluate import evaluate
from domain.games.terraformers.bot.measuring import Tally, measure, tally

__all__ = ["Tally", "evaluate", "measure", "tally"]
