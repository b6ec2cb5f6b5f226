"""Players that think: one implementation each for all games, which gets only what a seat sees."""

from __future__ import annotations

import re
from functools import lru_cache
from math import inf

from bots.choose import Bot, Eager, Greedy, Novice, Random
from bots.search import Searcher
from bots.search.thought import Budget
from domain import texts

BOTS: dict[str, Bot] = {
    "novice": Novice(),
    "greedy": Greedy(),
    "thinker": Searcher(Budget(seconds=0.3)),
    "master": Searcher(Budget(seconds=2.0)),
    "random": Random(),
    "eager": Eager(),
}
"""All bots by the name with which a seat is given to them: four levels, the weakest first, then two to try things."""

QUICK = {name: bot for name, bot in BOTS.items() if not isinstance(bot, Searcher)}
"""Those that choose in milliseconds."""

_BUDGET = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?)(s|w)")


@lru_cache(maxsize=64)
def named(name: str) -> Bot:
    """Return the bot with the name; a searcher's budget may follow: `thinker@0.1s` in seconds, `thinker@40w` in worlds.

    Raises:  ValueError if there is no such bot, or it has no budget.
    """
    own, _, budget = name.partition("@")
    if own not in BOTS:
        raise ValueError(f"There is no bot {own!r}; there is {', '.join(BOTS)}.")
    if own == name:
        return BOTS[own]
    if own in QUICK:
        raise ValueError(f"{own} has no budget: it does not search.")
    match = _BUDGET.fullmatch(budget)
    if match is None or not float(match[1]):
        raise ValueError(f"{budget!r} is no budget: write seconds as 0.3s, or worlds as 40w.")
    amount = float(match[1])
    return Searcher(Budget(seconds=amount) if match[2] == "s" else Budget(seconds=inf, worlds=amount))


_TEXTS = texts.read("bots", "about")

ABOUT = {name: {lang: own[name] for lang, own in _TEXTS.items()} for name in BOTS}
"""How each bot chooses, in a sentence for people."""
