"""The events of a match. An event has all that is needed to change the table, and to describe it without the table.

`total` is the seat's points after the event: chips, shown aptitude cards, and the points of a used artefact.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.game import Event, Seat
from domain.games.magicative.abilities import Group
from domain.games.magicative.components import Artefact, Card, Cards, Chips, Lying, Number, Numbers, School, Spot
from domain.secrecy import Hidden


class AptitudesShuffled(Event, frozen=True):
    """The numbers of a school's aptitude cards, in the order in which they will be taken. Rule: MG-2."""

    school: School
    numbers: Annotated[tuple[Number | None, ...], Hidden()]
    """Null if the reader may not know it."""


class DeckShuffled(Event, frozen=True):
    """The order in which all cards will be drawn. Rule: MG-1, MG-3."""

    cards: Annotated[Lying, Hidden()]


class StartDrawn(Event, frozen=True):
    """A seat was drawn to begin. Rule: MG-4."""

    seat: Seat


class CardsDealt(Event, frozen=True):
    """A seat took the next cards of the deck into its first hand. Rule: MG-3."""

    seat: Seat
    cards: Annotated[Lying, Hidden("seat")]


class TurnStarted(Event, frozen=True):
    """A seat's turn began; it has not drawn yet. Rule: MG-4, MG-5."""

    seat: Seat


class CardsDrawn(Event, frozen=True):
    """A seat drew the next cards of the deck. Rule: MG-5, MG-9, MG-11."""

    seat: Seat
    cards: Annotated[Lying, Hidden("seat")]


class DeckReshuffled(Event, frozen=True):
    """All discards but the last one of each row became the deck, in this order. Rule: MG-19."""

    cards: Annotated[Lying, Hidden()]


class SwapBegun(Event, frozen=True):
    """A seat began to swap a card with the last discard of another seat, or its own. Rule: MG-8."""

    seat: Seat
    other: Seat


class CardsSwapped(Event, frozen=True):
    """A hand card took the place of a last discard, which went into the hand. Rule: MG-8."""

    seat: Seat
    other: Seat
    """The seat whose row it is."""
    given: Card
    """The card that left the hand."""
    taken: Card
    """The card that came to the hand."""


class SchoolDeclared(Event, frozen=True):
    """A seat declared the school of a formula with innocents, which it fixes next. Rule: MG-10."""

    seat: Seat
    school: School


class FormulaFixed(Event, frozen=True):
    """A seat showed three cards as a formula. Rule: MG-9, MG-10."""

    seat: Seat
    school: School
    numbers: Numbers
    """The numbers as which the cards count for ever."""
    cards: Cards
    """The cards themselves, in the order of their numbers."""
    chips: int
    """The chips that version 1 of the rules gave at once; 0 since then: see ChipsTaken."""
    total: int
    """The seat's points after it."""


class ChipsTaken(Event, frozen=True):
    """A seat took the chips of the formula that it had fixed, after its draw. Rule: MG-9."""

    seat: Seat
    chips: Chips
    total: int
    """The seat's points after it."""


class SpecialCompleted(Event, frozen=True):
    """The formula that was just fixed completed one more group of a special. Rule: MG-13, MG-14."""

    seat: Seat
    special: Group
    """The pattern of the group."""
    chips: Chips
    total: int
    """The seat's points after it."""


class Awakened(Event, frozen=True):
    """A seat set four equal cards aside. Rule: MG-11."""

    seat: Seat
    card: Card


class DrawWaits(Event, frozen=True):
    """A seat is to draw, and too few cards are left: this ends the match. Before, it may show aptitude cards.

    Rule:    MG-16, MG-19.
    """

    seat: Seat
    count: Annotated[int, Meta(description="How many cards it is to draw.", extra_json_schema={"minimum": 1})]


class AptitudeTaken(Event, frozen=True):
    """A seat took the next aptitude card of a school. Rule: MG-11."""

    seat: Seat
    school: School
    number: Annotated[Number | None, Hidden("seat")]
    """The number on the card; null if the reader may not know it."""


class AptitudeMissed(Event, frozen=True):
    """A seat chose a school that has no aptitude card left. Rule: MG-11."""

    seat: Seat
    school: School


class AptitudeShown(Event, frozen=True):
    """A seat showed one of its aptitude cards. Rule: MG-16."""

    seat: Seat
    at: Spot
    """The place of the card among all that the seat has taken, from 0 in the order in which they were taken."""
    card: Card
    total: int
    """The seat's points after it."""


class AptitudesShown(Event, frozen=True):
    """A seat showed all its aptitude cards that were not shown, in the order in which they were taken. Rule: MG-16."""

    seat: Seat
    cards: Cards
    total: int
    """The seat's points after it."""


class ArtefactUsed(Event, frozen=True):
    """A seat took an artefact, to use it. Rule: MG-15."""

    seat: Seat
    artefact: Artefact
    points: int
    """The cost, 0 or less."""
    total: int
    """The seat's points after it."""


class FateLooked(Event, frozen=True):
    """Fate: the user looked at the top cards of the deck. Rule: MG-15."""

    seat: Seat
    cards: Annotated[Lying, Hidden("seat")]


class FateArranged(Event, frozen=True):
    """Fate: one of the cards looked at was put back, next from the top. Rule: MG-15."""

    seat: Seat
    card: Annotated[Card | None, Hidden("seat")]
    """Null if the reader may not know it."""


class PastPut(Event, frozen=True):
    """Past: a hand card was put into the row, right of those put before. Rule: MG-15."""

    seat: Seat
    card: Card
    left: int
    """How many cards are still to be put."""


class PastTaken(Event, frozen=True):
    """Past: a card of the row was taken into the hand. Rule: MG-15."""

    seat: Seat
    at: Spot
    card: Card


class ArtefactDone(Event, frozen=True):
    """The use of Fate or Past is over, and the turn goes on. Rule: MG-15."""

    seat: Seat
    artefact: Artefact


class CardImitates(Event, frozen=True):
    """Innocent: the hand card counts as innocent in the formula that follows. Rule: MG-15."""

    seat: Seat
    card: Card


class CardDiscarded(Event, frozen=True):
    """A seat discarded a card to the right end of its row. Rule: MG-7."""

    seat: Seat
    card: Card


class MatchDrawn(Event, frozen=True):
    """A card had to be drawn and there was none: the match is a draw for all. Rule: MG-19."""

    points: tuple[int, ...]
    """By seat."""
    ranking: tuple[int, ...]
    """1 for each seat."""


class MatchEnded(Event, frozen=True):
    """A seat reached the goal and won. Rule: MG-17, MG-18."""

    winner: Seat
    points: tuple[int, ...]
    """The points by seat, with all aptitude cards."""
    ranking: tuple[int, ...]
    """The place of each seat, 1 is first; seats that tie share the better place."""


MagicativeEvent = (
    AptitudesShuffled
    | DeckShuffled
    | StartDrawn
    | CardsDealt
    | TurnStarted
    | CardsDrawn
    | DeckReshuffled
    | SwapBegun
    | CardsSwapped
    | SchoolDeclared
    | FormulaFixed
    | ChipsTaken
    | SpecialCompleted
    | Awakened
    | DrawWaits
    | AptitudeTaken
    | AptitudeMissed
    | AptitudeShown
    | AptitudesShown
    | ArtefactUsed
    | FateLooked
    | FateArranged
    | PastPut
    | PastTaken
    | ArtefactDone
    | CardImitates
    | CardDiscarded
    | MatchDrawn
    | MatchEnded
)

Events = tuple[MagicativeEvent, ...]
