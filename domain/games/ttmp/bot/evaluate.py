"""Judges a position for a seat, in stones: those it has, what its turn may bring, and what others may get."""

from __future__ import annotations

from domain.game import Seat, Terms
from domain.games.ttmp.bot.prospects import (
    RIVAL,
    Effects,
    after_action,
    best_action,
    danger,
    finish,
    potential,
    standing,
)
from domain.games.ttmp.components import STONE, Levels, is_triple
from domain.games.ttmp.rules.playing import may_use
from domain.games.ttmp.state import ACTION, AFTER, DISCARD, FIRST, STOCK, A, Place, Table, next_in

IN_HAND = 0.8
IN_STOCK = 0.7
"""The weights of the potential of cards in hand and in stock. A stone is worth more than the hand that goes back for
it."""
POINTS = 0.25
"""The part of a stone's worth that depends on its points."""
READY = 0.8
"""The worth of a triple on which a stone may be drawn: less than the stone."""
CARDS = 3
"""The most of its cards that a seat considers in one turn."""


def evaluate(table: Table, seat: Seat) -> float:
    """Return the seat's own stones by their points, less others' by their number, with what this turn may still bring.

    See `terms`.
    """
    # bots spend their time here, and need no names
    stones, cards, turn, rivals = _worth(table, seat)
    return stones + cards + turn + rivals


def terms(table: Table, seat: Seat) -> Terms:
    """Return the worth of the seat's stones, cards and turn, and that of the others' stones and turn, taken off.

    It reads the seat's own cards and stones, and only the backs of the others'.
    """
    stones, cards, turn, rivals = _worth(table, seat)
    return {"stones": stones, "cards": cards, "turn": turn, "rivals": rivals}


def _worth(table: Table, seat: Seat) -> tuple[float, float, float, float]:
    printed = table.terms.printed
    mean = sum(printed.stones) / len(printed.stones)
    places = table.places
    own = places[seat]
    others = sum(len(place.stones) for place in places) - len(own.stones)
    stones = (1 - POINTS) * len(own.stones) + POINTS * sum(filter(None, own.stones)) / mean
    if table.is_shown:
        return stones, 0.0, 0.0, -RIVAL * others
    cards = IN_STOCK * _potential(table, own.stock)
    stage = table.stage
    fear = _fear(table, stage.seat) if stage.seat != seat else 0.0
    if stage.seat == seat and stage.step is AFTER and is_triple(table.dice) and (stage.drew or stage.used):
        turn = READY
    else:
        cards += IN_HAND * (1 - fear) * _potential(table, own.hand)
        turn = _own_turn(table, own) if stage.seat == seat else 0.0
    return stones, cards, turn, -RIVAL * (others + fear)


def _effects(table: Table, cards: Levels) -> Effects:
    """Return the effects of the known cards, those that are last in the pack first."""
    kinds = table.terms.printed.kinds
    numbers = sorted((card.number for level in cards for card in level if card is not None), reverse=True)
    return tuple(kinds[number].effect for number in numbers)


def _potential(table: Table, cards: Levels) -> float:
    """Return the probability that one of these cards helps."""
    fail = 1.0
    for effect in _effects(table, cards):
        fail *= 1.0 - potential(effect)
    return 1.0 - fail


def _own_turn(table: Table, own: Place) -> float:
    """Return the worth of the own turn. A dice action is judged by what it may bring, not by how the dice fell."""
    stage, dice = table.stage, table.dice
    effects = _effects(table, own.hand)[:CARDS]
    step = stage.step
    if step is ACTION:
        return best_action(dice, effects)
    if step is DISCARD:
        return 1.0 if stage.level == STONE else min(READY, finish(dice, effects))
    if step is STOCK:
        return -RIVAL * _fear(table, next_in(table, stage.seat))
    if step is not AFTER or stage.action is FIRST:
        return 0.0
    if not may_use(stage):
        effects = ()
    if stage.drew or stage.used:
        return standing(dice, effects, False)
    return after_action(stage.kept, effects, stage.action is A or len(stage.kept) == len(dice))


def _fear(table: Table, seat: Seat) -> float:
    """Return the probability that another seat gets a stone with the present dice, so that the round ends."""
    if table.stage.step not in (ACTION, STOCK):
        return 0.0
    ones, twos = table.places[seat].hand
    return danger(table.terms.printed, table.dice, len(ones), len(twos))


def progress(table: Table) -> float:
    """Return the part of the stones that have been drawn."""
    if table.is_shown:
        return 1.0
    held = sum(len(place.stones) for place in table.places)
    return held / (held + len(table.stones)) if held else 0.0
