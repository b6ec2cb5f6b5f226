"""What everybody may look at of a player."""

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

blueprint = Blueprint("profiles", __name__, url_prefix="/api", description="Who they are that play.")


@blueprint.route("/players/<string:player_id>")
class Profile(MethodView):
    """A player."""

    @operation("getPlayer", problems={404: ("unknown-player",)})
    @blueprint.response(200, answers.Profile)
    def get(self, player_id: str) -> Response:
        """A player: results by game, and against whom.

        By game and number of seats; the newest 200 matches are looked at for whom they were against. Counted are
        public matches that were opened here and played to their end; forks are not.
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
    """Their past."""

    @operation("listPlayerMatches", problems={404: ("unknown-player",), 422: ("malformed-cursor",)})
    @blueprint.arguments(inputs.PageQuery(), location="query")
    @blueprint.response(200, answers.Matches, headers=("Link",))
    def get(self, said: dict[str, Any], player_id: str) -> Response:
        """A player's finished matches that everybody may look at, the newest first.

        They are listed seconds after they ended.
        """
        player = service().profiles.player(player_id)
        page, more = service().profiles.page(player, said["limit"], said["cursor"])
        answer = reply(answers.Matches(page, more))
        return link_next(answer, cursor=more) if more else answer
