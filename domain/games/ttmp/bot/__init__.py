"""What a seat that is absent plays, how a position looks to a seat, and what it may be that the seat can't see."""

from domain.games.ttmp.bot.default import default
from domain.games.ttmp.bot.evaluate import evaluate
from domain.games.ttmp.bot.imagine import imagine
from domain.games.ttmp.bot.measure import measure

__all__ = ["default", "evaluate", "imagine", "measure"]
