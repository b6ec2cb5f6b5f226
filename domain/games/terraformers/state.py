"""The table that is folded from the events: the planet cards, the players with their sheets, the turn.

Nothing is hidden: everybody sees the same table. Rule: TF-5.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec.structs import replace

from domain.game import Seat, Value
from domain.games.terraformers.components import BOXES, Levels, Name, Options
from domain.games.terraformers.pack import Pack
from domain.games.terraformers.printed import NONE, Ability, Laid, printed, with_copy

Spot = int
"""The position of a planet card in table order, from 0."""


class Phase(StrEnum):
    """The choice for which the table waits."""

    RESOLVING = "resolving"
    """Nobody is to act: more events of a move follow."""
    ACTION = "action"
    """The seat in turn chooses an action."""
    BOX_TIPS = "box-tips"
    """The seat in turn has chosen a box of its sheet, and places tips."""
    CARD_TIPS = "card-tips"
    """The seat in turn has chosen a box card, and places tips."""
    SPECIES_TIPS = "species-tips"
    """The seat in turn has chosen a species, and places tips."""
    OVER = "over"
    """The match is over."""


# Names for the members: looking one up in its class takes as long as replacing a state's fields.
RESOLVING, ACTION, BOX_TIPS, CARD_TIPS, SPECIES_TIPS, OVER = Phase


class Turn(Value, frozen=True):
    """A turn. Rule: TF-8."""

    phase: Phase = RESOLVING
    seat: Seat = 0
    at: int = 0
    """The choice, while tips are to be placed: the box's position on the sheet, or the card's spot."""
    against: tuple[Seat, ...] = ()
    """The player that was named, if the chosen card works on one."""
    has_copied: bool = False
    """Whether another species has been named in this turn."""


class Player(Value, frozen=True):
    """A player's sheet, points, tips and species."""

    levels: Levels
    points: int = 0
    stars: int = 0
    hand: int = 0
    """The tips in hand."""
    boxes: tuple[int, ...] = (0,) * len(BOXES)
    """The tips on each box of the sheet."""
    species: tuple[Spot, ...] = ()
    """The species that the player holds, if any."""
    has_passed: bool = False


class Terms(Value, frozen=True, cache_hash=True):
    """The settings of the match."""

    pack: Pack
    planet: str | tuple[str, ...]
    cards: tuple[Laid, ...]
    """All cards of the pack."""
    gives_all_once: bool = True
    """Whether a box card puts tips on everybody's boxes at the round's start once. In version 2 it does so once for
    each player.

    Rule:    TF-7.
    """


class Table(Value, frozen=True):
    """The state of a match."""

    terms: Terms
    players: tuple[Player, ...]
    planet: tuple[Laid, ...] = ()
    """The planet cards, in table order. Rule: TF-25."""
    tips: tuple[int, ...] = ()
    """The tips on each planet card."""
    copies: tuple[Spot, ...] = ()
    """For each planet card, the species whose ability it has gained; itself if it has gained none."""
    marker: Seat = 0
    round: int = 0
    """The number of the round, from 1."""
    turn: Turn = Turn()


def initial(options: Options, seats: int, pack: Pack) -> Table:
    """Return the table before the first event: sheets at their starting levels, and no planet. Rule: TF-3."""
    columns = pack.levels
    start = (columns.city.start, columns.green.start, columns.science.start, columns.cosmo.start)
    return Table(terms=Terms(pack, options.planet, printed(pack)), players=(Player(start),) * seats)


def initial_of_2(options: Options, seats: int, pack: Pack) -> Table:
    """Return the same for a match of version 2 of the rules. Rule: TF-7."""
    table = initial(options, seats, pack)
    return replace(table, terms=replace(table.terms, gives_all_once=False))


def ability_of(table: Table, player: Player) -> Ability:
    """Return the ability of the player's species, with what it has copied. It overrides the rules.

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
    """Return all seats from the marker's holder on. Rule: TF-6, TF-7, TF-17."""
    return ORDERS[len(table.players)][table.marker]


def spot_of(table: Table, card: Name) -> Spot:
    """Return where the card is on the table; -1 if it is not there."""
    planet = table.planet
    spot = -1
    for laid in planet:
        spot += 1
        # mostly this very object; only names from outside need a comparison
        if laid.name is card:
            return spot
    return next((spot for spot, laid in enumerate(planet) if laid.name == card), -1)


def holder_of(table: Table, spot: Spot) -> tuple[Seat, ...]:
    """Return the seat that holds the species; none if it is on the table."""
    return tuple([seat for seat, player in enumerate(table.players) if spot in player.species])
