"""Time that is stopped: in a match, and for a player."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.accounts import PLAY, READ
from service.clocks import vacations
from service.matches import answers
from service.web import clock_inputs, inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, reply, service
from service.web.routes.matches import changed

blueprint = Blueprint("pausing", __name__, url_prefix="/api", description="When no time runs.")

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
    """The wish to stop the time."""

    @operation("agreeToPause", problems=NOT_PAUSED)
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Agree to pause the match; it is paused once every player has agreed.

        Moves may still be made. Bots always agree, and so does whoever has left the seat to one. A match that stays
        paused for too long (`pause_days` of `GET /api/clocks`) is broken off, which opens everything. The operator
        needs nobody else.
        """
        return changed(match_id, service().pausing.pause(asker(), match_id, once=once()))

    @operation("withdrawPause", problems=NOT_PAUSED)
    @blueprint.response(200, answers.ChangedMatch)
    def delete(self, match_id: str) -> Response:
        """Agree no longer, be it to pause the match or to resume it.

        What all have agreed on before stays so.
        """
        service().pausing.take_back(asker(), match_id)
        return changed(match_id, None)


@blueprint.route("/matches/<string:match_id>/resume")
class Resume(MethodView):
    """The wish to have it run again."""

    @operation("agreeToResume", problems=NOT_PAUSED)
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Agree to resume the match; time runs again once every player has agreed.

        What was due is due later by the pause's length, to which an outage within it adds nothing. A pause of the
        operator's ends only the operator.
        """
        return changed(match_id, service().pausing.resume(asker(), match_id, once=once()))


@blueprint.route("/me/vacation")
class Vacation(MethodView):
    """Days in which one's deadlines don't run."""

    @operation("getVacation", READ, PLAY)
    @blueprint.response(200, vacations.Away)
    def get(self) -> Response:
        """Whether you are on vacation.

        And how many days of this year are left.
        """
        return reply(service().vacations.look(asker()))

    @operation("goOnVacation", problems={409: ("on-vacation", "vacation-spent")})
    @blueprint.arguments(clock_inputs.VacationWanted())
    @blueprint.response(200, vacations.Away)
    def post(self, said: dict[str, Any]) -> Response:
        """Be on vacation for so many days from now on.

        What you are asked openly is due later by what is left of them. Your matches tell that your deadlines are
        later, and why. Answers under seal are due as ever. The days are spent, also if you come back before.
        """
        return reply(service().vacations.leave(asker(), said["days"], once=once()))

    @operation("comeBack")
    @blueprint.response(200, vacations.Away)
    def delete(self) -> Response:
        """Be back.

        Deadlines that are later already stay so.
        """
        return reply(service().vacations.come_back(asker()))
