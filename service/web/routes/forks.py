"""Going on from a match that is over."""

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

blueprint = Blueprint("forks", __name__, url_prefix="/api/matches/<string:match_id>", description="How it goes on.")

NOT_FORKED = {
    404: ("unknown-player",),
    409: ("fork-point", "match-not-over", "parent-private", "too-many-invitations", "too-many-open"),
    422: ("player-twice", "seats", "unknown-bot"),
}


@blueprint.route("/fork")
class Fork(MethodView):
    """A match that goes on from this one."""

    @operation("forkMatch", problems=NOT_FORKED, links=OPENED)
    @blueprint.arguments(inputs.ForkWanted())
    @blueprint.response(201, answers.NewMatch, headers=("Location",))
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Open a match that goes on from a version of this one, which must be over, with the same hidden cards.

        It goes on only from where somebody had been asked for a move; `nearest` of the problem names such versions.
        Bots sit down at once; everybody else takes a seat, and the match starts where this one stood.
        """
        more = {"visibility": said["visibility"], "clock": said["clock"]}
        wanted = ForkWanted(version=said["version"], seats=places_of(said), **more)
        return opened(service().opener.fork(asker(), match_id, wanted, once=once()))
