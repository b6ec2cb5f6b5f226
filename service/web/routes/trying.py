"""Before a move is made: what it would bring about, and why another one can't be made."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.accounts import BOT, PLAY, READ
from service.matches import Look, answers, trials
from service.web import inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, lang, reply, service

blueprint = Blueprint("trying", __name__, url_prefix="/api/matches/<string:match_id>", description="How it is played.")

NOT_TRIED = {403: ("not-your-seat",), 404: ("unknown-seat",), 409: ("for-good", "not-to-try")}


def look_of(said: dict[str, Any], match_id: str) -> Look:
    """The match as the asker sees it, where it can be played on. Raises OtherRules."""
    look = service().views.look(match_id, asker(), said["seat"], at_hand=True)
    if not look.state.is_over:
        look.log.need_own_rules()
    return look


def ids_of(said: dict[str, Any]) -> list[str]:
    """The moves that are tried."""
    return [one for one in said["moves"].split(",") if one]


@blueprint.route("/trial")
class Trial(MethodView):
    """Moves that are not made."""

    @operation("tryMoves", READ, PLAY, BOT, is_open=True, problems=NOT_TRIED)
    @blueprint.arguments(inputs.TrialQuery(), location="query")
    @blueprint.response(200, answers.Trial)
    def get(self, said: dict[str, Any], match_id: str) -> Response:
        """What you may choose once you have made some moves, and how the table looks then; nothing is written.

        Moves can be tried one after the other as long as they leave the turn to you and tell you nothing that you don't
        know: what a client takes back until then it has never sent. Of each move `final` says whether it is for good.
        """
        return reply(trials.shown(look_of(said, match_id), ids_of(said), lang()))


@blueprint.route("/touch")
class Touch(MethodView):
    """A thing that was touched in vain."""

    @operation("explainTouch", READ, PLAY, BOT, is_open=True, problems=NOT_TRIED)
    @blueprint.arguments(inputs.TouchQuery(), location="query")
    @blueprint.response(200, answers.Touch)
    def get(self, said: dict[str, Any], match_id: str) -> Response:
        """Why no move of yours begins with that thing of the scene: what the rules say to what was most likely meant.

        Null where nothing can be meant by it.
        """
        refusal = trials.why_not(look_of(said, match_id), said["touched"], ids_of(said), lang())
        return reply(answers.Touch(said["touched"], refusal))
