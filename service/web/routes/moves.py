"""Moves and trials, the log of a match, and the turns of bots."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain.game import Lang, Refusal
from service import problems
from service.limits import STREAMS
from service.matches import Choice, Look, answers, shown
from service.problems import Conflict, Forbidden
from service.streams import END, Form, MatchStream, Watching
from service.web import inputs
from service.web.answers import forms_of
from service.web.askers import asking
from service.web.contract import UNCHANGED, Success
from service.web.reply import Blueprint, asker, lang, link_next, once, reply, service
from service.web.routes.matches import LOOKING
from service.web.waiting import asker_of_request, flow, form_wanted, of_match, patiently
from service.work import BotTurnsTaken

MOVES = Blueprint("moves", "Moves and events.", "/api/matches/<match_id>")
TRYING = Blueprint("trying", "Trials.", "/api/matches/<match_id>")
NOT_TRIED = {409: ("for-good", "not-to-try")}
BOTS = Blueprint("bots", "For the workers that play the bots.", "/api/bots")


def look_of(query: dict[str, Any], match_id: str) -> Look:
    """Return the match as the asker sees it. Raises OtherRules if it can't be played on."""
    look = service().views.look(match_id, asker(), query["seat"], at_hand=True)
    if not look.state.is_over:
        look.log.need_own_rules()
    return look


@MOVES.operation(
    "GET /moves",
    Success(200, answers.Moves, headers=("ETag",)),
    UNCHANGED,
    **LOOKING,
    query=inputs.MovesQuery,
)
def list_moves(query: dict[str, Any], match_id: str) -> Response:
    """Return your open decision and all your legal moves.

    There are none for spectators, and for players who are not asked. With `wait`, the answer comes when a decision is
    open to you or the match is over; at the latest when the time is up. If too many requests wait already, the answer
    is 429, with `Retry-After`.
    """
    return patiently(
        lambda: look_of(query, match_id),
        query["wait"],
        of_match(lang(), is_for_turn=True),
        lambda look: shown.moves(look, lang()),
    )


@MOVES.operation(
    "POST /moves",
    body=inputs.MoveWanted,
    problems={403: ("not-seated", "not-your-seat"), 404: ("unknown-seat",), 422: ("malformed-move",)},
    is_by_rules=True,
)
def make_move(body: dict[str, Any], match_id: str) -> answers.Moved:
    """Answer your open decision.

    An answer under seal goes into your private log, and the match's version stays the same. `others` is for those
    who play the bots: the open decisions of the match's other bots, except those that must wait; a repeated request
    gets none. A repeated request is answered as long as the seat is yours.
    """
    choice = Choice(decision=body["decision"], id=body["id"], move=body["move"])
    at, who, key, spoken = service(), asker(), once(), lang()
    try:
        made = at.playing.move(who, match_id, choice, body["seat"], once=key)
    except Refusal as refusal:
        look = at.views.look(match_id, who, body["seat"])
        say = shown.sayer(look, spoken)
        raise problems.refused(Conflict, look.log.game, refusal, say, open=shown.moves(look, spoken)) from refusal
    return at.views.moved(made, match_id, who, spoken)


@MOVES.operation(
    "GET /events",
    Success(
        200,
        answers.Events,
        headers=("Link", "X-Accel-Buffering", "Content-Encoding"),
        also=forms_of(answers.Event, "beside"),
    ),
    Success(204, about="The stream has ended; `Last-Event-ID` is its last id."),
    **LOOKING,
    query=inputs.EventsQuery,
    headers=inputs.MatchHeaders,
    problems={403: ("not-seated",)},
)
def list_events(query: dict[str, Any], headers: dict[str, Any], match_id: str) -> Response:
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
    page = service().views.events(look, query["after"], query["limit"], spoken, private=query["private"], drawn=drawn)
    return link_next(reply(page), after=page.next)


def streamed(look: Look, query: dict[str, Any], last: str | None, form: Form, spoken: Lang | None) -> Response:
    """Return the answer that is a stream of the match. Raises Forbidden, TooMany."""
    if query["private"] and look.seat is None:
        raise Forbidden("not-seated")
    if last is not None and last.endswith(END):
        return Response(status=204)  # other answers would make a browser reconnect again and again
    wanted = Watching(
        match=look.log.id,
        seat=query["seat"],
        after=query["after"] if last is None else int(last),
        form=form,
        lang=spoken,
        private=look.seat if query["private"] else None,
        drawn=lang() if query["scenes"] else None,
        beside=query["beside"] and not query["private"],
    )
    here, who, asked = service(), asker(), asker_of_request()

    def begin() -> MatchStream:
        return MatchStream(here.streams, wanted, who, asked, here.limits.enter(STREAMS, asking()))

    return flow(form, begin, is_large=wanted.drawn is not None)


@MOVES.operation("GET /at/<int:version>", **LOOKING, query=inputs.SceneQuery)
def get_match_at(query: dict[str, Any], match_id: str, version: int) -> answers.Then:
    """Return what was seen at a version.

    While the match runs, it is what your seat, or anybody, saw. Once the match is over, it is everything, or with
    `seat` what that seat saw.
    """
    look = service().views.look(match_id, asker(), query["seat"], any_when_over=True)
    return service().views.at(look, version, lang(), as_seat=query["seat"] is not None, scene=query["scene"])


def ids_of(query: dict[str, Any]) -> list[str]:
    """Return the ids in `moves`."""
    return [id for id in query["moves"].split(",") if id]


@TRYING.operation("GET /trial", **LOOKING, query=inputs.TrialQuery, problems=NOT_TRIED)
def try_moves(query: dict[str, Any], match_id: str) -> answers.Trial:
    """Return the moves that are legal after some moves of yours, and the scene of the table then.

    Nothing is stored. You can try moves one after the other as long as it stays your turn and they reveal nothing
    new; a client can take them back without having sent them. `final` says of each move whether it ends that.
    """
    return shown.trial(look_of(query, match_id), ids_of(query), lang())


@TRYING.operation("GET /touch", **LOOKING, query=inputs.TouchQuery, problems=NOT_TRIED)
def explain_touch(query: dict[str, Any], match_id: str) -> answers.Touch:
    """Return why none of your moves begins with a thing of the scene.

    The answer is the refusal of the move that was probably meant; null if no move can be meant.
    """
    refusal = shown.why_not(look_of(query, match_id), query["touched"], ids_of(query), lang())
    return answers.Touch(query["touched"], refusal)


@BOTS.operation("POST /turns", body=inputs.BotTurnsWanted)
def take_bot_turns(body: dict[str, Any]) -> BotTurnsTaken:
    """Make the moves that are sent, and return for each match which of its bots are asked then.

    A move that is sent twice is made once, since it closes its decision. A problem with one match is part of its
    entry; the other matches are played.
    """
    return service().playing.take_turns(asker(), body["turns"])
