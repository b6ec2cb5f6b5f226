"""Messages between the players at a table."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.accounts import ADMIN, PLAY, READ
from service.problems import Malformed
from service.signing import NotOurs
from service.store import talk as kept
from service.web import talk_answers, talk_inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, reply, service
from service.web.routes.matches import link_next

blueprint = Blueprint("talk", __name__, url_prefix="/api", description="Messages.")

PURPOSE = "reports"

NOT_HEARD = {403: ("talk-of-seats",), 409: ("no-talk",)}


def place_of(cursor: str | None) -> kept.Place:
    """Return the place at which a page of reports begins. Raises Malformed."""
    if cursor is None:
        return kept.FIRST
    try:
        at, match_id, number, reporter = service().signer.read(PURPOSE, cursor)
    except NotOurs:
        raise Malformed("malformed-cursor") from None
    return at, match_id, number, reporter


@blueprint.route("/matches/<string:match_id>/talk")
class Talk(MethodView):
    """The messages at a match's table, which are never part of its log."""

    @operation("listMessages", READ, PLAY, ADMIN, is_open=True, problems=NOT_HEARD)
    @blueprint.arguments(talk_inputs.TalkQuery(), location="query")
    @blueprint.response(200, talk_answers.Page)
    def get(self, query: dict[str, Any], match_id: str) -> Response:
        """List the last messages at the table or, with `since`, those that were sent or erased after that.

        The match's `talk` says who may read them. You don't see messages of players whom you have muted.
        """
        talk, limit = service().talk, query["limit"]
        if query["since"] is not None:
            page = talk.since(match_id, asker(), query["since"], limit)
        else:
            page = talk.newest(match_id, asker(), query["before"], limit)
        messages = [talk_answers.Message.of(each) for each in page.messages]
        return reply(talk_answers.Page(messages, page.since, page.before, page.more))

    @operation("say", problems={403: ("not-seated", "talk-of-seats"), 409: ("busy", "no-talk", "talk-full")})
    @blueprint.arguments(talk_inputs.MessageWanted())
    @blueprint.response(201, talk_answers.Message)
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Send a message from your seat.

        You can send messages before the start, during play and after the end, with 500 characters at most.
        """
        return reply(talk_answers.Message.of(service().talk.say(asker(), match_id, body["text"], once=once())), 201)


@blueprint.route("/matches/<string:match_id>/talk/<int:message>")
class One(MethodView):
    """A message."""

    @operation(
        "eraseMessage",
        problems={
            403: ("not-your-message", "talk-of-seats"),
            404: ("unknown-message",),
            409: ("busy", "no-talk", "too-late-to-erase"),
        },
    )
    @blueprint.response(204)
    def delete(self, match_id: str, message: int) -> None:
        """Erase a message of yours, within 24 hours.

        The operator can erase any message at any time. Nobody can read it any more.
        """
        service().talk.erase(asker(), match_id, message)


@blueprint.route("/matches/<string:match_id>/talk/<int:message>/report")
class Reports(MethodView):
    """The reports of a message."""

    @operation("reportMessage", problems={**NOT_HEARD, 404: ("unknown-message",)})
    @blueprint.arguments(talk_inputs.ReportWanted(), required=False)
    @blueprint.response(204)
    def post(self, body: dict[str, Any], match_id: str, message: int) -> None:
        """Report a message to the operator.

        Only the operator sees who has reported it.
        """
        service().talk.report(asker(), match_id, message, body["reason"] or "", once=once())

    @operation("settleReport")
    @blueprint.response(204)
    def delete(self, match_id: str, message: int) -> None:
        """Delete the reports of a message, as the operator.

        The message stays as it is.
        """
        service().talk.settle(asker(), match_id, message)


@blueprint.route("/reports")
class AllReports(MethodView):
    """The reports of all messages."""

    @operation("listReports", ADMIN, problems={422: ("malformed-cursor",)})
    @blueprint.arguments(talk_inputs.ReportsQuery(), location="query")
    @blueprint.response(200, talk_answers.Reports, headers=("Link",))
    def get(self, query: dict[str, Any]) -> Response:
        """List the messages that players have reported, the oldest report first.

        Only the operator can see them.
        """
        page, more = service().talk.reports(asker(), place_of(query["cursor"]), query["limit"])
        last = page[-1] if more else None
        place = None if last is None else [last.at, last.match, last.number, last.by.id]
        cursor = None if place is None else service().signer.sign(PURPOSE, place)
        answer = reply(talk_answers.Reports(page, cursor))
        return link_next(answer, cursor=cursor) if cursor else answer


@blueprint.route("/me/mutes")
class Mutes(MethodView):
    """The players whom the asker has muted."""

    @operation("listMutes", READ, PLAY)
    @blueprint.response(200, talk_answers.Mutes)
    def get(self) -> Response:
        """List the players whom you have muted.

        Nobody else sees this.
        """
        return reply(talk_answers.Mutes(service().talk.mutes(asker())))

    @operation("mutePlayer", problems={404: ("unknown-player",), 409: ("too-many-mutes",), 422: ("mute-yourself",)})
    @blueprint.arguments(talk_inputs.MuteWanted())
    @blueprint.response(204)
    def post(self, body: dict[str, Any]) -> None:
        """Mute a player: you don't see their messages any more, at any table.

        They don't learn of it.
        """
        service().talk.mute(asker(), body["player"], once=once())


@blueprint.route("/me/mutes/<string:player>")
class Mute(MethodView):
    """A muted player."""

    @operation("unmutePlayer")
    @blueprint.response(204)
    def delete(self, player: str) -> None:
        """Unmute a player.

        You see their messages again, also those that they sent meanwhile.
        """
        service().talk.unmute(asker(), player)
