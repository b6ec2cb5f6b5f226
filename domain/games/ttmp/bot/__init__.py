"""How a position looks to a seat, and what it may be that the seat can't see."""

from domain.games.ttmp.bot.evaluating import evaluate
from domain.games.ttmp.bot.imagining import imagine

__all__ = ["evaluate", "imagine"]
