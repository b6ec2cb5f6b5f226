"""Offers: seats that are passed on during play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Response
from flask.views import MethodView

from service.accounts import PLAY, READ
from service.store import offers
from service.web import inputs, lobby_answers
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, reply, service

blueprint = Blueprint("offers", __name__, url_prefix="/api", description="Offers.")


OVER = ("match-aborted", "match-finished", "match-open")
GONE = ("handed-over", "resigned", "window-open")
OFFERED = {409: (*OVER, *GONE), 403: ("not-seated",), 404: ("unknown-player",), 422: ("player-twice",)}
AGREED = {403: ("not-seated",), 404: ("unknown-offer",), 409: (*OVER, *GONE, "own-seat")}
ACCEPTED = {404: ("unknown-offer",), 409: (*OVER, *GONE)}
NOT_SEATED = {403: ("not-seated",), 409: OVER}


def told(listed: Iterable[offers.Offer]) -> Response:
    """Return the answer with these offers."""
    return reply(lobby_answers.Offers([lobby_answers.Offer.of(each) for each in listed]))


def _heir(body: dict[str, Any]) -> offers.Heir:
    return offers.Heir(player=body["player"] or "", bot=body["bot"] or "")


@blueprint.route("/matches/<string:match_id>/offers")
class Offers(MethodView):
    """The offers in a match."""

    @operation("listOffers", READ, PLAY)
    @blueprint.response(200, lobby_answers.Offers)
    def get(self, match_id: str) -> Response:
        """List the offers in a match.

        Its players see all of them, others only the offers to themselves.
        """
        return told(service().offers.of(match_id, asker()))

    @operation("offerSeat", problems=OFFERED)
    @blueprint.arguments(inputs.OfferWanted())
    @blueprint.response(200, lobby_answers.Offers)
    def post(self, body: dict[str, Any], match_id: str) -> Response:
        """Offer your seat to another player or to a bot, during play.

        The player gets it once they have accepted and all other players have agreed, in any order. They see everything
        that your seat has seen, and you see nothing of it any more. The log says that somebody else plays the seat.

        A bot accepts by itself: it plays for you once all other players have agreed, or at once if there are none. The
        seat stays yours: you see what it sees, and take it back with `DELETE …/stand-in`. The log and the result say
        that it was by agreement.
        """
        service().offers.offer(asker(), match_id, _heir(body), once=once())
        return told(service().offers.of(match_id, asker()))

    @operation("withdrawOffer", problems=NOT_SEATED)
    @blueprint.response(204)
    def delete(self, match_id: str) -> None:
        """Withdraw the offer of your seat.

        All agreements to it are void.
        """
        service().offers.withdraw(asker(), match_id)


@blueprint.route("/matches/<string:match_id>/offers/<int:seat>/agreement")
class Agreement(MethodView):
    """The agreement of other players to an offer."""

    @operation("agreeToOffer", problems=AGREED)
    @blueprint.arguments(inputs.OfferWanted())
    @blueprint.response(204)
    def post(self, body: dict[str, Any], match_id: str, seat: int) -> None:
        """Agree that a seat is passed on to the player, or left to the bot, that the offer names.

        Bots always agree.
        """
        service().offers.agree(asker(), match_id, seat, _heir(body), once=once())

    @operation("disagreeWithOffer", problems=NOT_SEATED)
    @blueprint.response(204)
    def delete(self, match_id: str, seat: int) -> None:
        """Withdraw your agreement to an offer.

        This is possible until the seat is passed on.
        """
        service().offers.disagree(asker(), match_id, seat)


@blueprint.route("/matches/<string:match_id>/offers/<int:seat>/acceptance")
class Acceptance(MethodView):
    """The answer of the player to whom a seat is offered."""

    @operation("acceptOffer", problems=ACCEPTED)
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(204)
    def post(self, body: dict[str, Any], match_id: str, seat: int) -> None:
        """Accept a seat that is offered to you.

        It is yours as soon as all other players of the match agree. You have the time that is left for an open
        decision. If that is less than a fifth of the clock's `allowance`, or than a minute if the fifth is shorter, you
        get that much, once for each decision.
        """
        service().offers.accept(asker(), match_id, seat, once=once())

    @operation("declineOffer", problems={404: ("unknown-offer",), 409: OVER})
    @blueprint.response(204)
    def delete(self, match_id: str, seat: int) -> None:
        """Decline a seat that is offered to you.

        This is possible until it is yours, even if you have accepted it.
        """
        service().offers.decline(asker(), match_id, seat)


@blueprint.route("/me/offers")
class MyOffers(MethodView):
    """The offers to the asker."""

    @operation("listMyOffers", READ, PLAY)
    @blueprint.response(200, lobby_answers.Offers)
    def get(self) -> Response:
        """List the seats that are offered to you, the oldest first.

        `GET …/offers` of the match also shows who agrees.
        """
        return told(service().offers.mine(asker()))
