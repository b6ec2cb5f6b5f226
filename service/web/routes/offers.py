"""Seats that are passed on during play."""

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

blueprint = Blueprint("offers", __name__, url_prefix="/api", description="Who plays on.")


OVER = ("match-aborted", "match-finished", "match-open")
GONE = ("handed-over", "resigned", "window-open")
OFFERED = {409: (*OVER, *GONE), 403: ("not-seated",), 404: ("unknown-player",), 422: ("player-twice",)}
AGREED = {403: ("not-seated",), 404: ("unknown-offer",), 409: (*OVER, *GONE, "own-seat")}
ACCEPTED = {404: ("unknown-offer",), 409: (*OVER, *GONE)}
NOT_SEATED = {403: ("not-seated",), 409: OVER}


def told(found: Iterable[offers.Offer]) -> Response:
    """Offers as they are answered."""
    return reply(lobby_answers.Offers([lobby_answers.Offer.of(one) for one in found]))


def _heir(said: dict[str, Any]) -> offers.Heir:
    return offers.Heir(player=said["player"] or "", bot=said["bot"] or "")


@blueprint.route("/matches/<string:match_id>/offers")
class Offers(MethodView):
    """The seats of a match that are offered."""

    @operation("listOffers", READ, PLAY)
    @blueprint.response(200, lobby_answers.Offers)
    def get(self, match_id: str) -> Response:
        """The seats of a match that are offered.

        Who sits there is told all of them, others what is offered to them.
        """
        return told(service().offers.of(match_id, asker()))

    @operation("offerSeat", problems=OFFERED)
    @blueprint.arguments(inputs.OfferWanted())
    @blueprint.response(200, lobby_answers.Offers)
    def post(self, said: dict[str, Any], match_id: str) -> Response:
        """Offer your seat to another player or to a bot, during play.

        It is the player's once they accept and all other players agree, in any order. They see all that your seat has
        seen, and you see no more of it. The log says that somebody else plays it.

        A bot accepts by itself: it plays for you once all other players agree, at once where there are none. The seat
        stays yours: you see what it sees, and take it back by `DELETE …/stand-in`. The log and the result say that it
        was by agreement.
        """
        service().offers.offer(asker(), match_id, _heir(said), once=once())
        return told(service().offers.of(match_id, asker()))

    @operation("withdrawOffer", problems=NOT_SEATED)
    @blueprint.response(204)
    def delete(self, match_id: str) -> None:
        """Offer your seat to nobody any longer.

        Whoever has accepted or agreed has done so in vain.
        """
        service().offers.withdraw(asker(), match_id)


@blueprint.route("/matches/<string:match_id>/offers/<int:seat>/agreement")
class Agreement(MethodView):
    """What the others say of it."""

    @operation("agreeToOffer", problems=AGREED)
    @blueprint.arguments(inputs.OfferWanted())
    @blueprint.response(204)
    def post(self, said: dict[str, Any], match_id: str, seat: int) -> None:
        """Agree that the seat is passed on to that player, or left to that bot.

        Bots always agree.
        """
        service().offers.agree(asker(), match_id, seat, _heir(said), once=once())

    @operation("disagreeWithOffer", problems=NOT_SEATED)
    @blueprint.response(204)
    def delete(self, match_id: str, seat: int) -> None:
        """Agree no longer that the seat is passed on.

        As long as it is not.
        """
        service().offers.disagree(asker(), match_id, seat)


@blueprint.route("/matches/<string:match_id>/offers/<int:seat>/acceptance")
class Acceptance(MethodView):
    """What says whom it is offered to."""

    @operation("acceptOffer", problems=ACCEPTED)
    @blueprint.arguments(inputs.Nothing(), required=False)
    @blueprint.response(204)
    def post(self, said: dict[str, Any], match_id: str, seat: int) -> None:
        """Accept a seat that is offered to you.

        It is yours as soon as all its match's other players agree. You have the time that was left for what is open;
        if that is less than a fifth of the clock's `allowance` (or than a minute, if the fifth is less), you have that
        much, once for each decision.
        """
        service().offers.accept(asker(), match_id, seat, once=once())

    @operation("declineOffer", problems={404: ("unknown-offer",), 409: OVER})
    @blueprint.response(204)
    def delete(self, match_id: str, seat: int) -> None:
        """Decline a seat that is offered to you.

        Also after you have accepted it, until it is yours.
        """
        service().offers.decline(asker(), match_id, seat)


@blueprint.route("/me/offers")
class MyOffers(MethodView):
    """What is offered to one."""

    @operation("listMyOffers", READ, PLAY)
    @blueprint.response(200, lobby_answers.Offers)
    def get(self) -> Response:
        """The seats that are offered to you, the oldest first.

        Who agrees is told by the match's own list.
        """
        return told(service().offers.mine(asker()))
