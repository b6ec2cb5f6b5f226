"""The clocks with which matches can be opened, and what they do when something is due."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.matches import terms
from service.web import clock_answers, clock_inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, reply, service

blueprint = Blueprint("clocks", __name__, url_prefix="/api", description="Clocks.")


@blueprint.route("/clocks")
class Clocks(MethodView):
    """The clocks with a name."""

    @operation("listClocks")
    @blueprint.response(200, clock_answers.Clocks)
    def get(self) -> Response:
        """List the clocks with a name, with which matches can be opened.

        A match can also be opened with other times.
        """
        config = service().config
        clocks = [terms.described(clock) for clock in terms.PRESETS.values()]
        return reply(clock_answers.Clocks(clocks, config.pause_days, config.vacation_days))

    @operation("fireDue")
    @blueprint.arguments(clock_inputs.DueWanted())
    @blueprint.response(200, clock_answers.DueDone)
    def post(self, body: dict[str, Any]) -> Response:
        """Do in each match what is due by now; for the workers.

        A repeated request does nothing twice, since it is decided on the stored match. The answer does not say what was
        done.
        """
        return reply(clock_answers.DueDone(service().firing.fire(asker(), body["matches"])))
