"""The table as the events have told it: the planet cards, the players with their sheets, the turn.

Nothing is hidden: the table is the same to everybody. Rule: TF-5.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec.structs import replace

from domain.game import Seat, Value
from domain.games.terraformers.components import BOXES, Levels, Name, Options
from domain.games.terraformers.pack import Pack
from domain.games.terraformers.printed import NONE, Ability, Laid, printed, with_copy

Spot = int
"""A planet card by its position in table order, from 0."""


class Phase(StrEnum):
    """What the table waits for."""

    RESOLVING = "resolving"
    """Nobody is to act: something is being told."""
    ACTION = "action"
    """The seat in turn chooses an action."""
    BOX_TIPS = "box-tips"
    """It has chosen a box of its sheet, and places tips."""
    CARD_TIPS = "card-tips"
    """It has chosen a box card, and places tips."""
    SPECIES_TIPS = "species-tips"
    """It has chosen a species, and places tips."""
    OVER = "over"
    """The match is over."""


# Bound once: looking a member up on its class takes as long as replacing a state's fields.
RESOLVING, ACTION, BOX_TIPS, CARD_TIPS, SPECIES_TIPS, OVER = Phase


class Turn(Value, frozen=True):
    """A turn. Rule: TF-8."""

    phase: Phase = RESOLVING
    seat: Seat = 0
    at: int = 0
    """What was chosen while tips are to be placed: the box's position on the sheet, or the card's spot."""
    against: tuple[Seat, ...] = ()
    """The player named with a card that works on one."""
    has_copied: bool = False
    """Whether another species has been named this turn."""


class Player(Value, frozen=True):
    """One player: the sheet, and what lies before them."""

    levels: Levels
    points: int = 0
    stars: int = 0
    hand: int = 0
    """Tips in hand."""
    boxes: tuple[int, ...] = (0,) * len(BOXES)
    """Tips on each box of the sheet."""
    species: tuple[Spot, ...] = ()
    """The species held, if one is."""
    has_passed: bool = False


class Terms(Value, frozen=True):
    """What was settled before the match."""

    pack: Pack
    planet: str | tuple[str, ...]
    cards: tuple[Laid, ...]
    """All those of the pack."""
    gives_all_once: bool = True
    """A box card puts tips on everybody's boxes at the round's start once; by version 2 once for each player. Rule:
    TF-7."""


class Table(Value, frozen=True):
    """The match."""

    terms: Terms
    players: tuple[Player, ...]
    planet: tuple[Laid, ...] = ()
    """In table order. Rule: TF-25."""
    tips: tuple[int, ...] = ()
    """Tips on each planet card."""
    copies: tuple[Spot, ...] = ()
    """For each planet card, the species whose ability it has gained: itself when it has gained none."""
    marker: Seat = 0
    round: int = 0
    """From 1."""
    turn: Turn = Turn()


def initial(options: Options, seats: int, pack: Pack) -> Table:
    """The table before anything happened: sheets at their starting levels, no planet yet. Rule: TF-3."""
    columns = pack.levels
    start = (columns.city.start, columns.green.start, columns.science.start, columns.cosmo.start)
    return Table(terms=Terms(pack, options.planet, printed(pack)), players=(Player(start),) * seats)


def initial_of_2(options: Options, seats: int, pack: Pack) -> Table:
    """The same for a match of version 2 of the rules. Rule: TF-7."""
    table = initial(options, seats, pack)
    return replace(table, terms=replace(table.terms, gives_all_once=False))


def ability_of(table: Table, player: Player) -> Ability:
    """What the player's species does for them, with what it has copied: it beats the rules.

    Rule:    TF-12, TF-20, TF-38.
    """
    if not player.species:
        return NONE
    spot = player.species[0]
    copied = table.copies[spot]
    own = table.planet[spot].ability
    return own if copied == spot else with_copy(own, table.planet[copied].ability)


ORDERS = tuple(tuple(tuple((first + i) % seats for i in range(seats)) for first in range(seats)) for seats in range(5))


def clockwise(table: Table) -> tuple[Seat, ...]:
    """All seats from the marker's holder on. Rule: TF-6, TF-7, TF-17."""
    return ORDERS[len(table.players)][table.marker]


def spot_of(table: Table, card: Name) -> Spot:
    """Where the card lies on the table; -1 when it does not."""
    planet = table.planet
    spot = -1
    for laid in planet:
        spot += 1
        # the very name, as a rule; one that came from outside is compared
        if laid.name is card:
            return spot
    return next((spot for spot, laid in enumerate(planet) if laid.name == card), -1)


def holder_of(table: Table, spot: Spot) -> tuple[Seat, ...]:
    """Who holds the species; nobody when it lies on the table."""
    return tuple(seat for seat, player in enumerate(table.players) if spot in player.species)
