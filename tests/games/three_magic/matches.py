"""Whole matches, played through the record, and an example of every event class."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from domain.chance import Chance, Simulation
from domain.game import Seat, fold
from domain.games.three_magic import GAME, events
from domain.games.three_magic.components import Attribute, Call, Line, Options
from domain.games.three_magic.moves import ThreeMagicMove
from domain.games.three_magic.state import Table
from domain.secrecy import redact
from tests.games.three_magic.table import PACK, card, cards

HAND = cards("火1 火2 火3 木1 木2 木3 水1 水2 水3")
EXAMPLES: tuple[events.ThreeMagicEvent, ...] = (
    events.AttributesDrawn((Attribute.FIRE, Attribute.WOOD, Attribute.WATER)),
    events.DealStarted(deal=3, lap=1, manager=2),
    events.Shuffled(HAND),
    events.HandDealt(1, HAND[:8]),
    events.UnusedSetAside(6),
    events.IndicatorTurned(card("火3*")),
    events.CardDrawn(1, card("火3*")),
    events.CardInserted(1, 4),
    events.CardDiscarded(1, 4, card("火3*"), True),
    events.DrawnDiscarded(1, card("火3*")),
    events.ReachDeclared(1, 10),
    events.ClaimsOpened(1, card("火3*"), (True, False, False)),
    events.ClaimsPassed(1, card("火3*")),
    events.Pledged(2, 1, Call.CHI, 0, 4, (HAND[0], HAND[2]), HAND[1], (HAND[0], HAND[1], HAND[2]), 30),
    events.TsumoDeclared(1, HAND[2], 2, HAND),
    events.RonDeclared(1, 0, HAND[2], 2, HAND),
    events.Measured(
        seat=1,
        spells=((HAND[0], HAND[1], HAND[2]),),
        counted=Attribute.WOOD,
        attribute=10,
        line=(Line.ONE_DIRECTION,),
        number=120,
        star=0,
        catalyst=20,
        total=150,
    ),
    events.OdPaid(0, 1, 75),
    events.LaidTaken(1, 40),
    events.LeyLineCollected(1, 60),
    events.LaidSunk(50),
    events.ManagerAdded(0, 10),
    events.DealDrawn(0, True),
    events.HandShown(0, HAND[:8]),
    events.ManagerStayed(0),
    events.ManagerPassed(0, 1),
    events.LapCompleted(1),
    events.MatchEnded(points=(200, 410, 200), ranking=(2, 1, 2)),
)
EVERYTHING = {type(event): event for event in EXAMPLES}

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
