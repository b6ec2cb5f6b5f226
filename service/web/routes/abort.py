"""Breaking a match off."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.matches import answers
from service.web import inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, service
from service.web.routes.matches import changed

blueprint = Blueprint("abort", __name__, url_prefix="/api/matches/<string:match_id>", description="Breaking off.")


@blueprint.route("/abort")
class Abort(MethodView):
    """The agreement to break a match off."""

    @operation(
        "agreeToAbort",
        problems={403: ("not-creator", "not-seated"), 409: ("match-aborted", "match-finished")},
    )
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Agree to break the match off. It ends, and all secrets open, once every player at the table has agreed.

        Bots always agree. Before the start, the player who opened the match can break it off alone; the operator always
        can.
        """
        return changed(match_id, service().ending.abort(asker(), match_id, once=once()))

    @operation("withdrawAbort", problems={403: ("not-seated",), 409: ("match-aborted", "match-finished")})
    @blueprint.response(200, answers.ChangedMatch)
    def delete(self, match_id: str) -> Response:
        """Withdraw your agreement to break the match off.

        If everybody has agreed already, the match stays broken off.
        """
        service().ending.take_back(asker(), match_id)
        return changed(match_id, None)
