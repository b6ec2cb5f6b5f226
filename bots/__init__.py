"""Players that think: one implementation each for all games, which gets only what a seat sees."""

from __future__ import annotations

from bots.choose import Bot, Eager, Greedy, Random
from domain import texts

BOTS: dict[str, Bot] = {"random": Random(), "greedy": Greedy(), "eager": Eager()}
"""All bots by the name with which a seat is given to them."""

_TEXTS = texts.read("bots", "about")

ABOUT = {name: {lang: own[name] for lang, own in _TEXTS.items()} for name in BOTS}
"""How each bot chooses, in a sentence for people."""
