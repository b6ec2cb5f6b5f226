"""The time of matches: the clocks that there are."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.matches import terms, timing
from service.web import clock_answers, clock_inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, reply, service

blueprint = Blueprint("clocks", __name__, url_prefix="/api", description="Whose time runs.")


@blueprint.route("/clocks")
class Clocks(MethodView):
    """The clocks that have a name."""

    @operation("listClocks")
    @blueprint.response(200, clock_answers.Clocks)
    def get(self) -> Response:
        """The clocks that matches can be opened with by their names.

        Times of one's own can be said instead.
        """
        config = service().config
        told = [timing.described(clock) for clock in terms.PRESETS.values()]
        return reply(clock_answers.Clocks(told, config.pause_days, config.vacation_days))

    @operation("fireDue")
    @blueprint.arguments(clock_inputs.DueWanted())
    @blueprint.response(200, clock_answers.DueDone)
    def post(self, said: dict[str, Any]) -> Response:
        """Do in each match what is due by now, for the workers.

        It is decided on what is stored then, so that doing it twice does it once. What was done is not told.
        """
        return reply(clock_answers.DueDone(service().firing.fire(asker(), said["matches"])))
