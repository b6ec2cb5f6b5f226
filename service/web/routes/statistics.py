"""What is counted of finished matches."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from service.store import Statistics
from service.web import statistics_answers as answers
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, reply, service
from service.web.routes.players import ANY

blueprint = Blueprint("statistics", __name__, url_prefix="/api", description="What is counted.")


def own(player: str) -> list[answers.OwnResults]:
    """Return what a player has reached, by game and number of seats."""
    return [answers.OwnResults.of(of, game=of.game, seats=of.seats) for of in service().statistics.of_player(player)]


def tables(found: Statistics, game: str) -> list[answers.PlayedTable]:
    """Return what is counted of a game, by number of seats."""
    seats, bots = found.by_kind(game, "seat"), found.by_kind(game, "bot")
    return [
        answers.PlayedTable(
            seats=one.seats,
            matches=one.matches,
            moves=answers.MoveNumbers(one.least, one.most, round(one.moves / one.matches, 3)),
            by_seat=sorted(
                (
                    answers.SeatResults.of(of, seat=int(of.who.partition(":")[2]))
                    for of in seats
                    if of.seats == one.seats
                ),
                key=lambda row: row.seat,
            ),
            by_bot=[answers.BotResults.of(of, bot=of.who.partition(":")[2]) for of in bots if of.seats == one.seats],
        )
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
        return reply(answers.GameStatistics(slug, tables(service().statistics, slug)))


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
        return reply(answers.OwnStatistics(own(player.id)))
