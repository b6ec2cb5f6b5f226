"""Stocking: a magic card is set aside for the next round."""

from __future__ import annotations

from domain.game import Refusal, Seat
from domain.games.ttmp.components import LEVELS, STOCK, Card
from domain.games.ttmp.events import CardStocked, Events
from domain.games.ttmp.state import Table, held


def may_stock(table: Table, seat: Seat) -> bool:
    """Return whether the seat is asked: it has a magic card, and room in its stock. Rule: TT-11, TT-21."""
    place = table.places[seat]
    first, second = place.stock
    return bool(held(place)) and len(first) + len(second) < STOCK and not table.terms.is_kind


def stock(table: Table, seat: Seat, level: int, card: Card | None) -> Events:
    """Set a card aside; the others learn its level.

    Rule:    TT-4, TT-11.
    Raises:  Refusal, when the seat holds no such card of that level.
    """
    if card is None or level not in LEVELS or card not in table.places[seat].hand[level - 1]:
        raise Refusal("TT-11", "no-such-card")
    return (CardStocked(seat, level, card),)
