"""The answers about standing orders."""

from __future__ import annotations

from msgspec import Struct

from events.receipts import Receipt
from service.matches import orders


class StandingOrders(Struct, frozen=True):
    """Your standing orders in a match."""

    orders: tuple[orders.StandingOrder, ...]
    """The orders, in the order in which you gave them; they are tried in this order."""


class NewOrder(orders.StandingOrder, frozen=True):
    """An order that was just given, with the receipt for its event in your private log."""

    receipt: Receipt


class OrdersFollowed(Struct, frozen=True):
    """The matches, in the order of the request."""

    matches: list[orders.MatchFollowed]
