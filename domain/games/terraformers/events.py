"""The events of a match. An event has all that is needed to change the table, and to describe it without the table."""

from __future__ import annotations

from domain.game import Event, Seat
from domain.games.terraformers.components import Box, Level, Name


class PlanetLaid(Event, frozen=True):
    """The planet cards of the match were laid out face up, in table order. Rule: TF-1."""

    cards: tuple[Name, ...]
    """The eight cards."""


class MarkerDrawn(Event, frozen=True):
    """A seat was drawn to have the marker first. Rule: TF-4."""

    seat: Seat


class RoundStarted(Event, frozen=True):
    """A round begins; the marker's holder will take the first turn. Rule: TF-6."""

    round: int
    """From 1."""
    first: Seat


class TipsDealt(Event, frozen=True):
    """All players took as many tips as their city level. Rule: TF-7."""

    tips: tuple[int, ...]
    """The number for each seat."""


class TurnStarted(Event, frozen=True):
    """The seat's turn began. Rule: TF-6, TF-8."""

    seat: Seat


class BoxChosen(Event, frozen=True):
    """A seat chose a power box of its sheet. Rule: TF-13."""

    seat: Seat
    box: Box


class CardChosen(Event, frozen=True):
    """A seat chose a box card. Rule: TF-19."""

    seat: Seat
    card: Name
    against: tuple[Seat, ...]
    """The player that was named, if the card works on one."""


class SpeciesChosen(Event, frozen=True):
    """A seat chose a species to acquire, or its own to guard. Rule: TF-20, TF-22."""

    seat: Seat
    card: Name
    holder: tuple[Seat, ...]
    """The seat that holds it; none if it is on the table."""


class BoxUsed(Event, frozen=True):
    """Tips were placed on the chosen box of the sheet. Rule: TF-13."""

    seat: Seat
    box: Box
    tips: int
    """How many."""
    power: int
    """The power, with all that adds to it."""


class CardUsed(Event, frozen=True):
    """Tips were placed on the chosen box card; its effects follow. Rule: TF-19."""

    seat: Seat
    card: Name
    tips: int
    """How many."""
    power: int
    """The power, with all that adds to it."""


class SpeciesReturned(Event, frozen=True):
    """A species went back to the table, because its owner acquires another. Rule: TF-21."""

    seat: Seat
    card: Name


class SpeciesAcquired(Event, frozen=True):
    """A seat took the chosen species, and placed tips on it. Rule: TF-20."""

    seat: Seat
    card: Name
    tips: int
    """How many."""
    power: int
    """The power, with all that adds to it."""
    loser: tuple[Seat, ...]
    """The seat that held it, if one did."""


class SpeciesGuarded(Event, frozen=True):
    """A seat placed tips on its own species. Rule: TF-22."""

    seat: Seat
    card: Name
    tips: int
    """How many."""
    power: int
    """The power, with all that adds to it."""


class SpeciesPutBack(Event, frozen=True):
    """A seat put its species back on the table, and paid for it. Rule: TF-23."""

    seat: Seat
    card: Name
    tips: int
    """The tips that went to the stock."""


class AbilityCopied(Event, frozen=True):
    """A seat named another species, and its own gained the ability. Rule: TF-37."""

    seat: Seat
    card: Name
    copied: Name
    tips: int
    """The tips that went to the stock."""


class CopyEnded(Event, frozen=True):
    """A species lost the ability that it had copied. Rule: TF-39."""

    card: Name
    copied: Name


class Passed(Event, frozen=True):
    """A seat plays no more this round. Rule: TF-9."""

    seat: Seat


class LevelRaised(Event, frozen=True):
    """Check boxes were filled. Rule: TF-14."""

    seat: Seat
    level: Level
    boxes: int
    """How many."""
    to: int
    """The level now."""


class CardScored(Event, frozen=True):
    """A card gave points or, below 0, took them. Rule: TF-19, TF-25, TF-28."""

    seat: Seat
    card: Name
    points: int
    """How many; below 0 they are lost."""


class TipsTaken(Event, frozen=True):
    """A card gave tips from the stock to a hand."""

    seat: Seat
    card: Name
    tips: int
    """How many."""


class TipsPaid(Event, frozen=True):
    """A card took tips from a hand to the stock. Rule: TF-40."""

    seat: Seat
    card: Name
    tips: int
    """How many."""


class TipsAdded(Event, frozen=True):
    """A card put tips from the stock on a seat's box, occupied or not. Rule: TF-11."""

    seat: Seat
    box: Box
    tips: int
    """How many."""
    card: Name


class TipsForced(Event, frozen=True):
    """A card made a seat put tips from hand on its box, occupied or not. Rule: TF-11."""

    seat: Seat
    box: Box
    tips: int
    """How many."""
    card: Name


class StarsMarked(Event, frozen=True):
    """A card let a seat mark stars. Rule: TF-27."""

    seat: Seat
    card: Name
    stars: int
    """How many."""
    total: int
    """The seat's stars now."""


class OxygenResolved(Event, frozen=True):
    """A seat's oxygen sufficed, or cost points. Rule: TF-16."""

    seat: Seat
    city: int
    """The seat's city level."""
    green: int
    """The seat's green level."""
    power: int
    """The power, with all that adds to it."""
    succeeds: bool
    """Whether the oxygen sufficed."""
    points: int
    """0, or below 0 the points that were lost."""


class WarResolved(Event, frozen=True):
    """The power of each seat in the war, the strongest first. Rule: TF-17."""

    order: tuple[Seat, ...]
    """The seats."""
    powers: tuple[int, ...]
    """In the same order."""


class WarScored(Event, frozen=True):
    """The first or the second of the war gained points. Rule: TF-17."""

    seat: Seat
    place: int
    """1 or 2."""
    points: int
    """How many; below 0 they are lost."""


class MarkerMoved(Event, frozen=True):
    """The first of the war took the marker from another seat. Rule: TF-17."""

    seat: Seat


class CarnivalScored(Event, frozen=True):
    """A seat's carnival gave points. Rule: TF-18."""

    seat: Seat
    power: int
    """The power, with all that adds to it."""
    points: int
    """How many; below 0 they are lost."""


class TipsReturned(Event, frozen=True):
    """All tips on boxes, on cards and in hands went to the stock. Rule: TF-24."""


class MatchEnded(Event, frozen=True):
    """All rounds and all game-end effects are over. Rule: TF-25, TF-26."""

    points: tuple[int, ...]
    """By seat."""
    ranking: tuple[int, ...]
    """The place of each seat, 1 is first; of equal points, the seat nearer to the marker comes first."""


TerraformersEvent = (
    PlanetLaid
    | MarkerDrawn
    | RoundStarted
    | TipsDealt
    | TurnStarted
    | BoxChosen
    | CardChosen
    | SpeciesChosen
    | BoxUsed
    | CardUsed
    | SpeciesReturned
    | SpeciesAcquired
    | SpeciesGuarded
    | SpeciesPutBack
    | AbilityCopied
    | CopyEnded
    | Passed
    | LevelRaised
    | CardScored
    | TipsTaken
    | TipsPaid
    | TipsAdded
    | TipsForced
    | StarsMarked
    | OxygenResolved
    | WarResolved
    | WarScored
    | MarkerMoved
    | CarnivalScored
    | TipsReturned
    | MatchEnded
)

Events = tuple[TerraformersEvent, ...]
