"""Invitations: seats that are kept for a player."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.accounts import PLAY, READ
from service.matches import answers
from service.web import account_answers, inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, reply, service
from service.web.routes.matches import NOT_SEATED, SEATED, changed, link_next

blueprint = Blueprint("invitations", __name__, url_prefix="/api", description="Invitations.")

NOT_ACCEPTED = {**NOT_SEATED, 409: (*NOT_SEATED[409], "not-invited")}


@blueprint.route("/matches/<string:match_id>/invitations")
class Invitations(MethodView):
    """The invitations to a match."""

    @operation(
        "giveSeat",
        problems={
            403: ("not-creator",),
            404: ("unknown-player", "unknown-seat"),
            409: ("has-declined", "not-open", "seat-taken", "too-many-invitations"),
            422: ("player-twice",),
        },
    )
    @blueprint.arguments(inputs.InvitationWanted())
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Keep a free seat of a match that you opened for a player, before it starts; null for nobody.

        The player for whom it was kept before loses it.
        """
        service().invitations.give(asker(), match_id, body["seat"], body["player"], once=once())
        return changed(match_id, None)

    @operation("declineInvitation", problems={409: ("already-seated", "not-invited")})
    @blueprint.response(204)
    def delete(self, match_id: str) -> None:
        """Decline your invitation to the match; you can't be invited to it again.

        Anybody can take the seat then, unless it is kept for somebody else.
        """
        service().invitations.decline(asker(), match_id)


@blueprint.route("/matches/<string:match_id>/invitations/accept")
class Accept(MethodView):
    """The answer to an invitation."""

    @operation("acceptInvitation", problems=NOT_ACCEPTED, links=SEATED)
    @blueprint.arguments(inputs.NonceWanted(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Accept your invitation: sit down on the seat that is kept for you.

        The match starts when all seats are taken.
        """
        return changed(match_id, service().seats.accept(asker(), match_id, body["nonce"], once=once()))


@blueprint.route("/me/invitations")
class MyInvitations(MethodView):
    """The asker's invitations."""

    @operation("listInvitations", READ, PLAY, problems={422: ("malformed-cursor",)})
    @blueprint.arguments(inputs.PageQuery(), location="query")
    @blueprint.response(200, account_answers.Invitations, headers=("Link",))
    def get(self, query: dict[str, Any]) -> Response:
        """List the seats that are kept for you in matches that have not started, the newest match first.

        You accept an invitation by taking the seat.
        """
        page, more = service().invitations.page(asker(), query["limit"], query["cursor"])
        answer = reply(account_answers.Invitations(page, more))
        return link_next(answer, cursor=more) if more else answer
