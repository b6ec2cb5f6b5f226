"""What a table shows: all of it, to everybody. Rule: TF-5."""

from __future__ import annotations

from domain.game import Seat, Value
from domain.games.terraformers.components import BOXES, LEVELS, ROUNDS, Box, Kind, Level, Name
from domain.games.terraformers.rules.power import base_of, column_of
from domain.games.terraformers.state import (
    BOX_TIPS,
    CARD_TIPS,
    SPECIES_TIPS,
    Phase,
    Player,
    Spot,
    Table,
    ability_of,
    holder_of,
)
from domain.games.terraformers.text.cards import card_text


class CardView(Value, frozen=True):
    """A planet card, on the table or before its holder."""

    card: Name
    kind: Kind
    cost: int
    en: str
    """What is printed on it."""
    ja: str
    tips: int
    holder: tuple[Seat, ...]
    copies: tuple[Name, ...]
    """The species whose ability it has gained."""


class LevelView(Value, frozen=True):
    """A column of the sheet."""

    level: Level
    value: int
    prices: tuple[int, ...]
    """Of the check boxes that are not filled yet, from the top."""


class BoxesView(Value, frozen=True):
    """Tips on each box of the sheet."""

    city: int
    green: int
    science: int
    cosmo: int
    oxygen: int
    war: int
    carnival: int


class SheetView(Value, frozen=True):
    """What lies before one seat."""

    seat: Seat
    points: int
    stars: int
    hand: int
    """Tips in hand."""
    levels: tuple[LevelView, ...]
    boxes: BoxesView
    species: tuple[Name, ...]
    base: int
    """What power has before any tip."""
    has_passed: bool


class TableView(Value, frozen=True):
    """The whole table."""

    round: int
    rounds: int
    marker: Seat
    phase: Phase
    turn: Seat
    """Who is in turn."""
    box: tuple[Box, ...]
    """The box of the sheet on which the seat in turn is to place tips, while it is."""
    card: tuple[Name, ...]
    """The planet card on which it is to place tips, while it is."""
    against: tuple[Seat, ...]
    """The player named with that card, where it works on one."""
    planet: tuple[CardView, ...]
    """In table order; empty before it is laid out."""
    sheets: tuple[SheetView, ...]
    """In seat order."""


def view(table: Table, viewer: Seat | None) -> TableView:
    """The table, the same to every seat and to spectators. Rule: TF-5."""
    turn = table.turn
    printed = {card.name: card for card in table.terms.pack.cards}
    return TableView(
        round=table.round,
        rounds=ROUNDS,
        marker=table.marker,
        phase=turn.phase,
        turn=turn.seat,
        box=(BOXES[turn.at],) if turn.phase is BOX_TIPS else (),
        card=(table.planet[turn.at].name,) if turn.phase in (CARD_TIPS, SPECIES_TIPS) else (),
        against=turn.against,
        planet=tuple(
            _card(table, spot, *(card_text(laid.kind, printed[laid.name.name].effects, lang) for lang in ("en", "ja")))
            for spot, laid in enumerate(table.planet)
        ),
        sheets=tuple(_sheet(table, seat, player) for seat, player in enumerate(table.players)),
    )


def _card(table: Table, spot: Spot, en: str, ja: str) -> CardView:
    laid, copied = table.planet[spot], table.copies[spot]
    return CardView(
        card=laid.name,
        kind=laid.kind,
        cost=laid.cost,
        en=en,
        ja=ja,
        tips=table.tips[spot],
        holder=holder_of(table, spot),
        copies=() if copied == spot else (table.planet[copied].name,),
    )


def _sheet(table: Table, seat: Seat, player: Player) -> SheetView:
    columns = tuple(column_of(table.terms.pack, at) for at in range(len(LEVELS)))
    return SheetView(
        seat=seat,
        points=player.points,
        stars=player.stars,
        hand=player.hand,
        levels=tuple(
            LevelView(level, value, column.prices[value - column.start :])
            for level, value, column in zip(LEVELS, player.levels, columns, strict=True)
        ),
        boxes=BoxesView(*player.boxes),
        species=tuple(table.planet[spot].name for spot in player.species),
        base=base_of(player, ability_of(table, player)),
        has_passed=player.has_passed,
    )
