"""Standing orders: what a seat leaves to be played for it."""

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

blueprint = Blueprint("orders", __name__, url_prefix="/api", description="What is played for you.")

NO_ORDER = ("match-aborted", "match-finished", "match-open", "resigned")


@blueprint.route("/matches/<string:match_id>/orders")
class Orders(MethodView):
    """One's own in a match."""

    @operation("listOrders", PLAY, problems={403: ("not-seated",)})
    @blueprint.response(200, order_answers.StandingOrders)
    def get(self, match_id: str) -> Response:
        """Your standing orders.

        Nobody else sees them until the match is over; then they open, as all secrets do.
        """
        return reply(order_answers.StandingOrders(service().orders.standing(match_id, asker())))

    @operation(
        "giveOrder",
        problems={403: ("not-seated",), 409: (*NO_ORDER, "too-many-orders"), 422: tuple(sorted(MALFORMED))},
    )
    @blueprint.arguments(order_inputs.OrderWanted())
    @blueprint.response(201, order_answers.NewOrder)
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Leave something to be played for you while the match goes on, also of what you are asked now.

        Of several orders the one that was given first decides; where none says anything you are asked.

        It is judged by what you see, makes legal moves only, and takes a moment, as bots do.
        """
        order, seat, version = service().orders.give(asker(), match_id, said["rule"], once=once())
        receipt = service().views.receipt(private_stream(match_id, seat), version)
        return reply(order_answers.NewOrder(order.order, order.rule, receipt), 201)


@blueprint.route("/matches/<string:match_id>/orders/<int:order>")
class Order(MethodView):
    """One of them."""

    @operation("withdrawOrder", problems={403: ("not-seated",), 409: (*NO_ORDER, "no-such-order")})
    @blueprint.response(204)
    def delete(self, match_id: str, order: int) -> None:
        """Withdraw it: it is followed no longer.

        What it has played stays played.
        """
        service().orders.withdraw(asker(), match_id, order)


@blueprint.route("/orders")
class Due(MethodView):
    """For the workers."""

    @operation("followOrders")
    @blueprint.arguments(order_inputs.OrdersDue())
    @blueprint.response(200, order_answers.OrdersFollowed)
    def post(self, said: dict[str, Any]) -> Response:
        """Ask the standing orders of whoever is asked in these matches, for the workers.

        Doing it twice does it once, and what was done is not told.
        """
        return reply(order_answers.OrdersFollowed(service().orders.follow(asker(), said["matches"])))
