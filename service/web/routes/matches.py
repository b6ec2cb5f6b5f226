"""Matches: the lobby, opening one, looking at it, its seats."""

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

blueprint = Blueprint("matches", __name__, url_prefix="/api", description="What is being played.")

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
    "take": Link("takeSeat", "Take a seat of it.", NEW),
    "look": Link("getMatch", "Look at it.", NEW),
    "events": Link("listEvents", "Read its log.", NEW),
    "abort": Link("agreeToAbort", "Break it off again.", NEW),
}
SEATED = {
    "leave": Link("leaveSeat", "Leave the seat again.", NEW),
    "moves": Link("listMoves", "What you are asked.", NEW),
}


def link_next(answer: Response, **changes: object) -> Response:
    """Say where the next page is."""
    query = urlencode({**request.args.to_dict(), **changes})
    answer.headers["Link"] = f'<{request.path}?{query}>; rel="next"'
    return answer


def places_of(said: dict[str, Any]) -> tuple[Place, ...]:
    """The seats as the body wants them."""
    return tuple(Place() if seat is None else Place(bot=seat["bot"], player=seat["player"]) for seat in said["seats"])


def opening_of(said: dict[str, Any]) -> MatchWanted:
    """The match that the body wants opened."""
    return MatchWanted(
        game=said["game"],
        seats=places_of(said),
        options=said["options"],
        pack=said["pack"],
        visibility=said["visibility"],
        clock=said["clock"],
        talk=said["talk"],
    )


def opened(match_id: str) -> Response:
    """The answer to whoever has just opened the match: with its first event, and the receipt for that one."""
    look = service().views.look(match_id, reader())
    first = service().views.events(look, 0, 1, lang()).events[0]
    receipt = service().views.receipt(match_id, 1)
    match = asdict(service().views.match(look, lang()))
    answer = reply(answers.NewMatch(**match, opening=first, receipt=receipt), 201)
    answer.headers["Location"] = f"/api/matches/{match_id}"
    return answer


def changed(match_id: str, version: int | None) -> Response:
    """The answer to whoever has just changed the match: with the receipt for the last event that came of it."""
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
    def get(self, said: dict[str, Any]) -> Response:
        """The matches that you may know of, the newest first; with `since` those that were over last first.

        Private matches, and those by link, are listed for those who sit there, opened them or are asked to.
        """
        if said["mine"]:
            asker().need(READ)
        wanted = Wanted(
            game=said["game"],
            status=said["status"],
            free=said["seat"] == "free",
            mine=said["mine"],
            player=said["player"],
            result=said["result"],
            how=said["how"],
            since=None if said["since"] is None else stamp(said["since"]),
            speed=said["speed"],
            seats=said["seats"],
            limit=said["limit"],
        )
        found, more = service().lobby.listed(asker(), wanted, said["cursor"])
        answer = reply(lobby_answers.Lobby([rows.summary(entry) for entry in found], more))
        return link_next(answer, cursor=more) if more else answer

    @operation("openMatch", problems=NOT_OPENED, links=OPENED)
    @blueprint.arguments(inputs.MatchWanted())
    @blueprint.response(201, answers.NewMatch, headers=("Location",))
    def post(self, said: dict[str, Any]) -> Response:
        """Open a match. Bots sit down at once; everybody else, also you, takes a seat by POST .../seats.

        It starts when every seat is taken.
        """
        return opened(service().opener.open(asker(), opening_of(said), once=once()))


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
    @blueprint.response(304, description="It is as you know it.", headers=("ETag",))
    def get(self, said: dict[str, Any], match_id: str) -> Response:
        """The match as you may see it now.

        With `wait` the answer comes when it is another than the one whose ETag is in If-None-Match, or, without one,
        when the match moves on or waits for you; or when the time is up. With `until=turn` too it comes when a decision
        is open to you, or the match is over, and not for other news. Where too many wait already it is 429, with
        `Retry-After`.
        """

        def see() -> Look:
            return service().views.look(match_id, asker(), said["seat"])

        news = of_match(lang(), is_for_turn=said["until"] == inputs.TURN)
        look = patiently(see, said["wait"], news) if said["wait"] else see()
        if look is None:
            return Response(status=202)  # for nobody: it is asked again
        tag = look.etag(lang())
        is_known = request.if_none_match.contains_weak(tag)
        answer = (
            reply(service().views.match(look, lang(), scene=said["scene"]))
            if not is_known
            else vary(Response(status=304))
        )
        answer.set_etag(tag)
        return answer


@blueprint.route("/matches/<string:match_id>/seats")
class Seats(MethodView):
    """Its seats."""

    @blueprint.arguments(inputs.LinkQuery(), location="query")
    @operation("takeSeat", problems=NOT_SEATED, links=SEATED)
    @blueprint.arguments(inputs.SeatWanted(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, _: dict[str, Any], said: dict[str, Any], match_id: str) -> Response:
        """Take a seat; the match starts when all are taken.

        Your own nonce makes the cards nobody's choice. The receipt is for the last event that came of it.
        """
        return changed(match_id, service().seats.take(asker(), match_id, said["seat"], said["nonce"], once=once()))

    @operation("leaveSeat", problems={409: ("not-open", "not-seated", "seat-free")})
    @blueprint.response(200, answers.ChangedMatch)
    def delete(self, match_id: str) -> Response:
        """Leave your seat before the match starts.

        Whoever it was kept for may take it again.
        """
        return changed(match_id, service().seats.leave(asker(), match_id))


@blueprint.route("/matches/<string:match_id>/bots")
class Bots(MethodView):
    """Its bots."""

    @operation("listBotDecisions", BOT)
    @blueprint.response(200, answers.BotDecisions)
    def get(self, match_id: str) -> Response:
        """The open decisions of its bots, for who plays them.

        People read no more of it than the match itself tells them.
        """
        asker().need("bot:play")
        return reply(service().views.bots(match_id, asker()))
