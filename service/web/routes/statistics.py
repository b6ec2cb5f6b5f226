"""Statistics of finished matches."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from service.store import Statistics
from service.web import statistics_answers as answers
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, reply, service
from service.web.routes.players import ANY

blueprint = Blueprint("statistics", __name__, url_prefix="/api", description="Statistics.")


def own(player: str) -> list[answers.OwnResults]:
    """Return a player's results by game and number of seats."""
    return [answers.OwnResults.of(of, game=of.game, seats=of.seats) for of in service().statistics.of_player(player)]


def tables(statistics: Statistics, game: str) -> list[answers.PlayedTable]:
    """Return a game's statistics by number of seats."""
    seats, bots = statistics.by_kind(game, "seat"), statistics.by_kind(game, "bot")
    return [
        answers.PlayedTable(
            seats=played.seats,
            matches=played.matches,
            moves=answers.MoveNumbers(played.least, played.most, round(played.moves / played.matches, 3)),
            by_seat=sorted(
                (
                    answers.SeatResults.of(of, seat=int(of.who.partition(":")[2]))
                    for of in seats
                    if of.seats == played.seats
                ),
                key=lambda row: row.seat,
            ),
            by_bot=[answers.BotResults.of(of, bot=of.who.partition(":")[2]) for of in bots if of.seats == played.seats],
        )
        for played in statistics.played(game)
    ]


@blueprint.route("/games/<string:game>/statistics")
class OfGame(MethodView):
    """The statistics of a game."""

    @operation("getGameStatistics", problems={404: ("unknown-game",)})
    @blueprint.response(200, answers.GameStatistics)
    def get(self, game: str) -> Response:
        """Return the statistics of a game's matches; a match is counted some seconds after it ends.

        Only public matches count that were opened here and played to their end; forks don't count.
        """
        slug = service().opener.room(game).game.slug
        return reply(answers.GameStatistics(slug, tables(service().statistics, slug)))


@blueprint.route("/me/statistics")
class OfMe(MethodView):
    """The asker's statistics."""

    @operation("getMyStatistics", *ANY, problems={403: ("no-player",)})
    @blueprint.response(200, answers.OwnStatistics)
    def get(self) -> Response:
        """Return your results by game and number of seats.

        The same matches count as for the statistics of games.
        """
        player = service().accounts.player(asker())
        return reply(answers.OwnStatistics(own(player.id)))
