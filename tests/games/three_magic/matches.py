"""Whole matches, played through the record."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from domain.chance import Chance, Simulation
from domain.game import Seat, fold
from domain.games.three_magic import GAME, events
from domain.games.three_magic.components import Options
from domain.games.three_magic.moves import ThreeMagicMove
from domain.games.three_magic.state import Table
from domain.secrecy import redact
from tests.games.three_magic.table import PACK

Chooser = Callable[[Table, Seat, tuple[ThreeMagicMove, ...]], ThreeMagicMove]
"""(seen, seat, legal moves) -> the choice."""


class Step:
    """A moment of a match: the truth, what each seat saw of it, and the events that led there."""

    def __init__(
        self, table: Table, seen: tuple[Table, ...], told: tuple[events.ThreeMagicEvent, ...], moves: int
    ) -> None:
        self.table = table
        self.seen = seen
        """By seat; the last is a spectator's."""
        self.told = told
        self.moves = moves


def after(step: Step, told: tuple[events.ThreeMagicEvent, ...], moves: int) -> Step:
    viewers = (0, 1, 2, None)
    seen = tuple(
        fold(GAME, known, tuple(redact(event, viewer) for event in told))
        for viewer, known in zip(viewers, step.seen, strict=True)
    )
    return Step(fold(GAME, step.table, told), seen, told, step.moves + moves)


def matches(chooser: Chooser, seed: int, options: Options | None = None) -> Iterator[Step]:
    """A match, step by step, each chosen from what the seat sees."""
    chance: Chance = Simulation(seed)
    table = GAME.initial(options or Options(), 3, PACK)
    step = after(Step(table, (table,) * 4, (), 0), GAME.setup(table, chance), 0)
    yield step
    while to_act := GAME.to_act(step.table):
        chosen = {seat: chooser(step.seen[seat], seat, GAME.legal(step.seen[seat], seat)) for seat in to_act}
        if GAME.secret(step.table):
            answers = tuple(chosen.get(seat) for seat in range(3))
            step = after(step, GAME.close(step.table, answers, chance), len(to_act) + 1)
        else:
            ((seat, move),) = chosen.items()
            step = after(step, GAME.decide(step.table, seat, move, chance), 1)
        yield step


def anything(seed: int) -> Chooser:
    """Choose by chance."""
    draw = random.Random(seed)
    return lambda seen, seat, legal: draw.choice(legal)


def played(seed: int) -> list[Step]:
    """A short match of random choices."""
    return list(matches(anything(seed), seed, Options(laps=1)))
