"""Measures how fast bots play each game, and how fast a searching bot thinks, without a store."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

from benchmarks import Figures
from bots import BOTS
from bots.arena import Setting, meet
from bots.simulate import play_out
from domain.catalogue import Catalogue, Room
from domain.chance import Simulation

SECONDS = 3.0
"""The least time for which each game is played."""

RUNS = 5
"""The time is divided into so many runs. The best one counts, in processor time of this process."""


def _rate(room: Room, bots: Sequence[str], seconds: float) -> float:
    """Play matches, one after the other, until the time is over; return the moves a second."""
    game, pack, seats = room.game, next(iter(room.packs.values())).pack, len(bots)
    options, players = game.Options(), [BOTS[name] for name in bots]
    play_out(game, pack, options, seats, players, Simulation("warm"))
    moves = number = 0
    start = process_time()
    while (spent := process_time() - start) < seconds:
        moves += play_out(game, pack, options, seats, players, Simulation(number)).moves
        number += 1
    return moves / spent


def run(bots: tuple[str, ...] = ("random",), seconds: float = SECONDS) -> Figures:
    """Return the moves a second of every game, for each kind of bot; one kind has all seats of a match."""
    return {
        f"{slug}_{name}_moves_per_s": {
            "value": round(max(_rate(room, [name] * room.game.seats[-1], seconds / RUNS) for _ in range(RUNS))),
            "unit": "moves/s",
        }
        for slug, room in Catalogue().rooms.items()
        for name in bots
    }


SEARCHER = "thinker@8w"
"""The bot that plays one match of each game, on the first seat, against `greedy`."""


def search() -> Figures:
    """Return for every game the worlds and the leaves a second of the searching bot, in one match."""
    found: Figures = {}
    for slug, room in Catalogue().rooms.items():
        setting = Setting(slug, next(iter(room.packs)), b"{}", room.game.seats[0])
        result = meet(setting, SEARCHER, "greedy", "bench", 0, 0)
        for name in ("worlds", "leaves"):
            number = getattr(result, name)
            key = f"{slug.replace('-', '_')}_{name}_per_s"
            found[key] = {"value": round(number / result.seconds), "unit": f"{name}/s"}
    return found
