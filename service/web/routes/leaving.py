"""Giving a seat up, handing it to a bot, and taking it back."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.matches import answers
from service.web import clock_inputs, inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, service
from service.web.routes.matches import changed

blueprint = Blueprint("leaving", __name__, url_prefix="/api/matches/<string:match_id>", description="Leaving.")

NOT_LEFT = {
    403: ("not-seated",),
    409: (
        "bot-name",
        "handed-over",
        "match-aborted",
        "match-finished",
        "match-open",
        "not-handed-over",
        "resigned",
        "window-open",
    ),
}


@blueprint.route("/resign")
class Resignation(MethodView):
    """Giving a seat up for good."""

    @operation("resign", problems=NOT_LEFT)
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Give your seat up for good; the match goes on.

        A bot plays for the seat, or the rules do with their default moves, as the match's clock says.

        While answers are given under seal (`sealed`), this is refused with 409 `window-open`; try again when the last
        answer has come.
        """
        return changed(match_id, service().leaving.resign(asker(), match_id, once=once()))


@blueprint.route("/stand-in")
class StandIn(MethodView):
    """The bot that plays for the asker."""

    @operation("leaveToBot", problems=NOT_LEFT)
    @blueprint.arguments(clock_inputs.StandInWanted(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Have a bot play for your seat until you take it back.

        While answers are given under seal, this is refused (`window-open`).
        """
        return changed(match_id, service().leaving.leave(asker(), match_id, body["bot"], once=once()))

    @operation("takeSeatBack", problems=NOT_LEFT)
    @blueprint.response(200, answers.ChangedMatch)
    def delete(self, match_id: str) -> Response:
        """Take your seat back from its bot, also if the bot took over because you did not answer.

        You have the time that is left for an open decision. If that is less than a fifth of the clock's `allowance`, or
        than a minute if the fifth is shorter, you get that much, once for each decision.

        While answers are given under seal, this is refused (`window-open`).
        """
        return changed(match_id, service().leaving.come_back(asker(), match_id))
