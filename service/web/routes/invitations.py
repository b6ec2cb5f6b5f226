"""Seats that are kept for somebody."""

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

blueprint = Blueprint("invitations", __name__, url_prefix="/api", description="Who is asked to play.")

NOT_ACCEPTED = {**NOT_SEATED, 409: (*NOT_SEATED[409], "not-invited")}


@blueprint.route("/matches/<string:match_id>/invitations")
class Invitations(MethodView):
    """The seats of a match that are kept for somebody."""

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
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Keep a free seat of the match that you opened for a player, before it starts; null: for nobody.

        Whoever it was kept for before has no claim to it any more.
        """
        service().invitations.give(asker(), match_id, said["seat"], said["player"], once=once())
        return changed(match_id, None)

    @operation("declineInvitation", problems={409: ("already-seated", "not-invited")})
    @blueprint.response(204)
    def delete(self, match_id: str) -> None:
        """Decline: no seat of this match is kept for you any longer, nor will be.

        The seat is anybody's then, until whoever opened the match gives it anew.
        """
        service().invitations.decline(asker(), match_id)


@blueprint.route("/matches/<string:match_id>/invitations/accept")
class Accept(MethodView):
    """The answer to an invitation."""

    @operation("acceptInvitation", problems=NOT_ACCEPTED, links=SEATED)
    @blueprint.arguments(inputs.NonceWanted(), required=False)
    @blueprint.response(200, answers.ChangedMatch)
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Accept: sit down on the seat that is kept for you.

        The match starts when all are taken.
        """
        return changed(match_id, service().seats.accept(asker(), match_id, said["nonce"], once=once()))


@blueprint.route("/me/invitations")
class MyInvitations(MethodView):
    """Where one is asked to play."""

    @operation("listInvitations", READ, PLAY, problems={422: ("malformed-cursor",)})
    @blueprint.arguments(inputs.PageQuery(), location="query")
    @blueprint.response(200, account_answers.Invitations, headers=("Link",))
    def get(self, said: dict[str, Any]) -> Response:
        """The seats that are kept for you, in matches that have not started, the newest first.

        You accept one by taking the seat.
        """
        found, more = service().invitations.page(asker(), said["limit"], said["cursor"])
        answer = reply(account_answers.Invitations(found, more))
        return link_next(answer, cursor=more) if more else answer
