"""Seats that are given up, left to a bot, and taken back."""

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

blueprint = Blueprint("leaving", __name__, url_prefix="/api/matches/<string:match_id>", description="Who plays on.")

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
    """One's seat, for good."""

    @operation("resign", problems=NOT_LEFT)
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Give your seat up for good; the match goes on.

        A bot plays for the seat, or the rules do by their default move, as the match was opened.

        While answers are under seal (`sealed`) nobody comes or goes: 409 `window-open`, to be tried again when the
        last one is in.
        """
        return changed(match_id, service().leaving.resign(asker(), match_id, once=once()))


@blueprint.route("/stand-in")
class StandIn(MethodView):
    """The bot that plays for one."""

    @operation("leaveToBot", problems=NOT_LEFT)
    @blueprint.arguments(clock_inputs.StandInWanted(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Have a bot play for your seat until you take it back.

        Not while answers are under seal (`window-open`).
        """
        return changed(match_id, service().leaving.leave(asker(), match_id, said["bot"], once=once()))

    @operation("takeSeatBack", problems=NOT_LEFT)
    @blueprint.response(200, answers.ChangedMatch)
    def delete(self, match_id: str) -> Response:
        """Play for yourself again, also after a bot took over because you were silent.

        You have the time that was left for what is open. If that is less than a fifth of the clock's `allowance` (or
        than a minute, if the fifth is less), you have that much, once for each decision.

        Not while answers are under seal (`window-open`).
        """
        return changed(match_id, service().leaving.come_back(asker(), match_id))
