"""The turns of bots, for the workers that play them."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.matches import turns
from service.web import inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, reply, service

blueprint = Blueprint("bots", __name__, url_prefix="/api/bots", description="For the workers that play the bots.")


@blueprint.route("/turns")
class Turns(MethodView):
    """The turns of bots in many matches."""

    @operation("takeBotTurns")
    @blueprint.arguments(inputs.BotTurnsWanted())
    @blueprint.response(200, turns.BotTurnsTaken)
    def post(self, body: dict[str, Any]) -> Response:
        """Make the moves that are sent, and return for each match which of its bots are asked then.

        A move that is sent twice is made once, since it closes its decision. A problem with one match is part of its
        entry; the other matches are played.
        """
        return reply(service().turns.take(asker(), body["turns"]))
