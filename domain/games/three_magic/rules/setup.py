"""The beginning of a match and of a deal: the options, the attributes, dealing."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import EventBuffer, Refusal, Seat
from domain.games.three_magic import events
from domain.games.three_magic.components import ATTRIBUTES, DECK, HAND, SEATS, UNUSED, Attribute, Options
from domain.games.three_magic.events import Events
from domain.games.three_magic.evolve import evolve
from domain.games.three_magic.pack import Pack
from domain.games.three_magic.state import Table

Buffer = EventBuffer[Table, events.ThreeMagicEvent]


def check_options(options: Options, seats: int, pack: Pack) -> None:
    """Refuse options, or a number of seats, with which the game cannot be played.

    Rule:    3M-2, 3M-34.
    Raises:  Refusal.
    """
    if seats != SEATS:
        raise Refusal("3M-2", "seats")
    if options.laps not in (1, 2):
        raise Refusal("3M-34", "laps")


def setup(table: Table, chance: Chance) -> Events:
    """Draw the attributes and deal the first deal, whose manager is the fire player. Rule: 3M-2, 3M-3."""
    buffer: Buffer = EventBuffer(evolve, table)
    attributes = chance.shuffle(ATTRIBUTES)
    buffer.tell(events.AttributesDrawn(attributes))
    start_deal(buffer, 1, 1, attributes.index(Attribute.FIRE), chance)
    return tuple(buffer.events)


def start_deal(buffer: Buffer, deal: int, lap: int, manager: Seat, chance: Chance) -> None:
    """Shuffle, deal in turn order, set the unused cards aside, turn the first indicator; the manager draws.

    Rule:    3M-4, 3M-5.
    """
    pile = chance.shuffle(DECK)
    buffer.tell(events.DealStarted(deal=deal, lap=lap, manager=manager))
    buffer.tell(events.Shuffled(pile))
    for i in range(SEATS):
        buffer.tell(events.HandDealt((manager + i) % SEATS, pile[HAND * i : HAND * (i + 1)]))
    buffer.tell(events.UnusedSetAside(UNUSED))
    buffer.tell(events.IndicatorTurned(pile[HAND * SEATS]))
    buffer.tell(events.CardDrawn(manager, pile[HAND * SEATS + UNUSED]))
