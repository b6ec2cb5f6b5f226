"""The table that is folded from the events: the match, its deal, and the deal's places.

A card that the reader may not see is None; None has no other meaning.
"""

from __future__ import annotations

from enum import StrEnum
from struct import Struct

from domain.game import Seat, Value
from domain.games.three_magic.components import HAND, KINDS, SEATS, Attribute, Card, Cards, Lying, Options, Spell
from domain.games.three_magic.pack import Pack


class Phase(StrEnum):
    """The choice for which the deal waits."""

    DEALING = "dealing"
    """Nobody is to act: cards are being dealt, or more events of a move follow."""
    DRAWN = "drawn"
    """The seat in turn drew: it declares tsumo, or inserts the card (in reach: discards it)."""
    DISCARD = "discard"
    """The seat in turn has inserted or pledged, and discards."""
    CLAIMS = "claims"
    """The seat in turn has discarded, and others may claim."""
    OVER = "over"
    """The match is over."""


# In Python 3.11 `Phase.DRAWN` costs ten times as much as a global name, and every move looks up a few.
DEALING, DRAWN, DISCARD, CLAIMS, OVER = Phase


DISCARDED, REACHED, OPENED, TAKEN, PLEDGED, WON = range(6)
"""The kinds of records of a deal's past: a card was discarded; reach was declared; claims were opened; a card was taken
out of the hand for a pledge; a pledge was paid; a card was put into the hand that won with it."""

RECORD = Struct("5B")
"""A record: the kind, the seat, the card (of a pledge the claimed one), the position in the hand from which the card
was taken, and the position at which another card was put into the hand before."""

NOWHERE = 255
"""In place of a position: the card was in no hand, or no card was put into one. In place of a card: none."""

DRAWN_DISCARDED = tuple(
    tuple(RECORD.pack(DISCARDED, seat, card, NOWHERE, NOWHERE) for card in range(KINDS)) for seat in range(SEATS)
)
CLAIMS_OPENED = tuple(RECORD.pack(OPENED, seat, NOWHERE, NOWHERE, NOWHERE) for seat in range(SEATS))
"""The most frequent records, by seat and card: looking one up takes half the time of making it."""

NEXT_SEAT: tuple[Seat, ...] = (1, 2, 0)
PREVIOUS_SEAT: tuple[Seat, ...] = (2, 0, 1)
"""By seat: the right neighbour, whose turn follows, and the left one, whose turn came before. Rule: 3M-4."""

AT = tuple((at,) for at in range(HAND + 1))
"""The values of `Deal.inserted`, made once for the many states that hold them."""


class Lain(Value, frozen=True):
    """A discard in its row."""

    card: Card
    reach: bool


LAIN = tuple((Lain(card, False), Lain(card, True)) for card in range(KINDS))
"""By the card, and whether it was discarded with reach: made once for the many states that hold it."""


class Place(Value, frozen=True):
    """All that one seat has in a deal."""

    hand: Lying = ()
    """The cards in the hand, in their order."""
    row: tuple[Lain, ...] = ()
    """The discards in their order, without those that were claimed."""
    pledges: tuple[Spell, ...] = ()
    laid: int = 0
    """The od that are laid before the player. Rule: 3M-15, 3M-19."""
    in_reach: bool = False
    is_shown: bool = False
    """Whether the hand is open to all."""


class Deal(Value, frozen=True):
    """One deal 試合."""

    phase: Phase = Phase.DEALING
    turn: Seat = 0
    """The seat that drew, that discards, or whose last discard may be claimed."""
    wall: Lying = ()
    """The pile; the first card is drawn next."""
    drawn: Lying = ()
    """The card that was drawn and is not yet in the hand, if there is one."""
    inserted: tuple[int, ...] = ()
    """The position of the drawn card in the hand, until the discard."""
    asked: tuple[bool | None, ...] = ()
    """While claims are open: whether each seat is asked."""
    places: tuple[Place, ...] = ()
    unused: Lying = ()
    """The cards that were set aside and are not turned up."""
    indicators: Cards = ()
    past: bytes = b""
    """The open changes of hands since the deal, as records one after the other. They limit which cards a hidden hand
    can have. They are bytes because the state of each viewer is kept."""


class Terms(Value, frozen=True):
    """The settings of the match: the pack, and the number of laps."""

    pack: Pack
    laps: int


class Table(Value, frozen=True):
    """The state of a match."""

    terms: Terms
    attributes: tuple[Attribute, ...] = ()
    od: tuple[int, ...] = ()
    """The od of each seat, without those laid before the players; negative is debt. Rule: 3M-35."""
    ley_line: int = 0
    number: int = 0
    """The number of the deal, from 1."""
    lap: int = 0
    """The number of the lap, from 1."""
    manager: Seat = 0
    deal: Deal = Deal()


def initial(options: Options, seats: int, pack: Pack) -> Table:
    """Return the table before the first event: three players with their od, and no cards.

    Rule:    3M-2, 3M-3.
    """
    assert seats == SEATS, "check_options has refused"
    return Table(terms=Terms(pack=pack, laps=options.laps), od=(pack.prices.start,) * seats)
