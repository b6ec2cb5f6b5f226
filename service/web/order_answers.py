"""The shapes of answers about standing orders, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from domain.orders import COMPARED
from service.web.answers import Receipt, Shape, listed, text, whole
from service.web.inputs import one_of


class Comparison(Shape):
    """What is compared, and with what."""

    of = text()
    relation = one_of(*COMPARED, required=True)
    value = fields.Raw(required=True, metadata={"type": ["integer", "string", "boolean"]})


class Pattern(Shape):
    """Moves of a type, as far as their fields compare so."""

    type = text()
    where = listed(Comparison)


class Rule(Shape):
    """What an order says."""

    play = listed(Pattern)
    unless = listed(Pattern)
    when = listed(Comparison)


class StandingOrder(Shape):
    """An order that stands."""

    order = whole(metadata={"description": "From 1, in the order in which you gave them."})
    rule = fields.Nested(Rule, required=True)


class StandingOrders(Shape):
    """Yours in this match, in the order in which they are asked."""

    orders = listed(StandingOrder)


class NewOrder(StandingOrder):
    """An order just given, with the receipt for the event in your private log."""

    receipt = fields.Nested(Receipt, required=True)


class MatchFollowed(Shape):
    """A match in which orders were asked; `problem`: why it could not be looked after."""

    match = text()
    problem = text(allow_none=True)


class OrdersFollowed(Shape):
    """In the order in which they were asked for."""

    matches = listed(MatchFollowed)
