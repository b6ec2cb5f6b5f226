"""How fast bots play each game of the house, and how fast a searcher thinks, without a store."""

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
"""For which each game is played, at least."""

RUNS = 5
"""Of the runs that the time is cut into the best one counts, in seconds of this process: other work is not measured."""


def _rate(room: Room, bots: Sequence[str], seconds: float) -> float:
    """Moves a second: matches are played one after the other until the time is up."""
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
    """Moves a second of every game of the catalogue, all seats given to one kind of bot."""
    return {
        f"{slug}_{name}_moves_per_s": {
            "value": round(max(_rate(room, [name] * room.game.seats[-1], seconds / RUNS) for _ in range(RUNS))),
            "unit": "moves/s",
        }
        for slug, room in Catalogue().rooms.items()
        for name in bots
    }


SEARCHER = "thinker@8w"
"""It plays one match of each game, at the first seat, against `greedy`."""


def search() -> Figures:
    """Worlds and leaves a second of a searcher, in the decisions of a match of every game."""
    found: Figures = {}
    for slug, room in Catalogue().rooms.items():
        setting = Setting(slug, next(iter(room.packs)), b"{}", room.game.seats[0])
        result = meet(setting, SEARCHER, "greedy", "bench", 0, 0)
        for name in ("worlds", "leaves"):
            number = getattr(result, name)
            key = f"{slug.replace('-', '_')}_{name}_per_s"
            found[key] = {"value": round(number / result.seconds), "unit": f"{name}/s"}
    return found
