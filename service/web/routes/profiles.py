"""The public profiles of players."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.web import inputs
from service.web import profile_answers as answers
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import reply, service
from service.web.routes.matches import link_next
from service.web.routes.statistics import own

blueprint = Blueprint("profiles", __name__, url_prefix="/api", description="Profiles.")


@blueprint.route("/players/<string:player_id>")
class Profile(MethodView):
    """The profile of a player."""

    @operation("getPlayer", problems={404: ("unknown-player",)})
    @blueprint.response(200, answers.Profile)
    def get(self, player_id: str) -> Response:
        """Return a player with their results by game and number of seats, and their opponents.

        The opponents are those of the newest 200 matches. Only public matches count that were opened here and played to
        their end; forks don't count.
        """
        player = service().profiles.player(player_id)
        return reply(
            answers.Profile(
                id=player.id,
                name=player.name,
                kind=player.kind,
                owner=service().profiles.owner(player),
                since=player.created,
                games=own(player.id),
                against=service().profiles.rivals(player),
            )
        )


@blueprint.route("/players/<string:player_id>/matches")
class Matches(MethodView):
    """The finished matches of a player."""

    @operation("listPlayerMatches", problems={404: ("unknown-player",), 422: ("malformed-cursor",)})
    @blueprint.arguments(inputs.PageQuery(), location="query")
    @blueprint.response(200, answers.Matches, headers=("Link",))
    def get(self, query: dict[str, Any], player_id: str) -> Response:
        """List a player's finished public matches, the newest first.

        A match appears some seconds after it ends.
        """
        player = service().profiles.player(player_id)
        page, more = service().profiles.page(player, query["limit"], query["cursor"])
        answer = reply(answers.Matches(page, more))
        return link_next(answer, cursor=more) if more else answer
