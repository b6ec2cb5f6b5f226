"""The default move of the clock, the search and judgement of bots, and the figures of matches."""

from domain.games.terraformers.bot.default import default
from domain.games.terraformers.bot.evaluate import evaluate, progress, terms
from domain.games.terraformers.bot.imagine import imagine
from domain.games.terraformers.bot.measure import measure
