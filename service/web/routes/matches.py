"""Matches: the lobby, opening a match, looking at it, and its seats."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, request
from flask.views import MethodView
from msgspec.structs import asdict

from service.accounts import BOT, PLAY, READ
from service.clock import stamp
from service.matches import Look, MatchWanted, Place, answers, rows
from service.store import Wanted
from service.web import inputs, lobby_answers
from service.web.blueprint import Blueprint
from service.web.contract import Link, operation
from service.web.contract.problems import OPTIONS
from service.web.reply import asker, lang, once, reader, reply, service, vary
from service.web.waiting import of_match, patiently

blueprint = Blueprint("matches", __name__, url_prefix="/api", description="Matches.")

NOT_OPENED = {
    404: ("unknown-game", "unknown-player"),
    409: ("too-many-invitations", "too-many-open"),
    422: ("malformed-options", "player-twice", "unknown-bot", "unknown-pack", *OPTIONS),
}
NOT_SEATED = {
    403: ("seat-reserved",),
    404: ("unknown-seat",),
    409: (
        "already-seated",
        "no-free-seat",
        "not-open",
        "seat-taken",
        "seated-too-often",
        "seats-taken-too-often",
    ),
}
NEW = {"match_id": "$response.body#/id"}
OPENED = {
    "take": Link("takeSeat", "Take a seat of the match.", NEW),
    "look": Link("getMatch", "Look at the match.", NEW),
    "events": Link("listEvents", "Read the match's log.", NEW),
    "abort": Link("agreeToAbort", "Break the match off again.", NEW),
}
SEATED = {
    "leave": Link("leaveSeat", "Leave the seat again.", NEW),
    "moves": Link("listMoves", "List your legal moves.", NEW),
}


def link_next(answer: Response, **changes: object) -> Response:
    """Return the answer with a link to the next page."""
    query = urlencode({**request.args.to_dict(), **changes})
    answer.headers["Link"] = f'<{request.path}?{query}>; rel="next"'
    return answer


def places_of(body: dict[str, Any]) -> tuple[Place, ...]:
    """Return the seats that the body describes."""
    return tuple(Place() if seat is None else Place(bot=seat["bot"], player=seat["player"]) for seat in body["seats"])


def opening_of(body: dict[str, Any]) -> MatchWanted:
    """Return the match that the body describes."""
    return MatchWanted(
        game=body["game"],
        seats=places_of(body),
        options=body["options"],
        pack=body["pack"],
        visibility=body["visibility"],
        clock=body["clock"],
        talk=body["talk"],
    )


def opened(match_id: str) -> Response:
    """Return the answer with a match that was just opened, its first event and the receipt for it."""
    look = service().views.look(match_id, reader())
    first = service().views.events(look, 0, 1, lang()).events[0]
    receipt = service().views.receipt(match_id, 1)
    match = asdict(service().views.match(look, lang()))
    answer = reply(answers.NewMatch(**match, opening=first, receipt=receipt), 201)
    answer.headers["Location"] = f"/api/matches/{match_id}"
    return answer


def changed(match_id: str, version: int | None) -> Response:
    """Return the answer with a match that was just changed. `version`: that of the event for the receipt, if any."""
    look = service().views.look(match_id, reader())
    receipt = None if version is None else service().views.receipt(match_id, version)
    return reply(answers.ChangedMatch(**asdict(service().views.match(look, lang())), receipt=receipt))


@blueprint.route("/matches")
class Matches(MethodView):
    """The lobby."""

    @operation(
        "listMatches",
        READ,
        is_open=True,
        problems={401: ("token-missing",), 422: ("malformed-cursor",)},
    )
    @blueprint.arguments(inputs.LobbyQuery(), location="query")
    @blueprint.response(200, lobby_answers.Lobby, headers=("Link",))
    def get(self, query: dict[str, Any]) -> Response:
        """List the matches that you may know of, the newest first; with `since`, those that ended last first.

        Private matches, and those with a link, are listed only for their players, their opener and invited players.
        """
        if query["mine"]:
            asker().need(READ)
        wanted = Wanted(
            game=query["game"],
            status=query["status"],
            free=query["seat"] == "free",
            mine=query["mine"],
            player=query["player"],
            result=query["result"],
            how=query["how"],
            since=None if query["since"] is None else stamp(query["since"]),
            speed=query["speed"],
            seats=query["seats"],
            limit=query["limit"],
        )
        page, more = service().lobby.listed(asker(), wanted, query["cursor"])
        answer = reply(lobby_answers.Lobby([rows.summary(entry) for entry in page], more))
        return link_next(answer, cursor=more) if more else answer

    @operation("openMatch", problems=NOT_OPENED, links=OPENED)
    @blueprint.arguments(inputs.MatchWanted())
    @blueprint.response(201, answers.NewMatch, headers=("Location",))
    def post(self, body: dict[str, Any]) -> Response:
        """Open a match.

        Bots sit down at once; everybody else, also you, takes a seat with `POST …/seats`. The match starts when all
        seats are taken.
        """
        return opened(service().opener.open(asker(), opening_of(body), once=once()))


@blueprint.route("/matches/<string:match_id>")
class Match(MethodView):
    """One match."""

    @operation(
        "getMatch",
        READ,
        PLAY,
        BOT,
        is_open=True,
        problems={403: ("not-your-seat",), 404: ("unknown-seat",), 429: ("too-many-wait",)},
    )
    @blueprint.arguments(inputs.WaitQuery(), location="query")
    @blueprint.response(200, answers.Match, headers=("ETag",))
    @blueprint.response(304, description="It has not changed.", headers=("ETag",))
    def get(self, query: dict[str, Any], match_id: str) -> Response:
        """Return the match as you may see it now.

        With `wait`, the answer comes when it differs from the one whose ETag is in If-None-Match or, without that
        header, when the match changes or it is your turn; at the latest when the time is up. With `until=turn` too, it
        comes only when it is your turn or the match is over. If too many requests wait already, it is 429, with
        `Retry-After`.
        """

        def see() -> Look:
            return service().views.look(match_id, asker(), query["seat"])

        news = of_match(lang(), is_for_turn=query["until"] == inputs.TURN)
        look = patiently(see, query["wait"], news) if query["wait"] else see()
        if look is None:
            return Response(status=202)  # never sent: the app is asked again
        tag = look.etag(lang())
        is_known = request.if_none_match.contains_weak(tag)
        answer = (
            reply(service().views.match(look, lang(), scene=query["scene"]))
            if not is_known
            else vary(Response(status=304))
        )
        answer.set_etag(tag)
        return answer


@blueprint.route("/matches/<string:match_id>/seats")
class Seats(MethodView):
    """The seats of a match."""

    @blueprint.arguments(inputs.LinkQuery(), location="query")
    @operation("takeSeat", problems=NOT_SEATED, links=SEATED)
    @blueprint.arguments(inputs.SeatWanted(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, _: dict[str, Any], body: dict[str, Any], match_id: str) -> Response:
        """Take a seat; the match starts when all seats are taken.

        With a nonce of yours nobody can have chosen the cards. The receipt is for the last event of this request.
        """
        return changed(match_id, service().seats.take(asker(), match_id, body["seat"], body["nonce"], once=once()))

    @operation("leaveSeat", problems={409: ("not-open", "not-seated", "seat-free")})
    @blueprint.response(200, answers.ChangedMatch)
    def delete(self, match_id: str) -> Response:
        """Leave your seat before the match starts.

        If the seat was kept for you, you may take it again.
        """
        return changed(match_id, service().seats.leave(asker(), match_id))


@blueprint.route("/matches/<string:match_id>/bots")
class Bots(MethodView):
    """The bots of a match."""

    @operation("listBotDecisions", BOT)
    @blueprint.response(200, answers.BotDecisions)
    def get(self, match_id: str) -> Response:
        """List the open decisions of the match's bots; only for those who play them.

        Other players learn no more than what `GET …/{match_id}` shows them.
        """
        asker().need("bot:play")
        return reply(service().views.bots(match_id, asker()))
