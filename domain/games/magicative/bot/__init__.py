"""The default move of the clock, the search and judgement of bots, and the figures of matches."""

from domain.games.magicative.bot.default import default
from domain.games.magicative.bot.evaluate import evaluate, progress, terms
from domain.games.magicative.bot.imagine import imagine
from domain.games.magicative.bot.measure import measure
