"""Seats that change hands: invitations, offers, and seats that are left to a bot."""

from __future__ import annotations

from typing import Any

from service.accounts import PLAY, READ
from service.matches import answers
from service.store import lobby
from service.web import account_answers, inputs, match_inputs
from service.web.answers import Offers
from service.web.reply import Blueprint, asker, once, service
from service.web.routes.matches import NOT_SEATED, changed

OVER = ("match-aborted", "match-finished", "match-open")
GONE = ("handed-over", "resigned", "window-open")
INVITATIONS = Blueprint("invitations", "Invitations.")
LEAVING = Blueprint("leaving", "Leaving.", "/api/matches/<match_id>")
NOT_LEFT = {403: ("not-seated",), 409: (*OVER, *GONE, "bot-name", "not-handed-over")}
OFFERS = Blueprint("offers", "Offers.")
NO_SEAT = {403: ("not-seated",), 409: OVER}


@INVITATIONS.operation(
    "POST /matches/<match_id>/invitations",
    body=inputs.InvitationWanted,
    problems={
        403: ("not-creator",),
        404: ("unknown-player", "unknown-seat"),
        409: ("has-declined", "not-open", "seat-taken", "too-many-invitations"),
        422: ("player-twice",),
    },
)
def give_seat(body: dict[str, Any], match_id: str) -> answers.ChangedMatch:
    """Keep a free seat of a match that you opened for a player, before it starts; null for nobody.

    The player for whom it was kept before loses it.
    """
    service().seats.give(asker(), match_id, body["seat"], body["player"], once=once())
    return changed(match_id, None)


@INVITATIONS.operation("DELETE /matches/<match_id>/invitations", problems={409: ("already-seated", "not-invited")})
def decline_invitation(match_id: str) -> None:
    """Decline your invitation to the match; you can't be invited to it again.

    Anybody can take the seat then, unless it is kept for somebody else.
    """
    service().seats.decline(asker(), match_id)


@INVITATIONS.operation(
    "POST /matches/<match_id>/invitations/accept",
    optional_body=inputs.NonceWanted,
    problems={**NOT_SEATED, 409: (*NOT_SEATED[409], "not-invited")},
)
def accept_invitation(body: dict[str, Any], match_id: str) -> answers.ChangedMatch:
    """Accept your invitation: sit down on the seat that is kept for you.

    The match starts when all seats are taken.
    """
    return changed(match_id, service().seats.accept(asker(), match_id, body["nonce"], once=once()))


@INVITATIONS.operation("GET /me/invitations", scopes=(READ, PLAY), query=inputs.PageQuery)
def list_invitations(query: dict[str, Any]) -> account_answers.Invitations:
    """List the seats that are kept for you in matches that have not started, the newest match first.

    You accept an invitation by taking the seat.
    """
    return account_answers.Invitations(*service().seats.invited(asker(), query["limit"], query["cursor"]))


@LEAVING.operation("POST /resign", optional_body=inputs.Nothing, problems=NOT_LEFT)
def resign(match_id: str) -> answers.ChangedMatch:
    """Give your seat up for good; a match of two seats ends, and the other seat wins.

    With more seats, or if something else was agreed when the match was opened, the match goes on: a bot plays for
    the seat, or the rules play their default moves, as the match's `resignation` says. A bot that plays for the seat
    already plays on in either case.

    While answers are given under seal (`sealed`), this is refused with 409 `window-open`; try again when the last
    answer has arrived.
    """
    return changed(match_id, service().leaving.resign(asker(), match_id, once=once()))


@LEAVING.operation("POST /stand-in", optional_body=match_inputs.StandInWanted, problems=NOT_LEFT)
def leave_to_bot(body: dict[str, Any], match_id: str) -> answers.ChangedMatch:
    """Have a bot play for your seat until you take it back.

    While answers are given under seal, this is refused (`window-open`).
    """
    return changed(match_id, service().leaving.leave(asker(), match_id, body["bot"], once=once()))


@LEAVING.operation("DELETE /stand-in", problems=NOT_LEFT)
def take_seat_back(match_id: str) -> answers.ChangedMatch:
    """Take your seat back from its bot, also if the bot took over because you did not answer.

    You have the time that is left for an open decision. If that is less than a fifth of the clock's `allowance`, or
    than a minute if the fifth is shorter, you get that much, once for each decision.

    While answers are given under seal, this is refused (`window-open`).
    """
    return changed(match_id, service().leaving.come_back(asker(), match_id))


def _heir(body: dict[str, Any]) -> lobby.Heir:
    return lobby.Heir(player=body["player"] or "", bot=body["bot"] or "")


@OFFERS.operation("GET /matches/<match_id>/offers", scopes=(READ, PLAY), query=inputs.LinkQuery)
def list_offers(query: dict[str, Any], match_id: str) -> Offers:
    """List the offers in a match.

    Its players see all of them, others only the offers to themselves.
    """
    return Offers(service().offers.of(match_id, asker()))


@OFFERS.operation(
    "POST /matches/<match_id>/offers",
    body=inputs.OfferWanted,
    problems={409: (*OVER, *GONE), 403: ("not-seated",), 404: ("unknown-player",), 422: ("player-twice",)},
)
def offer_seat(body: dict[str, Any], match_id: str) -> Offers:
    """Offer your seat to another player or to a bot, during play.

    The player gets it once they have accepted and all other players have agreed, in any order. They see everything
    that your seat has seen, and you see nothing of it any more. The log says that somebody else plays the seat.

    A bot accepts by itself: it plays for you once all other players have agreed, or at once if there are none. The
    seat stays yours: you see what it sees, and take it back with `DELETE …/stand-in`. The log and the result say
    that it was by agreement.
    """
    service().offers.offer(asker(), match_id, _heir(body), once=once())
    return Offers(service().offers.of(match_id, asker()))


@OFFERS.operation("DELETE /matches/<match_id>/offers", problems=NO_SEAT)
def withdraw_offer(match_id: str) -> None:
    """Withdraw the offer of your seat.

    All agreements to it are void.
    """
    service().offers.withdraw(asker(), match_id)


@OFFERS.operation(
    "POST /matches/<match_id>/offers/<int:seat>/agreement",
    body=inputs.OfferWanted,
    problems={403: ("not-seated",), 404: ("unknown-offer",), 409: (*OVER, *GONE, "own-seat")},
)
def agree_to_offer(body: dict[str, Any], match_id: str, seat: int) -> None:
    """Agree that the offered seat is passed on to the player, or left to the bot, in the offer.

    Bots always agree.
    """
    service().offers.agree(asker(), match_id, seat, _heir(body), once=once())


@OFFERS.operation("DELETE /matches/<match_id>/offers/<int:seat>/agreement", problems=NO_SEAT)
def disagree_with_offer(match_id: str, seat: int) -> None:
    """Withdraw your agreement to an offer.

    This is possible until the seat is passed on.
    """
    service().offers.disagree(asker(), match_id, seat)


@OFFERS.operation(
    "POST /matches/<match_id>/offers/<int:seat>/acceptance",
    optional_body=inputs.Nothing,
    problems={404: ("unknown-offer",), 409: (*OVER, *GONE)},
)
def accept_offer(match_id: str, seat: int) -> None:
    """Accept a seat that is offered to you.

    It is yours as soon as all other players of the match agree. You have the time that is left for an open
    decision. If that is less than a fifth of the clock's `allowance`, or than a minute if the fifth is shorter, you
    get that much, once for each decision.
    """
    service().offers.accept(asker(), match_id, seat, once=once())


@OFFERS.operation(
    "DELETE /matches/<match_id>/offers/<int:seat>/acceptance", problems={404: ("unknown-offer",), 409: OVER}
)
def decline_offer(match_id: str, seat: int) -> None:
    """Decline a seat that is offered to you.

    This is possible until it is yours, even if you have accepted it.
    """
    service().offers.decline(asker(), match_id, seat)


@OFFERS.operation("GET /me/offers", scopes=(READ, PLAY))
def list_my_offers() -> Offers:
    """List the seats that are offered to you, the oldest first.

    `GET …/offers` of the match also shows who agrees.
    """
    return Offers(service().offers.mine(asker()))
