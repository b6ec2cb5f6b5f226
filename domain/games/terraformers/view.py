"""The view of a table: all of it, the same for everybody. Rule: TF-5."""

from __future__ import annotations

from functools import lru_cache

from domain.game import Count, Maybe, Seat, Spoken, Value, View
from domain.games.terraformers.components import BOXES, LEVELS, ROUNDS, Box, Kind, Level, Levels, Name
from domain.games.terraformers.pack import Pack
from domain.games.terraformers.printed import Laid
from domain.games.terraformers.rules.choosing import to_act
from domain.games.terraformers.rules.power import base_of, column_of
from domain.games.terraformers.rules.scoring import carnival_power, war_power
from domain.games.terraformers.state import (
    BOX_TIPS,
    CARD_TIPS,
    SPECIES_TIPS,
    Phase,
    Player,
    Table,
    ability_of,
)
from domain.games.terraformers.text.cards import card_text
from domain.texts import LANGS


class CardView(Value, frozen=True):
    """A planet card, on the table or with its holder."""

    name: Spoken
    kind: Kind
    """Whether it is a species or a power box."""
    cost: Count
    """The power that it takes to use or to acquire it."""
    text: Spoken
    """The text printed on it."""
    tips: Count
    """How many tips are on it."""
    holder: Maybe[Seat]
    """The seat that holds it."""
    copies: Maybe[Spoken]
    """The species whose ability it has gained, by name."""


class LevelView(Value, frozen=True):
    """A column of the sheet."""

    level: Level
    """The column."""
    value: Count
    """The level now."""
    prices: tuple[int, ...]
    """The prices of the check boxes that are not filled yet, from the top."""


class BoxesView(Value, frozen=True):
    """Tips on each box of the sheet."""

    city: Count
    """Tips on the city box."""
    green: Count
    """Tips on the green box."""
    science: Count
    """Tips on the science box."""
    cosmo: Count
    """Tips on the cosmo box."""
    oxygen: Count
    """Tips on the oxygen box."""
    war: Count
    """Tips on the war box."""
    carnival: Count
    """Tips on the carnival box."""


class PlaceView(Value, frozen=True):
    """A seat's sheet, points, tips and species."""

    seat: Seat
    points: int
    """The points so far; they may be below 0."""
    stars: Count
    """The stars that were marked."""
    hand: Count
    """The tips in hand."""
    levels: tuple[LevelView, ...]
    """The columns in their order: city, green, science, cosmo."""
    boxes: BoxesView
    species: Maybe[Spoken]
    """The species that the seat holds, by name."""
    base: Count
    """The power before any tip."""
    always_oxygen: bool
    """Whether oxygen always suffices, by the seat's species."""
    war: Maybe[int]
    """The power in war with the tips as they are now; none if the seat takes no part."""
    carnival: Maybe[int]
    """The points of carnival with the tips as they are now; none if it gives this seat no points at all."""
    has_passed: bool
    """Whether the seat plays no more this round."""


class TableView(View, frozen=True, tag="terraformers"):
    """The whole table."""

    step: Phase
    """The choice for which the table waits."""
    round: Count
    """From 1; 0 before the first."""
    rounds: Count
    """How many rounds are played."""
    marker: Seat
    """The seat with the marker, which takes the first turn of the round."""
    box: Maybe[Box]
    """The box of the sheet on which the seat in turn is to place tips, at that step."""
    card: Maybe[Spoken]
    """The planet card on which it is to place tips, by name, at that step."""
    against: Maybe[Seat]
    """The player that was named, if that card works on one."""
    planet: tuple[CardView, ...]
    """In table order; empty before it is laid out."""
    places: tuple[PlaceView, ...]
    """The places of the seats, in seat order."""


def view(table: Table, viewer: Seat | None) -> TableView:
    """Return the table, the same for every seat and for spectators. Rule: TF-5."""
    turn, planet, copies, pack = table.turn, table.planet, table.copies, table.terms.pack
    holders = {spot: (seat,) for seat, player in enumerate(table.players) for spot in player.species}
    return TableView(
        turn=to_act(table),
        step=turn.phase,
        round=table.round,
        rounds=ROUNDS,
        marker=table.marker,
        box=(BOXES[turn.at],) if turn.phase is BOX_TIPS else (),
        card=(_spoken(planet[turn.at].name),) if turn.phase in (CARD_TIPS, SPECIES_TIPS) else (),
        against=turn.against,
        planet=tuple(
            [
                _card(pack, laid, tips, holders.get(spot, ()), None if copied == spot else planet[copied].name)
                for spot, (laid, tips, copied) in enumerate(zip(planet, table.tips, copies, strict=True))
            ]
        ),
        places=tuple([_place(table, seat, player) for seat, player in enumerate(table.players)]),
    )


@lru_cache(maxsize=1 << 8)
def _text(pack: Pack, name: str) -> Spoken:
    card = next(card for card in pack.cards if card.name == name)
    return Spoken(*(card_text(card.kind, card.effects, lang) for lang in LANGS))


@lru_cache(maxsize=1 << 8)
def _spoken(name: Name) -> Spoken:
    return Spoken(name.name, name.ja)


@lru_cache(maxsize=1 << 12)
def _card(pack: Pack, laid: Laid, tips: int, holder: Maybe[Seat], copied: Name | None) -> CardView:
    return CardView(
        name=_spoken(laid.name),
        kind=laid.kind,
        cost=laid.cost,
        text=_text(pack, laid.name.name),
        tips=tips,
        holder=holder,
        copies=() if copied is None else (_spoken(copied),),
    )


@lru_cache(maxsize=1 << 12)
def _levels(pack: Pack, levels: Levels) -> tuple[LevelView, ...]:
    columns = [column_of(pack, at) for at in range(len(LEVELS))]
    return tuple(
        [
            LevelView(level, value, column.prices[value - column.start :])
            for level, value, column in zip(LEVELS, levels, columns, strict=True)
        ]
    )


def _maybe(power: int | None) -> Maybe[int]:
    return () if power is None else (power,)


def _place(table: Table, seat: Seat, player: Player) -> PlaceView:
    ability = ability_of(table, player)
    return PlaceView(
        seat=seat,
        points=player.points,
        stars=player.stars,
        hand=player.hand,
        levels=_levels(table.terms.pack, player.levels),
        boxes=BoxesView(*player.boxes),
        species=tuple([_spoken(table.planet[spot].name) for spot in player.species]),
        base=base_of(player, ability),
        always_oxygen=ability.oxygen_succeeds,
        war=_maybe(war_power(table, seat)),
        carnival=_maybe(carnival_power(table, seat)),
        has_passed=player.has_passed,
    )
