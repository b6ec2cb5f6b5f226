"""Moves, and the log of a match."""

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

blueprint = Blueprint("moves", __name__, url_prefix="/api/matches/<string:match_id>", description="Moves and events.")

MOVES_LISTED = {
    "make": Link(
        "makeMove",
        "Make one of the moves: the body has `decision` of this answer, and `id` of the move.",
        {"match_id": "$request.path.match_id"},
    )
}


def refused(refusal: Refusal, match_id: str, seat: int | None) -> Problem:
    """Return the problem for a refusal by the rules, with the asker's open decision."""
    look = service().views.look(match_id, asker(), seat)
    return problems.refused(Conflict, look.log.game, refusal, open=shown.moves(look, lang()))


@blueprint.route("/moves")
class Moves(MethodView):
    """The asker's open decision."""

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
    def get(self, query: dict[str, Any], match_id: str) -> Response:
        """Return your open decision and all your legal moves.

        There are none for spectators, and for players who are not asked.
        """
        look = service().views.look(match_id, asker(), query["seat"], at_hand=True)
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
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Answer your open decision.

        An answer under seal goes into your private log, and the match's version stays the same. `others` is for those
        who play the bots: the open decisions of the match's other bots, except those that must wait; a repeated request
        gets none.
        """
        choice = Choice(decision=body["decision"], id=body["id"], move=body["move"])
        at, who = service(), asker()
        try:
            made = at.playing.move(who, match_id, choice, body["seat"], once=once())
        except Refusal as refusal:
            raise refused(refusal, match_id, body["seat"]) from refusal
        return reply(at.views.moved(made, match_id, who, lang()))


@blueprint.route("/events")
class Events(MethodView):
    """The log of a match."""

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
    @blueprint.response(204, description="The stream has ended; `Last-Event-ID` is its last id.")
    def get(self, query: dict[str, Any], headers: dict[str, Any], match_id: str) -> Response:
        """Return the events after a version, as you may read them, of the match's log or of your seat's private log.

        There are three forms, by `Accept`: a page (`application/json`), or a stream that goes on with the match, in
        lines of JSON (`application/x-ndjson`) or Server-Sent Events (`text/event-stream`), whose `id` is the event's
        version. The stream begins after `Last-Event-ID` or `after`. It has a sign of life (an empty line, a comment)
        every 14 seconds. Its last line has the member `end`, with the reason, and the `after` from which to continue.
        With `scenes`, a stream is compressed for clients that accept `deflate`.
        """
        look = service().views.look(match_id, asker(), query["seat"], any_when_over=query["private"])
        spoken = lang() if query["texts"] else None
        if (form := form_wanted()) is not None:
            return streamed(look, query, headers["last"], form, spoken)
        drawn = lang() if query["scenes"] else None
        page = service().views.events(
            look, query["after"], query["limit"], spoken, private=query["private"], drawn=drawn
        )
        answer = reply(page)
        return link_next(answer, after=page.next) if page.next else answer


def streamed(look: Look, query: dict[str, Any], last: str | None, form: Form, spoken: Lang | None) -> Response:
    """Return the answer that is a stream of the match. Raises Forbidden, TooMany, TooManyWait."""
    if query["private"] and look.seat is None:
        raise Forbidden("not-seated")
    if last is not None and last.endswith(END):
        return vary(Response(status=204))  # other answers would make a browser reconnect again and again
    wanted = Watching(
        match=look.log.id,
        seat=query["seat"],
        after=query["after"] if last is None else int(last),
        form=form,
        lang=spoken,
        private=look.seat if query["private"] else None,
        drawn=lang() if query["scenes"] else None,
    )
    who, asked = asker(), asker_of_request()
    streams, is_large = service().streams, wanted.drawn is not None
    return flow(form, lambda: MatchStream(streams, wanted, who, asked, place_to_stream()), is_large=is_large)


@blueprint.route("/at/<int:version>")
class Then(MethodView):
    """The match at an earlier version."""

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
    def get(self, query: dict[str, Any], match_id: str, version: int) -> Response:
        """Return what was seen at a version.

        While the match runs, it is what your seat, or anybody, saw. Once the match is over, it is everything, or with
        `seat` what that seat saw.
        """
        look = service().views.look(match_id, asker(), query["seat"], any_when_over=True)
        return reply(service().views.at(look, version, lang(), as_seat=query["seat"] is not None, scene=query["scene"]))
