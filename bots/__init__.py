"""Players that think: one implementation each for all games, given nothing but what a seat sees."""

from __future__ import annotations

from bots.choose import Bot, Eager, Greedy, Random

__all__ = ["BOTS", "Bot"]

BOTS: dict[str, Bot] = {"random": Random(), "greedy": Greedy(), "eager": Eager()}
"""All bots by the name that a match's seats are given to."""
