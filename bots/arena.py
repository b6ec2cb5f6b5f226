"""Matches of bots against a field of another bot, paired by seed and rotated over all seats, on all cores.

They measure how strong a bot is, and which numbers of a game's search make it stronger.

A challenger sits at one seat and the field at all others. Each seed is dealt once for each seat that the challenger may
have, so that nobody gains by the deal. A seed's share is the mean of these matches, and the interval is that of seeds.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from math import ceil
from multiprocessing import active_children, get_context
from time import process_time
from typing import Any

import msgspec

from bots import named
from bots.choose import AnyGame, Bot
from bots.search import Searcher
from bots.search.cores import end_with_parent, kill_all_but
from bots.search.thought import UNTUNED, mean, standard_error, won_by
from bots.simulate import play_out
from domain.catalogue import Catalogue
from domain.chance import Chance, Simulation
from domain.game import Seat
from domain.tuning import Tuning

SURE = 1.96
"""The standard errors on each side of a mean within which 95 of 100 means are."""
LAST = 2
"""The game's own numbers and the best of the others are compared in the last round."""


class Setting(msgspec.Struct, frozen=True):
    """What is played: a game as the catalogue names it, a pack, and options as JSON."""

    game: str
    pack: str
    options: bytes
    seats: int
    tuning: bytes = b"{}"
    """The numbers that stand in place of those of the game's `search.toml`, as JSON by name."""


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


@lru_cache(maxsize=64)
def tuned(game: AnyGame, numbers: bytes) -> AnyGame:
    """Return the game with these numbers in place of its own. Raises msgspec.ValidationError for what is no number."""
    given = msgspec.to_builtins(game.tuning or UNTUNED) | msgspec.json.decode(numbers)
    return replace(game, tuning=msgspec.convert(given, Tuning))


class Ended(Exception):
    """The processes that play matches can't be started, or one of them was killed."""


@contextmanager
def processes(count: int | None = None) -> Iterator[Executor]:
    """Yield processes that play matches, by default one a core. Ctrl-C ends them in the middle of a match.

    Raises:  Ended.
    """
    others = active_children()
    pool = ProcessPoolExecutor(count, get_context("fork"), end_with_parent)
    try:
        _start(pool)
        yield pool
    except BrokenProcessPool as error:
        raise Ended(
            "A process that played matches was killed: the memory may be short. Try fewer processes."
        ) from error
    finally:
        kill_all_but(others)
        # waits for the pool's thread: at the end of Python that would be woken, which fails while it ends by itself
        pool.shutdown(cancel_futures=True)


def _start(pool: Executor) -> None:
    """Start all processes of the pool. Raises Ended."""
    # the first call forks all of them, and so none of them hears Ctrl-C itself
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        pool.submit(int)
    except OSError as error:
        raise Ended(f"So many processes can't be started: {error.strerror}.") from error
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def meet(setting: Setting, bot: str, field: str, seed: str, number: int, seat: Seat) -> Result:
    """Play one match, the challenger at that seat."""
    room = Catalogue().rooms[setting.game]
    game = tuned(room.game, setting.tuning)
    options = msgspec.json.decode(setting.options, type=room.game.Options)
    measured = Watched(challenger(bot))
    bots: list[Bot] = [named(field)] * setting.seats
    bots[seat] = measured
    chance = Simulation(f"{seed}:{number}")
    ranking = play_out(game, room.packs[setting.pack].pack, options, setting.seats, bots, chance).ranking
    return Result(
        seed=number,
        share=won_by(ranking)[seat],
        decisions=measured.decisions,
        seconds=measured.seconds,
        leaves=measured.leaves,
        worlds=measured.worlds,
    )


def play(setting: Setting, bot: str, field: str, seed: str, seeds: Iterable[int], pool: Executor) -> Iterator[Result]:
    """Yield the result of each match as it is known, in the order of seeds."""
    games = [(number, seat) for number in seeds for seat in range(setting.seats)]
    for one in [pool.submit(meet, setting, bot, field, seed, number, seat) for number, seat in games]:
        yield one.result()


def cell(setting: Setting, bot: str, field: str, results: list[Result]) -> Cell:
    """Return what the results say about the challenger."""
    means = [*by_seed(results).values()]
    low, high = interval(means, 0.0)
    decisions = max(1, sum(result.decisions for result in results))
    seconds = sum(result.seconds for result in results)
    leaves = sum(result.leaves for result in results)
    return Cell(
        bot=bot,
        against=field,
        matches=len(results),
        share=mean(means),
        low=low,
        high=high,
        fair=1 / setting.seats,
        ms=1000 * seconds / decisions,
        leaves_per_s=leaves / seconds if seconds else 0.0,
        leaves=leaves / decisions,
        worlds=sum(result.worlds for result in results) / decisions,
    )


def by_seed(results: list[Result]) -> dict[int, float]:
    """Return the mean share of each deal."""
    shares: dict[int, list[float]] = {}
    for result in results:
        shares.setdefault(result.seed, []).append(result.share)
    return {seed: mean(found) for seed, found in shares.items()}


class Tried(msgspec.Struct, frozen=True):
    """How a searcher did with numbers other than those of the game, or with those: then `numbers` is empty."""

    numbers: dict[str, float]
    cell: Cell
    gain: float
    """By how much its share is larger than with the game's own numbers, on the deals that both played.

    It is too large for the best of several tries: by these same deals it was found to be the best.
    """
    low: float
    high: float
    """The ends of the interval that holds the true gain in 95 of 100 tries of one thing alone."""


def tune(
    setting: Setting, bot: str, field: str, seed: str, seeds: int, tries: list[dict[str, float]], pool: Executor
) -> Iterator[list[Tried]]:
    """Yield after each round how the numbers did that are left, the best first.

    All play the same deals. After a round the better half goes on, with as many deals more as all rounds so far had.
    The game's own numbers, which are {}, always go on, since all others are compared with them.
    """
    running = [b"{}", *map(msgspec.json.encode, tries)]
    found = {numbers: list[Result]() for numbers in running}
    done = 0
    while True:
        deals = range(done, max(seeds, 2 * done))
        done = deals.stop
        for numbers in running:
            found[numbers] += play(msgspec.structs.replace(setting, tuning=numbers), bot, field, seed, deals, pool)
        own = by_seed(found[b"{}"])
        tried = [_tried(numbers, cell(setting, bot, field, found[numbers]), found[numbers], own) for numbers in running]
        tried.sort(key=lambda one: -one.cell.share)
        yield tried
        if len(running) <= LAST:
            return
        others = [msgspec.json.encode(one.numbers) for one in tried if one.numbers]
        running = [b"{}", *others[: max(1, ceil(len(others) / 2))]]


def _tried(numbers: bytes, done: Cell, results: list[Result], own: dict[int, float]) -> Tried:
    gains = [share - own[seed] for seed, share in by_seed(results).items()]
    low, high = interval(gains, -1.0)
    return Tried(msgspec.json.decode(numbers), done, mean(gains), low, high)


def interval(values: list[float], least: float) -> tuple[float, float]:
    """Return the 95 % interval of the mean of values that are from `least` to 1.

    It is computed with one more value at each end, as Agresti and Coull do, because a few equal values prove little.
    """
    more = [*values, least, 1.0]
    middle, reach = mean(more), SURE * standard_error(more)
    return max(least, middle - reach), min(1.0, middle + reach)
