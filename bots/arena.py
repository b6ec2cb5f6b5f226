"""Matches of bots against a field of another bot, paired by seed and rotated over all seats, on all cores.

A challenger sits at one seat and the field at all others. Each seed is dealt once for each seat that the challenger may
have, so that nobody gains by the deal. A seed's share is the mean of these matches, and the interval is that of seeds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import Executor
from time import process_time
from typing import Any

import msgspec

from bots import named
from bots.choose import AnyGame, Bot
from bots.search import Searcher
from bots.simulate import play_out
from domain.catalogue import Catalogue
from domain.chance import Chance, Simulation
from domain.game import Seat

RESAMPLES = 2000
"""How often the seeds are drawn again for an interval."""
TAIL = 0.025
"""The part of them that lies beyond each end of the interval."""


class Setting(msgspec.Struct, frozen=True):
    """What is played: a game as the catalogue names it, a pack, and options as JSON."""

    game: str
    pack: str
    options: bytes
    seats: int


class Result(msgspec.Struct, frozen=True):
    """How one match went for the challenger."""

    seed: int
    share: float
    """Its share of the first place: 0, 1, or the part of one who shares it."""
    decisions: int
    """Those in which it had a choice."""
    seconds: float
    """Processor time that it took for them."""
    leaves: int
    worlds: int


class Cell(msgspec.Struct, frozen=True):
    """How a challenger did against a field."""

    bot: str
    against: str
    matches: int
    share: float
    """Its mean share of the first place."""
    low: float
    high: float
    """The ends of the interval that holds the true share in 95 of 100 arenas."""
    fair: float
    """The share of equals: one over the number of seats."""
    ms: float
    """Milliseconds of processor time a decision."""
    leaves_per_s: float
    """Positions that a searcher played on to and evaluated, a second and core; 0 for others."""
    leaves: float
    """The same a decision."""
    worlds: float
    """Worlds a decision."""


CLAIRVOYANT = "clairvoyant"
"""A searcher that is shown all cards. It plays nowhere else: it tells how much could be won by knowing more."""


class Clairvoyant(Searcher):
    """Searches from the true state, so all its worlds are the true one; only what chance will bring differs."""

    looks = False


def challenger(name: str) -> Bot:
    """Return the bot with the name, `clairvoyant@0.3s` among them. Raises ValueError if there is none."""
    if not name.startswith(f"{CLAIRVOYANT}@"):
        return named(name)
    searcher = named(name.replace(CLAIRVOYANT, "thinker"))
    assert isinstance(searcher, Searcher)
    return Clairvoyant(searcher.budget)


class Watched(Bot):
    """Counts the decisions of a bot, and the time that they take."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.looks = bot.looks  # type: ignore[misc]  # as the bot that is watched
        self.decisions = self.leaves = self.worlds = 0
        self.seconds = 0.0

    def pick(self, game: AnyGame, seen: Any, seat: Seat, legal: tuple[Any, ...], chance: Chance) -> Any:
        """See `Bot.pick`."""
        if len(legal) == 1:
            return legal[0]
        begun = process_time()
        if isinstance(self._bot, Searcher):
            thought = self._bot.think(game, seen, seat, legal, chance)
            self.leaves += thought.leaves
            self.worlds += thought.worlds
            move = thought.move
        else:
            move = self._bot.pick(game, seen, seat, legal, chance)
        self.seconds += process_time() - begun
        self.decisions += 1
        return move


def meet(setting: Setting, bot: str, field: str, seed: str, number: int, seat: Seat) -> Result:
    """Play one match, the challenger at that seat."""
    room = Catalogue().rooms[setting.game]
    options = msgspec.json.decode(setting.options, type=room.game.Options)
    measured = Watched(challenger(bot))
    bots: list[Bot] = [named(field)] * setting.seats
    bots[seat] = measured
    chance = Simulation(f"{seed}:{number}")
    ranking = play_out(room.game, room.packs[setting.pack].pack, options, setting.seats, bots, chance).ranking
    return Result(
        seed=number,
        share=1 / ranking.count(1) if ranking[seat] == 1 else 0.0,
        decisions=measured.decisions,
        seconds=measured.seconds,
        leaves=measured.leaves,
        worlds=measured.worlds,
    )


def play(setting: Setting, bot: str, field: str, seed: str, seeds: int, pool: Executor) -> Iterator[Result]:
    """Yield the result of each match as it is known, in the order of seeds."""
    games = [(number, seat) for number in range(seeds) for seat in range(setting.seats)]
    waiting = [pool.submit(meet, setting, bot, field, seed, number, seat) for number, seat in games]
    try:
        for one in waiting:
            yield one.result()
    finally:
        for one in waiting:
            one.cancel()


def cell(setting: Setting, bot: str, field: str, results: list[Result]) -> Cell:
    """Return what the results say about the challenger."""
    by_seed: dict[int, list[float]] = {}
    for result in results:
        by_seed.setdefault(result.seed, []).append(result.share)
    means = [sum(shares) / len(shares) for shares in by_seed.values()]
    low, high = interval(means)
    decisions = max(1, sum(result.decisions for result in results))
    seconds = sum(result.seconds for result in results)
    leaves = sum(result.leaves for result in results)
    return Cell(
        bot=bot,
        against=field,
        matches=len(results),
        share=sum(means) / len(means),
        low=low,
        high=high,
        fair=1 / setting.seats,
        ms=1000 * seconds / decisions,
        leaves_per_s=leaves / seconds if seconds else 0.0,
        leaves=leaves / decisions,
        worlds=sum(result.worlds for result in results) / decisions,
    )


def interval(values: list[float]) -> tuple[float, float]:
    """Return the 95 % interval of the mean, by drawing the values again; the same values give the same interval."""
    draw = random.Random(len(values))
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    cut = int(TAIL * RESAMPLES)
    return means[cut], means[-1 - cut]
