"""The table as the events have told it: the match, in it the deal, in it the seats' places.

Somebody who may not see a card has a None in its place: None means unknown, and nothing else does.
"""

from __future__ import annotations

from enum import StrEnum
from struct import Struct

from domain.game import Seat, Value
from domain.games.three_magic.components import HAND, KINDS, SEATS, Attribute, Card, Cards, Lying, Options, Spell
from domain.games.three_magic.pack import Pack


class Phase(StrEnum):
    """What the deal waits for."""

    DEALING = "dealing"
    """Nobody is to act: the dealer is at work, or a decision is being told."""
    DRAWN = "drawn"
    """The seat in turn drew: tsumo, or the card goes into the hand (in reach: is discarded)."""
    DISCARD = "discard"
    """The seat in turn inserted or pledged, and discards."""
    CLAIMS = "claims"
    """The seat in turn discarded, and others may claim."""
    OVER = "over"
    """The match is over."""


# In Python 3.11 a member looked up in its enum costs ten times a name, and every move looks up a few.
DEALING, DRAWN, DISCARD, CLAIMS, OVER = Phase


DISCARDED, REACHED, OPENED, TAKEN, PLEDGED, WON = range(6)
"""Kinds of records of a deal's past: a card was discarded; reach was declared; claims were opened; a card was taken out
of the hand for a pledge; a pledge was paid; a card was put into the hand that wins with it.
"""

RECORD = Struct("5B")
"""A record: the kind, the seat, the card (of a pledge the claimed one), the position at which that card lay in
the hand, and the position at which another one was put into it before.
"""

NOWHERE = 255
"""Stands for a position where the card lay in no hand, or none was put into it; and for no card."""

DRAWN_DISCARDED = tuple(
    tuple(RECORD.pack(DISCARDED, seat, card, NOWHERE, NOWHERE) for card in range(KINDS)) for seat in range(SEATS)
)
CLAIMS_OPENED = tuple(RECORD.pack(OPENED, seat, NOWHERE, NOWHERE, NOWHERE) for seat in range(SEATS))
"""The most frequent records, by the seat and the card: a look-up takes half the time of making one."""

AT = tuple((at,) for at in range(HAND + 1))
"""Where a drawn card was put into a hand: as `Deal.inserted` tells it, made once for the many states that hold it."""


class Lain(Value, frozen=True):
    """A discard in its row."""

    card: Card
    reach: bool


LAIN = tuple((Lain(card, False), Lain(card, True)) for card in range(KINDS))
"""By the card, and whether it was discarded with reach: made once for the many states that hold it."""


class Place(Value, frozen=True):
    """What lies before one seat."""

    hand: Lying = ()
    """The cards in the hand, in their order."""
    row: tuple[Lain, ...] = ()
    """The discards in their order; one that was claimed has left it."""
    pledges: tuple[Spell, ...] = ()
    laid: int = 0
    """The od that lie before the player. Rule: 3M-15, 3M-19."""
    in_reach: bool = False
    is_shown: bool = False
    """Whether the hand lies open."""


class Deal(Value, frozen=True):
    """One deal 試合."""

    phase: Phase = Phase.DEALING
    turn: Seat = 0
    """Who drew, discards, or has discarded what is claimed: the last card of that seat's row."""
    wall: Lying = ()
    """The pile; the next card is the first."""
    drawn: Lying = ()
    """The card that was drawn and is not in the hand yet, or nothing."""
    inserted: tuple[int, ...] = ()
    """Where the drawn card went, until the discard."""
    asked: tuple[bool | None, ...] = ()
    """While claims are open: whether each seat is asked."""
    places: tuple[Place, ...] = ()
    unused: Lying = ()
    """The cards that were set aside and are not turned up."""
    indicators: Cards = ()
    past: bytes = b""
    """What happened openly to hands since they were dealt, of which follows which hands they can have been: records one
    after the other. It is small, for each viewer's state is kept.
    """


class Terms(Value, frozen=True):
    """What was settled before the match: the pack, and how many laps are played."""

    pack: Pack
    laps: int


class Table(Value, frozen=True):
    """The whole match as it stands."""

    terms: Terms
    attributes: tuple[Attribute, ...] = ()
    od: tuple[int, ...] = ()
    """What each seat has, without what lies before the players; negative is debt. Rule: 3M-35."""
    ley_line: int = 0
    number: int = 0
    """The number of the deal, from 1."""
    lap: int = 0
    """The number of the lap, from 1."""
    manager: Seat = 0
    deal: Deal = Deal()


def initial(options: Options, seats: int, pack: Pack) -> Table:
    """The table before anything happened: three players with their od, no cards yet.

    Rule:    3M-2, 3M-3.
    """
    assert seats == SEATS, "check_options has refused"
    return Table(terms=Terms(pack=pack, laps=options.laps), od=(pack.prices.start,) * seats)


def next_seat(seat: Seat) -> Seat:
    """The seat of the right neighbour, whose turn follows. Rule: 3M-4."""
    return (seat + 1) % SEATS


def previous_seat(seat: Seat) -> Seat:
    """The seat of the left neighbour, whose turn came before. Rule: 3M-4."""
    return (seat - 1) % SEATS
