"""The beginning of a round: turning cards up, dealing, the broom."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import EventBuffer, Seat
from domain.games.troll_master import events
from domain.games.troll_master.components import HAND, TURNED, Magic
from domain.games.troll_master.events import Events, TrollMasterEvent
from domain.games.troll_master.moves import Discard
from domain.games.troll_master.state import Table
from domain.secrecy import known

Buffer = EventBuffer[Table, TrollMasterEvent]


def start_round(buffer: Buffer, chance: Chance) -> None:
    """Turn cards up, deal, and ask the start player whether to use the broom. Rule: TM-5, TM-8."""
    table = buffer.state
    seats, start = len(table.places), table.broom
    buffer.tell(events.RoundStarted(round=table.round + 1, start=start))
    left = TURNED[seats]
    while left:
        count = _ready(buffer, left, chance)
        buffer.tell(events.CardsTurned(known(buffer.state.cards.deck)[:count]))
        left -= count
    left = HAND[seats] * seats
    first = start
    while left:
        count = _ready(buffer, left, chance)
        buffer.tell(_dealt(buffer.state, first, count))
        left -= count
        first = (first + count) % seats
    buffer.tell(events.BroomReady(start))


def _ready(buffer: Buffer, wanted: int, chance: Chance) -> int:
    """Return how many of the wanted cards can be drawn now; if the deck is empty, make one of the discards first.

    Rule:    TM-7.
    """
    if not buffer.state.cards.deck:
        buffer.tell(events.Shuffled(chance.shuffle(buffer.state.cards.discards)))
    return min(wanted, len(buffer.state.cards.deck))


def _dealt(table: Table, first: Seat, count: int) -> events.CardsDealt:
    seats = len(table.places)
    cards = known(table.cards.deck)[:count]
    hands = tuple(cards[(seat - first) % seats :: seats] for seat in range(seats))
    return events.CardsDealt(first=first, count=count, hands=hands)


def draw(table: Table, seat: Seat, chance: Chance) -> Events:
    """Draw a card for the seat. At most 11 of the 24 cards are in hands or face up, so there is always one.

    Rule:    TM-7, TM-8, TM-17.
    """
    if deck := known(table.cards.deck):
        return (events.CardDrawn(seat, deck[0]),)
    deck = chance.shuffle(table.cards.discards)
    return (events.Shuffled(deck), events.CardDrawn(seat, deck[0]))


def discards(table: Table, seat: Seat) -> tuple[Discard, ...]:
    """Return one move for each kind of card in hand; the drawn card may go too. Rule: TM-8."""
    hand = table.places[seat].hand
    return tuple(move for move in DISCARDS if move.card in hand)


DISCARDS = tuple(map(Discard, Magic))
