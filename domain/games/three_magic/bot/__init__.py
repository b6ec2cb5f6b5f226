"""The default move of the clock, the search and judgement of bots, and the figures of matches."""

from domain.games.three_magic.bot.default import default
from domain.games.three_magic.bot.evaluate import evaluate, progress, terms
from domain.games.three_magic.bot.imagine import imagine
from domain.games.three_magic.bot.measure import measure
