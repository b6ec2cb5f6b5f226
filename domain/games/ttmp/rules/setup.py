"""Setup: the options, the decks, and the start player."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import EventBuffer, Refusal, Seat
from domain.games.ttmp import moves
from domain.games.ttmp.components import LEVELS, SEATS, Mode, Options
from domain.games.ttmp.events import CardsShuffled, Events, StartRolled, StonesShuffled
from domain.games.ttmp.evolve import evolve
from domain.games.ttmp.moves import TtmpMove
from domain.games.ttmp.pack import Pack
from domain.games.ttmp.rules.rounds import begin_round
from domain.games.ttmp.rules.scoring import Buffer
from domain.games.ttmp.state import Table
from domain.secrecy import known


def check_options(options: Options, seats: int, pack: Pack) -> None:
    """Check the number of seats, and refuse modes that cannot be combined.

    Rule:    TT-2, TT-19, TT-20, TT-22, TT-23.
    Raises:  Refusal, when it cannot be played.
    """
    modes = options.modes
    if seats not in SEATS:
        raise Refusal("TT-2", "seats")
    if len(set(modes)) < len(modes):
        raise Refusal("TT-19", "mode-twice")
    if Mode.KNOCKOUT in modes and len(modes) > 1:
        raise Refusal("TT-23", "knockout-alone")
    if Mode.HARD in modes and Mode.RANKING in modes:
        raise Refusal("TT-22", "hard-and-ranking")


def never(options: Options) -> tuple[type[TtmpMove], ...]:
    """Return the classes of moves that the modes never allow. Rule: TT-21, TT-23."""
    stocks = (moves.Stock, moves.StockNothing) if Mode.KIND in options.modes else ()
    return stocks if Mode.KNOCKOUT in options.modes else (*stocks, moves.TakeStone, moves.MixWith, moves.MixWithDeck)


def setup(table: Table, chance: Chance) -> Events:
    """Shuffle the decks, roll for the start, begin the first round. Rule: TT-1, TT-5."""
    buffer: Buffer = EventBuffer(evolve, table)
    buffer.tell(StonesShuffled(chance.shuffle(known(table.stones))))
    for level in LEVELS:
        buffer.tell(CardsShuffled(level, chance.shuffle(known(table.decks[level - 1].cards))))
    begin_round(buffer, _roll_for_the_start(buffer, chance), chance)
    return tuple(buffer.events)


def _roll_for_the_start(buffer: Buffer, chance: Chance) -> Seat:
    """Return the seat that rolls lowest; seats tied for the lowest roll again. Rule: TT-5."""
    seats = tuple(range(len(buffer.state.places)))
    while len(seats) > 1:
        dice = tuple(chance.roll() for _ in seats)
        buffer.tell(StartRolled(seats, dice))
        seats = tuple(seat for seat, die in zip(seats, dice, strict=True) if die == min(dice))
    return seats[0]
