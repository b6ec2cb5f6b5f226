"""Links to matches that the lobby does not list."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from service.accounts import CREATE, PLAY, READ
from service.web import inputs, lobby_answers
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, reply, service

blueprint = Blueprint("links", __name__, url_prefix="/api/matches/<string:match_id>", description="Links.")


def told(match_id: str, token: str) -> Response:
    """Return an answer with the link and its token."""
    address = service().config.address
    return reply(lobby_answers.Link(token, f"{address}/api/matches/{match_id}?link={token}"))


@blueprint.route("/link")
class Link(MethodView):
    """The link of a match."""

    @operation("getLink", READ, PLAY, CREATE, problems={409: ("no-link",)})
    @blueprint.response(200, lobby_answers.Link)
    def get(self, match_id: str) -> Response:
        """Return the match's link; whoever has it may look on and sit down.

        Everybody who may look at the match can get it.
        """
        return told(match_id, service().links.token(match_id, asker()))

    @operation("renewLink", problems={403: ("not-opener",), 409: ("no-link",)})
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(200, lobby_answers.Link)
    def post(self, body: dict[str, object], match_id: str) -> Response:
        """Make a new link to a match that you opened.

        The old link is void then.
        """
        return told(match_id, service().links.renew(asker(), match_id, once=once()))
