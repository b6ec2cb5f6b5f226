"""Trials: what a move would do before it is made, and why a touch makes no move."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.accounts import BOT, PLAY, READ
from service.matches import Look, answers, shown
from service.web import inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, lang, reply, service

blueprint = Blueprint("trying", __name__, url_prefix="/api/matches/<string:match_id>", description="Trials.")

NOT_TRIED = {403: ("not-your-seat",), 404: ("unknown-seat",), 409: ("for-good", "not-to-try")}


def look_of(query: dict[str, Any], match_id: str) -> Look:
    """Return the match as the asker sees it. Raises OtherRules if it can't be played on."""
    look = service().views.look(match_id, asker(), query["seat"], at_hand=True)
    if not look.state.is_over:
        look.log.need_own_rules()
    return look


def ids_of(query: dict[str, Any]) -> list[str]:
    """Return the ids of the moves to try."""
    return [id for id in query["moves"].split(",") if id]


@blueprint.route("/trial")
class Trial(MethodView):
    """A trial of moves."""

    @operation("tryMoves", READ, PLAY, BOT, is_open=True, problems=NOT_TRIED)
    @blueprint.arguments(inputs.TrialQuery(), location="query")
    @blueprint.response(200, answers.Trial)
    def get(self, query: dict[str, Any], match_id: str) -> Response:
        """Return the moves that are legal after some moves of yours, and the scene of the table then.

        Nothing is stored. You can try moves one after the other as long as it stays your turn and they reveal nothing
        new; a client can take them back without having sent them. `final` says of each move whether it ends that.
        """
        return reply(shown.trial(look_of(query, match_id), ids_of(query), lang()))


@blueprint.route("/touch")
class Touch(MethodView):
    """A touch that makes no move."""

    @operation("explainTouch", READ, PLAY, BOT, is_open=True, problems=NOT_TRIED)
    @blueprint.arguments(inputs.TouchQuery(), location="query")
    @blueprint.response(200, answers.Touch)
    def get(self, query: dict[str, Any], match_id: str) -> Response:
        """Return why none of your moves begins with a thing of the scene.

        The answer is the refusal of the move that was probably meant; null if no move can be meant.
        """
        refusal = shown.why_not(look_of(query, match_id), query["touched"], ids_of(query), lang())
        return reply(answers.Touch(query["touched"], refusal))
