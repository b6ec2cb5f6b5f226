"""Fills in the cards and stones that a seat does not know, so that the table looks the same to it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from msgspec.structs import replace

from domain.chance import Chance
from domain.game import Seat
from domain.games.ttmp.components import LEVELS, Card, Cards, Levels, Stone
from domain.games.ttmp.state import OVER, SUMMON, Deck, Table
from domain.secrecy import fill, known, unseen


def imagine(table: Table, seat: Seat | None, chance: Chance) -> Table:
    """Fill in what is unknown in `table`, as the seat sees it: magic cards by level, each kind with all its copies.

    Rule:    TT-1, TT-4, TT-23.
    """
    return _lay_stones(_lay_cards(table, chance), chance)


def _lay_cards(table: Table, chance: Chance) -> Table:
    left = tuple(iter(chance.shuffle(_unseen_cards(table, level))) for level in LEVELS)
    places = tuple(
        replace(place, hand=_fill_levels(place.hand, left), stock=_fill_levels(place.stock, left))
        for place in table.places
    )
    first, second = (
        Deck(fill(deck.cards, cards), deck.discards) for deck, cards in zip(table.decks, left, strict=True)
    )
    return replace(table, places=places, decks=(first, second))


def _unseen_cards(table: Table, level: int) -> Cards:
    """Return the cards of the level that are nowhere in sight."""
    at = level - 1
    deck = table.decks[at]
    zones = (zone for place in table.places for zone in (place.hand[at], place.stock[at]))
    return unseen(table.terms.printed.decks[at], deck.cards, deck.discards, *zones)


def _fill_levels(levels: Levels, left: tuple[Iterator[Card], ...]) -> Levels:
    first, second = levels
    return fill(first, left[0]), fill(second, left[1])


def _lay_stones(table: Table, chance: Chance) -> Table:
    """Fill in the stones in an order that is possible: the first of those that chance gives."""
    pool = unseen(table.terms.printed.stones, table.stones, *(place.stones for place in table.places))
    order = chance.shuffle(pool)
    return next(laid for some in permutations(order) if could_be(laid := _with_stones(table, some)))


def _with_stones(table: Table, order: tuple[Stone, ...]) -> Table:
    left = iter(order)
    places = tuple(replace(place, stones=fill(place.stones, left)) for place in table.places)
    return replace(table, places=places, stones=fill(table.stones, left))


def could_be(table: Table) -> bool:
    """Return whether the stones can be like this in knockout, while it goes on.

    Nobody has reached the goal: it is checked when a stone is drawn, and after a summoning. A stone that was drawn from
    the deck and made no summoner is not the summoning stone.

    Rule:    TT-23.
    """
    goal = table.terms.goal
    stage = table.stage
    if not goal or stage.step is OVER:
        return True
    summoning = table.terms.printed.summoning
    for seat, place in enumerate(table.places):
        stones = known(place.stones)
        if (summoning, True) in zip(stones, place.plain, strict=False):
            return False
        to_mix = summoning if stage.step is SUMMON and stage.seat == seat else 0
        if sum(stones) - to_mix >= goal:
            return False
    return True
