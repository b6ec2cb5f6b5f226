"""Moves, and the log that they make."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from domain.game import Refusal
from service import problems
from service.matches import Choice, shown
from service.problems import Conflict, Problem
from service.web import answers, inputs
from service.web.middleware import Parser
from service.web.reply import asker, lang, once, reply, service
from service.web.routes.matches import link_next
from service.web.told_headers import LINK

blueprint = Blueprint("moves", __name__, url_prefix="/api/matches/<string:match_id>", description="How it is played.")
blueprint.ARGUMENTS_PARSER = Parser()


def refused(refusal: Refusal, match_id: str, seat: int | None) -> Problem:
    """The rules' no, with what is open to the asker now."""
    look = service().views.look(match_id, asker(), seat)
    return problems.refused(Conflict, look.log.game, refusal, open=shown.moves(look, lang()))


@blueprint.route("/moves")
class Moves(MethodView):
    """The decision that is open to the asker."""

    @blueprint.arguments(inputs.SeatQuery(), location="query")
    @blueprint.response(200, answers.Moves)
    def get(self, said: dict[str, Any], match_id: str) -> Response:
        """Your open decision and every move that you may choose."""
        look = service().views.look(match_id, asker(), said["seat"], at_hand=True)
        if not look.state.is_over:
            look.log.need_own_rules()
        return reply(shown.moves(look, lang()))

    @blueprint.arguments(inputs.MoveWanted())
    @blueprint.response(200, answers.Moved)
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Answer your open decision. An answer under seal goes to your private log, and the version stays.

        `others` is for who plays the bots: what the match's other bots are asked, but for those that take their time.
        A repeated request is told none.
        """
        choice = Choice(decision=said["decision"], id=said["id"], move=said["move"])
        try:
            made = service().playing.move(match_id, asker(), said["seat"], choice, once())
        except Refusal as refusal:
            raise refused(refusal, match_id, said["seat"]) from refusal
        return reply(service().views.moved(made, match_id, asker(), lang()))


@blueprint.route("/events")
class Events(MethodView):
    """The log."""

    @blueprint.arguments(inputs.EventsQuery(), location="query")
    @blueprint.response(200, answers.Events, headers=LINK)
    def get(self, said: dict[str, Any], match_id: str) -> Response:
        """The events after a version, as you may read them; or of your seat's private log."""
        look = service().views.look(match_id, asker(), said["seat"], any_when_over=said["private"])
        spoken = lang() if said["texts"] else None
        page = service().views.events(look, said["after"], said["limit"], spoken, private=said["private"])
        answer = reply(page)
        return link_next(answer, after=page["next"]) if page["next"] else answer


@blueprint.route("/at/<int:version>")
class Then(MethodView):
    """The past."""

    @blueprint.arguments(inputs.SeatQuery(), location="query")
    @blueprint.response(200, answers.Then)
    def get(self, said: dict[str, Any], match_id: str, version: int) -> Response:
        """What you saw at that version; once the match is over, all there was, or with `seat` what that seat saw."""
        look = service().views.look(match_id, asker(), said["seat"], any_when_over=True)
        return reply(service().views.at(look, version, lang(), as_seat=said["seat"] is not None))
