"""What players say to each other at a table."""

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

blueprint = Blueprint("talk", __name__, url_prefix="/api", description="What is said at the table.")

PURPOSE = "reports"

NOT_HEARD = {403: ("talk-of-seats",), 409: ("no-talk",)}


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

    @operation("listMessages", READ, PLAY, ADMIN, is_open=True, problems=NOT_HEARD)
    @blueprint.arguments(talk_inputs.TalkQuery(), location="query")
    @blueprint.response(200, talk_answers.Page)
    def get(self, said: dict[str, Any], match_id: str) -> Response:
        """What was said at the table.

        These are the last messages, or with `since` what came and what was erased after that.

        It is for those who sit there and for whom the match was opened to (`talk`). You are told nothing of players
        whom you have muted.
        """
        talk, limit = service().talk, said["limit"]
        if said["since"] is not None:
            page = talk.since(match_id, asker(), said["since"], limit)
        else:
            page = talk.newest(match_id, asker(), said["before"], limit)
        messages = [talk_answers.Message.of(one) for one in page.messages]
        return reply(talk_answers.Page(messages, page.since, page.before, page.more))

    @operation("say", problems={403: ("not-seated", "talk-of-seats"), 409: ("busy", "no-talk", "talk-full")})
    @blueprint.arguments(talk_inputs.MessageWanted())
    @blueprint.response(201, talk_answers.Message)
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Say something from your seat.

        Before the start, during play or after it: 500 characters at most.
        """
        return reply(talk_answers.Message.of(service().talk.say(asker(), match_id, said["text"], once=once())), 201)


@blueprint.route("/matches/<string:match_id>/talk/<int:message>")
class One(MethodView):
    """One message."""

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
        """Erase what you have said, within 24 hours.

        The operator erases anything, at any time. Nobody reads it any more.
        """
        service().talk.erase(asker(), match_id, message)


@blueprint.route("/matches/<string:match_id>/talk/<int:message>/report")
class Reports(MethodView):
    """A word to the operator."""

    @operation("reportMessage", problems={**NOT_HEARD, 404: ("unknown-message",)})
    @blueprint.arguments(talk_inputs.ReportWanted(), required=False)
    @blueprint.response(204)
    def post(self, said: dict[str, Any], match_id: str, message: int) -> None:
        """Have the operator look at a message.

        They are told who wants so, and nobody else is.
        """
        service().talk.report(asker(), match_id, message, said["reason"] or "", once=once())

    @operation("settleReport")
    @blueprint.response(204)
    def delete(self, match_id: str, message: int) -> None:
        """Note that a message was looked at, as the operator.

        What was reported of it is forgotten; the message stays as it is.
        """
        service().talk.settle(asker(), match_id, message)


@blueprint.route("/reports")
class AllReports(MethodView):
    """What the operator is to look at."""

    @operation("listReports", ADMIN, problems={422: ("malformed-cursor",)})
    @blueprint.arguments(talk_inputs.ReportsQuery(), location="query")
    @blueprint.response(200, talk_answers.Reports, headers=("Link",))
    def get(self, said: dict[str, Any]) -> Response:
        """The messages that players want the operator to look at, the oldest first.

        Only the operator is told.
        """
        found, more = service().talk.reports(asker(), place_of(said["cursor"]), said["limit"])
        last = found[-1] if more else None
        place = None if last is None else [last.at, last.match, last.number, last.by.id]
        cursor = None if place is None else service().signer.sign(PURPOSE, place)
        answer = reply(talk_answers.Reports(found, cursor))
        return link_next(answer, cursor=cursor) if cursor else answer


@blueprint.route("/me/mutes")
class Mutes(MethodView):
    """Whom you hear nothing of."""

    @operation("listMutes", READ, PLAY)
    @blueprint.response(200, talk_answers.Mutes)
    def get(self) -> Response:
        """The players whom you have muted.

        Nobody else is told.
        """
        return reply(talk_answers.Mutes(service().talk.mutes(asker())))

    @operation("mutePlayer", problems={404: ("unknown-player",), 409: ("too-many-mutes",), 422: ("mute-yourself",)})
    @blueprint.arguments(talk_inputs.MuteWanted())
    @blueprint.response(204)
    def post(self, said: dict[str, Any]) -> None:
        """Hear nothing of a player any longer, at any table.

        They are told nothing of it.
        """
        service().talk.mute(asker(), said["player"], once=once())


@blueprint.route("/me/mutes/<string:player>")
class Mute(MethodView):
    """One of them."""

    @operation("unmutePlayer")
    @blueprint.response(204)
    def delete(self, player: str) -> None:
        """Hear a player again.

        Also what they have said meanwhile.
        """
        service().talk.unmute(asker(), player)
