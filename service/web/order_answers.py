"""What is answered about standing orders: each a struct."""

from __future__ import annotations

from msgspec import Struct

from events.receipts import Receipt
from service.matches import orders


class StandingOrders(Struct, frozen=True):
    """Yours in this match, in the order in which they are asked."""

    orders: tuple[orders.StandingOrder, ...]
    """Those that stand, in the order in which they were given."""


class NewOrder(orders.StandingOrder, frozen=True):
    """An order just given, with the receipt for the event in your private log."""

    receipt: Receipt


class OrdersFollowed(Struct, frozen=True):
    """In the order in which they were asked for."""

    matches: list[orders.MatchFollowed]
