"""The default move of the clock, the search and judgement of bots, and the figures of matches."""

from domain.games.troll_master.bot.default import default
from domain.games.troll_master.bot.evaluate import evaluate, progress, terms
from domain.games.troll_master.bot.imagine import imagine
from domain.games.troll_master.bot.measure import measure
