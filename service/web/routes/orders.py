"""Standing orders: moves that are made for a seat when it is asked."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from replays.log import private_stream
from service.accounts import PLAY
from service.matches import MALFORMED
from service.web import order_answers, order_inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, reply, service

blueprint = Blueprint("orders", __name__, url_prefix="/api", description="Standing orders.")

NO_ORDER = ("match-aborted", "match-finished", "match-open", "resigned")


@blueprint.route("/matches/<string:match_id>/orders")
class Orders(MethodView):
    """The asker's orders in a match."""

    @operation("listOrders", PLAY, problems={403: ("not-seated",)})
    @blueprint.response(200, order_answers.StandingOrders)
    def get(self, match_id: str) -> Response:
        """List your standing orders in a match.

        Nobody else sees them until the match is over; then they open like all secrets.
        """
        return reply(order_answers.StandingOrders(service().orders.standing(match_id, asker())))

    @operation(
        "giveOrder",
        problems={403: ("not-seated",), 409: (*NO_ORDER, "too-many-orders"), 422: tuple(sorted(MALFORMED))},
    )
    @blueprint.arguments(order_inputs.OrderWanted())
    @blueprint.response(201, order_answers.NewOrder)
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Give a standing order: a move that is made for you when you are asked, also if you are asked now.

        The first of your orders that applies decides; if none applies, you are asked yourself. An order is evaluated on
        what you see, makes only legal moves, and takes as long as a bot's answer.
        """
        order, seat, version = service().orders.give(asker(), match_id, body["rule"], once=once())
        receipt = service().views.receipt(private_stream(match_id, seat), version)
        return reply(order_answers.NewOrder(order.order, order.rule, receipt), 201)


@blueprint.route("/matches/<string:match_id>/orders/<int:order>")
class Order(MethodView):
    """A standing order."""

    @operation("withdrawOrder", problems={403: ("not-seated",), 409: (*NO_ORDER, "no-such-order")})
    @blueprint.response(204)
    def delete(self, match_id: str, order: int) -> None:
        """Withdraw a standing order.

        Moves that it has made stay.
        """
        service().orders.withdraw(asker(), match_id, order)


@blueprint.route("/orders")
class Due(MethodView):
    """The evaluation of orders, for the workers."""

    @operation("followOrders")
    @blueprint.arguments(order_inputs.OrdersDue())
    @blueprint.response(200, order_answers.OrdersFollowed)
    def post(self, body: dict[str, Any]) -> Response:
        """Evaluate the standing orders of the seats that are asked in these matches; for the workers.

        A repeated request does nothing twice. The answer does not say what was done.
        """
        return reply(order_answers.OrdersFollowed(service().orders.follow(asker(), body["matches"])))
