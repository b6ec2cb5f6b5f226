"""Search on what a seat sees: one implementation for all games. It returns what it thought of each move."""

from __future__ import annotations

from copy import copy
from typing import Any

import msgspec

from bots.choose import SEEDS, AnyGame, Bot
from bots.search.cores import Cores
from bots.search.race import Race
from bots.search.thought import Budget, Thought
from domain.chance import Chance
from domain.game import Seat


class Searcher(Bot):
    """Chooses by playing on in imagined worlds, for as long as its budget allows."""

    cores: Cores | None = None
    """The processes among which its worlds are parted; None for this one alone."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget

    def hurried(self, part: float, cores: Cores | None) -> Searcher:
        """Return the same bot with that part of its time, on these cores."""
        other = copy(self)
        other.budget = msgspec.structs.replace(self.budget, seconds=part * self.budget.seconds)
        other.cores = cores
        return other

    def think(self, game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Thought:
        """Return what it thinks of these moves. See `Bot.pick`."""
        return Race(game, seen, seat, f"{chance.below(SEEDS)}", self.cores).run(legal, self.budget)

    def pick(self, game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        return self.think(game, seen, seat, legal, chance).move
