"""Forks: matches that continue a match that is over."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.matches import ForkWanted, answers
from service.web import inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, service
from service.web.routes.matches import OPENED, opened, places_of

blueprint = Blueprint("forks", __name__, url_prefix="/api/matches/<string:match_id>", description="Forks.")

NOT_FORKED = {
    404: ("unknown-player",),
    409: ("fork-point", "match-not-over", "parent-private", "too-many-invitations", "too-many-open"),
    422: ("player-twice", "seats", "unknown-bot"),
}


@blueprint.route("/fork")
class Fork(MethodView):
    """The forks of a match."""

    @operation("forkMatch", problems=NOT_FORKED, links=OPENED)
    @blueprint.arguments(inputs.ForkWanted())
    @blueprint.response(201, answers.NewMatch, headers=("Location",))
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Open a match that continues a version of this one, which must be over, with the same hidden cards.

        Somebody must have been asked for a move at that version; if not, `nearest` in the problem names such versions.
        Bots sit down at once; everybody else takes a seat, and the match starts at the position of that version.
        """
        more = {"visibility": body["visibility"], "clock": body["clock"]}
        wanted = ForkWanted(version=body["version"], seats=places_of(body), **more)
        return opened(service().opener.fork(asker(), match_id, wanted, once=once()))
