"""What is counted of finished matches."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.store import Statistics
from service.web import statistics_answers as answers
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, reply, service
from service.web.routes.players import ANY

blueprint = Blueprint("statistics", __name__, url_prefix="/api", description="What is counted.")


def reached(matches: int, won: int, shared: int, points: int) -> dict[str, Any]:
    """Results with the mean of their points."""
    return {"matches": matches, "won": won, "shared": shared, "points": round(points / matches, 3)}


def tables(found: Statistics, game: str) -> list[dict[str, Any]]:
    """A game's, by number of seats."""
    seats, bots = found.by_kind(game, "seat"), found.by_kind(game, "bot")
    return [
        {
            "seats": one.seats,
            "matches": one.matches,
            "moves": {"least": one.least, "most": one.most, "mean": round(one.moves / one.matches, 3)},
            "by_seat": sorted(
                (
                    {"seat": int(of.who.partition(":")[2]), **reached(of.matches, of.won, of.shared, of.points)}
                    for of in seats
                    if of.seats == one.seats
                ),
                key=lambda row: row["seat"],
            ),
            "by_bot": [
                {"bot": of.who.partition(":")[2], **reached(of.matches, of.won, of.shared, of.points)}
                for of in bots
                if of.seats == one.seats
            ],
        }
        for one in found.played(game)
    ]


@blueprint.route("/games/<string:game>/statistics")
class OfGame(MethodView):
    """A game's."""

    @operation("getGameStatistics", problems={404: ("unknown-game",)})
    @blueprint.response(200, answers.GameStatistics)
    def get(self, game: str) -> Response:
        """How the game's matches went, seconds after they ended.

        Counted are public matches that were opened here and played to their end; forks are not.
        """
        slug = service().opener.room(game).game.slug
        return reply({"game": slug, "tables": tables(service().statistics, slug)})


@blueprint.route("/me/statistics")
class OfMe(MethodView):
    """Of whoever asks."""

    @operation("getMyStatistics", *ANY, problems={403: ("no-player",)})
    @blueprint.response(200, answers.OwnStatistics)
    def get(self) -> Response:
        """How your matches went, by game and number of seats; the same matches are counted as for games.

        The same matches are counted as for games.
        """
        player = service().accounts.player(asker())
        return reply(
            {
                "games": [
                    {"game": of.game, "seats": of.seats, **reached(of.matches, of.won, of.shared, of.points)}
                    for of in service().statistics.of_player(player.id)
                ]
            }
        )
