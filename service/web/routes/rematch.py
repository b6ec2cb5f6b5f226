"""Rematches."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from service.matches import answers
from service.web import inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, service
from service.web.routes.matches import OPENED, opened

blueprint = Blueprint("rematch", __name__, url_prefix="/api/matches/<string:match_id>", description="Rematches.")


@blueprint.route("/rematch")
class Rematch(MethodView):
    """The rematch of a match."""

    @operation(
        "openRematch",
        problems={
            403: ("not-seated",),
            409: ("not-over", "too-many-invitations", "too-many-open"),
        },
        links=OPENED,
    )
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(201, answers.NewMatch, headers=("Location",))
    @blueprint.response(200, answers.NewMatch, headers=("Location",))
    def post(self, body: dict[str, object], match_id: str) -> Response:
        """Open the rematch of a match that is over, or find the one that another player has opened (200).

        It has the same game, pack, options, clock, visibility, players and bots. Everybody moves one seat forward, and
        the first one moves to the last seat. Bots sit down at once; the seats of players are kept for them, and each
        must accept.
        """
        rematch, is_new = service().opener.rematch(asker(), match_id, once=once())
        answer = opened(rematch)
        answer.status_code = 201 if is_new else 200
        return answer
