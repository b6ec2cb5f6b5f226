"""What happens at the table."""

from __future__ import annotations

from typing import Annotated

from domain.game import Event, Seat
from domain.secrecy import Hidden, HiddenEach
from tests.toy.high_card.components import Card, Lying


class RoundStarted(Event, frozen=True):
    """Everybody put the ante into the pot. Rule: TOY-3."""

    round: int
    """From 1."""
    ante: int
    """What each seat put there."""


class Shuffled(Event, frozen=True):
    """All cards in the order in which they will be dealt. Rule: TOY-3."""

    cards: Annotated[Lying, Hidden()]


class Dealt(Event, frozen=True):
    """A seat took the next cards of the stock. Rule: TOY-3."""

    seat: Seat
    cards: Annotated[Lying, Hidden("seat")]


class CardSetAside(Event, frozen=True):
    """A card went from a hand to the table, face down. Rule: TOY-4."""

    seat: Seat
    card: Annotated[Card | None, Hidden("seat")]
    """Null where the reader may not know it."""


class RaisesOpened(Event, frozen=True):
    """Somebody has a pair; whether they are asked is told to each seat alone. Rule: TOY-5."""

    asked: Annotated[tuple[bool | None, ...], HiddenEach()]
    """By seat; null is what the reader may not know."""


class Raised(Event, frozen=True):
    """A seat showed its pair and put chips into the pot. Rule: TOY-6."""

    seat: Seat
    rank: Card
    chips: int
    """How many."""


class RaisesClosed(Event, frozen=True):
    """Whoever wanted to raise has. Rule: TOY-6."""


class DieRolled(Event, frozen=True):
    """A seat rolled its die. Rule: TOY-7."""

    seat: Seat
    pips: int
    """What it shows."""


class CardsTurned(Event, frozen=True):
    """The cards set aside, a seat each, were turned up. Rule: TOY-8."""

    cards: tuple[Card, ...]
    """By seat."""


class PotShared(Event, frozen=True):
    """The winners of the round took the same number of chips each. Rule: TOY-8."""

    winners: tuple[Seat, ...]
    """In seat order."""
    chips: int
    """How many each of them took."""


class GameEnded(Event, frozen=True):
    """The last round is over. Rule: TOY-9."""

    points: tuple[int, ...]
    """By seat."""
    ranking: tuple[int, ...]
    """A place a seat, 1 is first."""


HighCardEvent = (
    RoundStarted
    | Shuffled
    | Dealt
    | CardSetAside
    | RaisesOpened
    | Raised
    | RaisesClosed
    | DieRolled
    | CardsTurned
    | PotShared
    | GameEnded
)
