"""Moves, and the log that they make."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from domain.game import Lang, Refusal
from service import problems
from service.accounts import BOT, PLAY, READ
from service.matches import Choice, Look, answers, shown
from service.problems import Conflict, Forbidden, Problem
from service.streams import END, Form, MatchStream, Watching
from service.web import inputs, stream_answers, stream_inputs
from service.web.blueprint import Blueprint
from service.web.contract import Link, operation
from service.web.flowing import asker_of_request, flow, form_wanted
from service.web.limiting import place_to_stream
from service.web.reply import asker, lang, once, reply, service, vary
from service.web.routes.matches import link_next

blueprint = Blueprint("moves", __name__, url_prefix="/api/matches/<string:match_id>", description="How it is played.")

MOVES_LISTED = {
    "make": Link(
        "makeMove",
        "Choose one of them: its body is `decision` of this answer, and `id` of the move.",
        {"match_id": "$request.path.match_id"},
    )
}


def refused(refusal: Refusal, match_id: str, seat: int | None) -> Problem:
    """The rules' no, with what is open to the asker now."""
    look = service().views.look(match_id, asker(), seat)
    return problems.refused(Conflict, look.log.game, refusal, open=shown.moves(look, lang()))


@blueprint.route("/moves")
class Moves(MethodView):
    """The decision that is open to the asker."""

    @operation(
        "listMoves",
        READ,
        PLAY,
        BOT,
        is_open=True,
        problems={403: ("not-your-seat",), 404: ("unknown-seat",)},
        links=MOVES_LISTED,
    )
    @blueprint.arguments(inputs.SeatQuery(), location="query")
    @blueprint.response(200, answers.Moves)
    def get(self, said: dict[str, Any], match_id: str) -> Response:
        """Your open decision and every move that you may choose.

        A spectator, and whoever is not asked, finds none.
        """
        look = service().views.look(match_id, asker(), said["seat"], at_hand=True)
        if not look.state.is_over:
            look.log.need_own_rules()
        return reply(shown.moves(look, lang()))

    @operation(
        "makeMove",
        problems={
            403: ("not-seated", "not-your-seat"),
            404: ("unknown-seat",),
            422: ("malformed-move",),
        },
        is_by_rules=True,
    )
    @blueprint.arguments(inputs.MoveWanted())
    @blueprint.response(200, answers.Moved)
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Answer your open decision. An answer under seal goes to your private log, and the version stays.

        `others` is for who plays the bots: what the match's other bots are asked, but for those that take their time.
        A repeated request is told none.
        """
        choice = Choice(decision=said["decision"], id=said["id"], move=said["move"])
        at, who = service(), asker()
        try:
            made = at.playing.move(who, match_id, choice, said["seat"], once=once())
        except Refusal as refusal:
            raise refused(refusal, match_id, said["seat"]) from refusal
        return reply(at.views.moved(made, match_id, who, lang()))


@blueprint.route("/events")
class Events(MethodView):
    """The log."""

    @operation(
        "listEvents",
        READ,
        PLAY,
        BOT,
        is_open=True,
        problems={
            403: ("not-seated", "not-your-seat"),
            404: ("unknown-seat",),
            422: ("malformed-cursor",),
            429: ("too-many-streams", "too-many-wait"),
        },
    )
    @blueprint.arguments(inputs.EventsQuery(), location="query")
    @blueprint.arguments(stream_inputs.MatchHeaders(), location="headers")
    @blueprint.response(
        200,
        answers.Events,
        headers=("Link", "X-Accel-Buffering", "Content-Encoding"),
        also=stream_answers.forms_of(answers.Event),
    )
    @blueprint.response(204, description="The stream has come to its end, which `Last-Event-ID` names.")
    def get(self, said: dict[str, Any], headers: dict[str, Any], match_id: str) -> Response:
        """The events after a version, as you may read them; or of your seat's private log.

        One resource in three forms, by `Accept`: a page (`application/json`), or a stream that goes on as the match
        does, in lines of JSON (`application/x-ndjson`) or Server-Sent Events (`text/event-stream`), whose `id` is the
        event's version. `Last-Event-ID`, or `after`, says what you know. Every 14 seconds comes a sign of life (an
        empty line, a comment). The last line has the member `end`: it says why, and the version `after` which to go on.
        With `scenes` a stream is packed for who accepts `deflate`.
        """
        look = service().views.look(match_id, asker(), said["seat"], any_when_over=said["private"])
        spoken = lang() if said["texts"] else None
        if (form := form_wanted()) is not None:
            return streamed(look, said, headers["last"], form, spoken)
        drawn = lang() if said["scenes"] else None
        page = service().views.events(look, said["after"], said["limit"], spoken, private=said["private"], drawn=drawn)
        answer = reply(page)
        return link_next(answer, after=page.next) if page.next else answer


def streamed(look: Look, said: dict[str, Any], last: str | None, form: Form, spoken: Lang | None) -> Response:
    """The answer that goes on as the match does. Raises Forbidden, TooMany, TooManyWait."""
    if said["private"] and look.seat is None:
        raise Forbidden("not-seated")
    if last is not None and last.endswith(END):
        return vary(Response(status=204))  # else a browser comes back again and again
    wanted = Watching(
        match=look.log.id,
        seat=said["seat"],
        after=said["after"] if last is None else int(last),
        form=form,
        lang=spoken,
        private=look.seat if said["private"] else None,
        drawn=lang() if said["scenes"] else None,
    )
    who, asked = asker(), asker_of_request()
    streams, is_large = service().streams, wanted.drawn is not None
    return flow(form, lambda: MatchStream(streams, wanted, who, asked, place_to_stream()), is_large=is_large)


@blueprint.route("/at/<int:version>")
class Then(MethodView):
    """The past."""

    @operation(
        "getMatchAt",
        READ,
        PLAY,
        BOT,
        is_open=True,
        problems={403: ("not-your-seat",), 404: ("unknown-seat", "unknown-version")},
    )
    @blueprint.arguments(inputs.SceneQuery(), location="query")
    @blueprint.response(200, answers.Then)
    def get(self, said: dict[str, Any], match_id: str, version: int) -> Response:
        """What you saw at that version; once the match is over, all there was, or with `seat` what that seat saw.

        While the match runs it is what your seat saw, or anybody.
        """
        look = service().views.look(match_id, asker(), said["seat"], any_when_over=True)
        return reply(service().views.at(look, version, lang(), as_seat=said["seat"] is not None, scene=said["scene"]))
