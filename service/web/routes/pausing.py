"""Pauses of matches, and vacations of players."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.accounts import PLAY, READ
from service.clocks import leaving
from service.matches import answers
from service.web import clock_inputs, inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, reply, service
from service.web.routes.matches import changed

blueprint = Blueprint("pausing", __name__, url_prefix="/api", description="Pauses and vacations.")

NOT_PAUSED = {
    403: ("not-seated",),
    409: (
        "match-aborted",
        "match-finished",
        "match-open",
        "no-clock",
        "not-paused",
        "paused",
        "paused-by-operator",
        "resigned",
        "window-open",
    ),
}


@blueprint.route("/matches/<string:match_id>/pause")
class Pause(MethodView):
    """The agreement to pause a match."""

    @operation("agreeToPause", problems=NOT_PAUSED)
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Agree to pause the match; it is paused once every player has agreed.

        Moves can still be made. Bots always agree, and so do players who have handed their seat to a bot. A match that
        stays paused for too long (`pause_days` of `GET /api/clocks`) is broken off, and all its secrets open. The
        operator can pause a match alone.
        """
        return changed(match_id, service().pausing.pause(asker(), match_id, once=once()))

    @operation("withdrawPause", problems=NOT_PAUSED)
    @blueprint.response(200, answers.ChangedMatch)
    def delete(self, match_id: str) -> Response:
        """Withdraw your agreement to pause or to resume the match.

        If all have agreed already, it stays paused or resumed.
        """
        service().pausing.take_back(asker(), match_id)
        return changed(match_id, None)


@blueprint.route("/matches/<string:match_id>/resume")
class Resume(MethodView):
    """The agreement to resume a match."""

    @operation("agreeToResume", problems=NOT_PAUSED)
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Agree to resume the match; its clock runs again once every player has agreed.

        Deadlines are later by the length of the pause; an outage during the pause adds nothing to that. Only the
        operator can end the operator's pause.
        """
        return changed(match_id, service().pausing.resume(asker(), match_id, once=once()))


@blueprint.route("/me/vacation")
class Vacation(MethodView):
    """The asker's vacation."""

    @operation("getVacation", READ, PLAY)
    @blueprint.response(200, leaving.Away)
    def get(self) -> Response:
        """Return your vacation, if you are on one.

        The answer also has the days of vacation that you have left this year.
        """
        return reply(service().vacations.look(asker()))

    @operation("goOnVacation", problems={409: ("on-vacation", "vacation-spent")})
    @blueprint.arguments(clock_inputs.VacationWanted())
    @blueprint.response(200, leaving.Away)
    def post(self, body: dict[str, Any]) -> Response:
        """Begin a vacation of some days now.

        Decisions that are not under seal are due later by the rest of your vacation. The logs of your matches show that
        your deadlines are later, and why. Answers under seal are not due later. All the days are spent, even if you
        come back earlier.
        """
        return reply(service().vacations.leave(asker(), body["days"], once=once()))

    @operation("comeBack")
    @blueprint.response(200, leaving.Away)
    def delete(self) -> Response:
        """End your vacation.

        Deadlines that it made later stay as they are.
        """
        return reply(service().vacations.come_back(asker()))
