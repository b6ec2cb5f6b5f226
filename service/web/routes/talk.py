"""What players say to each other at a table."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from service.matches import rows
from service.problems import Malformed
from service.signing import NotOurs
from service.store import talk as kept
from service.web import answers, talk_answers, talk_inputs
from service.web.errors import KIND
from service.web.middleware import Parser
from service.web.reply import asker, once, reply, service
from service.web.routes.matches import link_next
from service.web.told_headers import AGAIN, COUNTED, LINK

blueprint = Blueprint("talk", __name__, url_prefix="/api", description="What is said at the table.")
blueprint.ARGUMENTS_PARSER = Parser()

PURPOSE = "reports"


def told(message: kept.Message) -> dict[str, Any]:
    """A message as it is answered."""
    return {
        "number": message.number,
        "seat": message.seat,
        "player": rows.who(message.player, message.player_name, message.player_kind),
        "text": message.text,
        "at": message.at,
    }


def place_of(cursor: str | None) -> kept.Place:
    """Where a page of reports begins. Raises Malformed."""
    if cursor is None:
        return kept.FIRST
    try:
        at, match_id, number, reporter = service().signer.read(PURPOSE, cursor)
    except NotOurs:
        raise Malformed("malformed-cursor") from None
    return at, match_id, number, reporter


@blueprint.route("/matches/<string:match_id>/talk")
class Talk(MethodView):
    """The talk at a match's table: beside its log, and never in it."""

    @blueprint.arguments(talk_inputs.TalkQuery(), location="query")
    @blueprint.response(200, talk_answers.Page)
    def get(self, said: dict[str, Any], match_id: str) -> Response:
        """What was said: the last messages, or with `since` what came and what was erased after that.

        It is for those who sit there and for whom the match was opened to (`talk`). You are told nothing of players
        whom you have muted.
        """
        talk, limit = service().talk, said["limit"]
        if said["since"] is not None:
            page = talk.since(match_id, asker(), said["since"], limit)
        else:
            page = talk.newest(match_id, asker(), said["before"], limit)
        messages = [told(one) for one in page.messages]
        return reply({"messages": messages, "since": page.since, "before": page.before, "more": page.more})

    @blueprint.arguments(talk_inputs.MessageWanted())
    @blueprint.response(201, talk_answers.Message, headers=COUNTED)
    @blueprint.alt_response(429, schema=answers.Problem, content_type=KIND, headers={**AGAIN, **COUNTED})
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Say something from your seat, before the start, during play or after it: 500 characters at most."""
        return reply(told(service().talk.say(match_id, asker(), said["text"], once())), 201)


@blueprint.route("/matches/<string:match_id>/talk/<int:message>")
class One(MethodView):
    """One message."""

    @blueprint.response(204)
    def delete(self, match_id: str, message: int) -> Response:
        """Erase what you have said, within 24 hours; the operator anything, at any time. Nobody reads it any more."""
        service().talk.erase(match_id, asker(), message)
        return Response(status=204)


@blueprint.route("/matches/<string:match_id>/talk/<int:message>/report")
class Reports(MethodView):
    """A word to the operator."""

    @blueprint.arguments(talk_inputs.ReportWanted(), required=False)
    @blueprint.response(204, headers=COUNTED)
    @blueprint.alt_response(429, schema=answers.Problem, content_type=KIND, headers={**AGAIN, **COUNTED})
    def post(self, said: dict[str, Any], match_id: str, message: int) -> Response:
        """Have the operator look at a message. They are told who wants so, and nobody else is."""
        service().talk.report(match_id, asker(), message, said["reason"] or "")
        return Response(status=204)

    @blueprint.response(204)
    def delete(self, match_id: str, message: int) -> Response:
        """As the operator: it was looked at."""
        service().talk.settle(asker(), match_id, message)
        return Response(status=204)


@blueprint.route("/reports")
class AllReports(MethodView):
    """What the operator is to look at."""

    @blueprint.arguments(talk_inputs.ReportsQuery(), location="query")
    @blueprint.response(200, talk_answers.Reports, headers=LINK)
    def get(self, said: dict[str, Any]) -> Response:
        """The messages that players want the operator to look at, the oldest first; for the operator."""
        found, more = service().talk.reports(asker(), place_of(said["cursor"]), said["limit"])
        told_of = [
            {
                "at": one.at,
                "match": one.match,
                "number": one.number,
                "seat": one.seat,
                "by": rows.who(one.reporter, one.reporter_name, one.reporter_kind),
                "author": rows.who(one.author, one.author_name, one.author_kind),
                "text": one.text,
                "reason": one.reason,
            }
            for one in found
        ]
        last = found[-1] if more else None
        place = None if last is None else [last.at, last.match, last.number, last.reporter]
        cursor = None if place is None else service().signer.sign(PURPOSE, place)
        answer = reply({"reports": told_of, "next": cursor})
        return link_next(answer, cursor=cursor) if cursor else answer


@blueprint.route("/me/mutes")
class Mutes(MethodView):
    """Whom you hear nothing of."""

    @blueprint.response(200, talk_answers.Mutes)
    def get(self) -> Response:
        """The players whom you have muted. Nobody else is told."""
        found = service().talk.mutes(asker())
        return reply({"mutes": [{"player": rows.who(one.player, one.name, one.kind), "at": one.at} for one in found]})

    @blueprint.arguments(talk_inputs.MuteWanted())
    @blueprint.response(204)
    def post(self, said: dict[str, Any]) -> Response:
        """Hear nothing of a player any longer, at any table."""
        service().talk.mute(asker(), said["player"])
        return Response(status=204)


@blueprint.route("/me/mutes/<string:player>")
class Mute(MethodView):
    """One of them."""

    @blueprint.response(204)
    def delete(self, player: str) -> Response:
        """Hear them again."""
        service().talk.unmute(asker(), player)
        return Response(status=204)
