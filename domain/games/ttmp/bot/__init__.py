"""The default move of the clock, the search and judgement of bots, and the figures of matches."""

from domain.games.ttmp.bot.default import default
from domain.games.ttmp.bot.evaluate import evaluate, progress, terms
from domain.games.ttmp.bot.imagine import imagine
from domain.games.ttmp.bot.measure import measure
