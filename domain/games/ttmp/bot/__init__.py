"""How a position looks to a seat, and what it may be that the seat can't see."""

from domain.games.ttmp.bot.evaluating import evaluate
from domain.games.ttmp.bot.imagining import imagine
from domain.games.ttmp.bot.measuring import measure

__all__ = ["evaluate", "imagine", "measure"]
