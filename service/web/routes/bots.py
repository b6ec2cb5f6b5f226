"""The turns of bots, for who plays them: many at once."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.matches import turns
from service.web import inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, reply, service

blueprint = Blueprint("bots", __name__, url_prefix="/api/bots", description="For the workers, who play for the bots.")


@blueprint.route("/turns")
class Turns(MethodView):
    """Many matches at once."""

    @operation("takeBotTurns")
    @blueprint.arguments(inputs.BotTurnsWanted())
    @blueprint.response(200, turns.BotTurnsTaken)
    def post(self, said: dict[str, Any]) -> Response:
        """Make a move in each match, where one is sent, and be told which of its bots are asked then.

        A move counts once, since its decision is closed then: what was sent before is told to be no longer open. What
        is wrong with one match is told in its place, and the others are played.
        """
        return reply(service().turns.take(asker(), said["turns"]))
