"""The events of a match. An event has all that is needed to change the table, and to describe it without the table."""

from __future__ import annotations

from typing import Annotated

from domain.game import Event, Seat
from domain.games.three_magic.components import Attribute, Call, Card, Cards, Line, Lying, Od, Position, Spell
from domain.secrecy import Hidden, HiddenEach


class AttributesDrawn(Event, frozen=True):
    """Each seat drew its attribute, in seat order. Rule: 3M-2."""

    attributes: tuple[Attribute, ...]
    """By seat."""


class DealStarted(Event, frozen=True):
    """A deal begins; the manager will take the first turn. Rule: 3M-4, 3M-5."""

    deal: int
    """From 1."""
    lap: int
    """From 1."""
    manager: Seat


class Shuffled(Event, frozen=True):
    """The order in which all 60 cards will be dealt, turned up and drawn. Rule: 3M-5."""

    cards: Annotated[Lying, Hidden()]


class HandDealt(Event, frozen=True):
    """A seat took the next cards of the pile, in their order. Rule: 3M-5, 3M-6."""

    seat: Seat
    cards: Annotated[Lying, Hidden("seat")]


class UnusedSetAside(Event, frozen=True):
    """The next cards of the pile are not used in this deal; the rest is the wall. Rule: 3M-5."""

    count: int
    """How many cards."""


class IndicatorTurned(Event, frozen=True):
    """An unused card was turned up as an indicator. Rule: 3M-5, 3M-19."""

    card: Card


class CardDrawn(Event, frozen=True):
    """A seat drew the next card of the wall, and it is that seat's turn. Rule: 3M-7."""

    seat: Seat
    card: Annotated[Card | None, Hidden("seat")]
    """Null if the reader may not know it."""


class CardInserted(Event, frozen=True):
    """The drawn card was inserted into the hand; its place is open. Rule: 3M-6, 3M-7."""

    seat: Seat
    at: Position


class CardDiscarded(Event, frozen=True):
    """A card was taken out of the hand and discarded face up; the place that it left is open. Rule: 3M-6, 3M-7."""

    seat: Seat
    at: Position
    card: Card
    reach: bool
    """Whether reach was declared with it."""


class DrawnDiscarded(Event, frozen=True):
    """A seat in reach discarded the card it drew. Rule: 3M-20."""

    seat: Seat
    card: Card


class ReachDeclared(Event, frozen=True):
    """The seat declared reach, and laid the od for it on the discard. Rule: 3M-19."""

    seat: Seat
    od: Od


class ClaimsOpened(Event, frozen=True):
    """A seat may claim the discard. Each seat alone is told whether it is asked. Rule: 3M-12."""

    discarder: Seat
    card: Card
    asked: Annotated[tuple[bool | None, ...], HiddenEach()]
    """By seat, whether it is asked; null if the reader may not know it."""


class ClaimsPassed(Event, frozen=True):
    """Nobody claimed the discard. Rule: 3M-12."""

    discarder: Seat
    card: Card


class Pledged(Event, frozen=True):
    """A seat claimed the discard with two cards of its hand, and laid the spell open. Rule: 3M-13 to 3M-16."""

    seat: Seat
    discarder: Seat
    call: Call
    first: Position
    second: Position
    """The positions of the two cards before they left the hand."""
    pair: tuple[Card, Card]
    """The two cards, in hand order."""
    card: Card
    """The discard."""
    spell: Spell
    """The three cards in the order in which they are read."""
    od: Od
    """The od that were laid on the spell."""


class TsumoDeclared(Event, frozen=True):
    """A seat won with the card it drew. It showed its hand, with that card in its place. Rule: 3M-10."""

    seat: Seat
    card: Card
    at: Position
    hand: Cards


class RonDeclared(Event, frozen=True):
    """A seat won with another's discard. It showed its hand, with that card in its place. Rule: 3M-10, 3M-11."""

    seat: Seat
    discarder: Seat
    card: Card
    at: Position
    hand: Cards


class Measured(Event, frozen=True):
    """The score of the winner's three spells, the pledged ones last. Rule: 3M-23 to 3M-26."""

    seat: Seat
    spells: tuple[Spell, ...]
    """Three cards each."""
    counted: Attribute
    """The attribute that counts for this win."""
    attribute: int
    """The score of the attribute."""
    line: tuple[Line, ...]
    """The line that scores; empty if none does."""
    number: int
    """The score of the numbers."""
    star: int
    """The score of the stars."""
    catalyst: int
    """The score of the catalysts."""
    total: int
    """The sum of all scores."""


class OdPaid(Event, frozen=True):
    """A player paid the winner. Rule: 3M-27."""

    payer: Seat
    winner: Seat
    od: Od


class LaidTaken(Event, frozen=True):
    """A winner in reach took all od that lay before the players. Rule: 3M-22."""

    seat: Seat
    od: Od


class LeyLineCollected(Event, frozen=True):
    """A winner who made no pledge took the od of the ley line. Rule: 3M-31."""

    seat: Seat
    od: Od


class LaidSunk(Event, frozen=True):
    """All od that lay before the players went to the ley line. Rule: 3M-28, 3M-30, 3M-32."""

    od: Od


class ManagerAdded(Event, frozen=True):
    """The manager paid into the ley line. Rule: 3M-28, 3M-32."""

    manager: Seat
    od: Od


class DealDrawn(Event, frozen=True):
    """The wall is empty, and nobody claimed the last discard. Rule: 3M-32."""

    manager: Seat
    ready: bool
    """Whether the manager's hand was ready."""


class HandShown(Event, frozen=True):
    """The manager of a drawn deal showed that the hand is ready. Rule: 3M-32."""

    seat: Seat
    hand: Cards


class ManagerStayed(Event, frozen=True):
    """The same player is manager of the next deal. Rule: 3M-28, 3M-32, 3M-33."""

    manager: Seat


class ManagerPassed(Event, frozen=True):
    """The next player became manager. Rule: 3M-32, 3M-33."""

    manager: Seat
    to: Seat


class LapCompleted(Event, frozen=True):
    """Every player has been manager, and the last of them gave it up. Rule: 3M-34."""

    lap: int
    """The number of the lap, from 1."""


class MatchEnded(Event, frozen=True):
    """The last deal is over. Rule: 3M-34, 3M-36."""

    points: tuple[int, ...]
    """The od of each seat at the end."""
    ranking: tuple[int, ...]
    """The place of each seat, 1 is first; seats that tie share the better place."""


ThreeMagicEvent = (
    AttributesDrawn
    | DealStarted
    | Shuffled
    | HandDealt
    | UnusedSetAside
    | IndicatorTurned
    | CardDrawn
    | CardInserted
    | CardDiscarded
    | DrawnDiscarded
    | ReachDeclared
    | ClaimsOpened
    | ClaimsPassed
    | Pledged
    | TsumoDeclared
    | RonDeclared
    | Measured
    | OdPaid
    | LaidTaken
    | LeyLineCollected
    | LaidSunk
    | ManagerAdded
    | DealDrawn
    | HandShown
    | ManagerStayed
    | ManagerPassed
    | LapCompleted
    | MatchEnded
)

Events = tuple[ThreeMagicEvent, ...]
