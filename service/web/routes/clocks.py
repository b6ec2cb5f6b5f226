"""Clocks, pauses and vacations, and standing orders."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from replays.log import private_stream
from service.accounts import PLAY, READ
from service.clocks import leaving
from service.matches import MALFORMED, answers, terms
from service.web import inputs, match_inputs
from service.web.answers import Clocks, DueDone, NewOrder, OrdersFollowed, StandingOrders
from service.web.reply import Blueprint, asker, lang, once, service
from service.web.routes.matches import changed

ORDERS = Blueprint("orders", "Standing orders.")
NO_ORDER = ("match-aborted", "match-finished", "match-open", "resigned")
CLOCKS = Blueprint("clocks", "Clocks.")
PAUSING = Blueprint("pausing", "Pauses and vacations.")
NOT_PAUSED = {
    403: ("not-seated",),
    409: (*NO_ORDER, "no-clock", "not-paused", "paused", "paused-by-operator", "window-open"),
}


@ORDERS.operation("GET /matches/<match_id>/orders", scopes=(PLAY,), query=inputs.Lang, problems={403: ("not-seated",)})
def list_orders(query: dict[str, Any], match_id: str) -> StandingOrders:
    """List your standing orders in a match.

    Nobody else sees them until the match is over; then they open like all secrets.
    """
    return StandingOrders(service().orders.standing(match_id, asker(), lang()))


@ORDERS.operation(
    "POST /matches/<match_id>/orders",
    201,
    body=match_inputs.OrderWanted,
    problems={
        403: ("not-seated",),
        409: (*NO_ORDER, "decision-closed", "not-legal", "too-many-orders"),
        422: tuple(sorted(MALFORMED)),
    },
)
def give_order(body: dict[str, Any], match_id: str) -> NewOrder:
    """Give a standing order: a move that is made for you when you are asked, also if you are asked now.

    The first of your orders that applies decides; if none applies, you are asked yourself. An order is evaluated on
    what you see, makes only legal moves, and takes as long as a bot's answer.
    """
    order, seat, version = service().orders.give(asker(), match_id, body["order"], lang(), once=once())
    receipt = service().views.receipt(private_stream(match_id, seat), version)
    return NewOrder(**asdict(order), receipt=receipt)


@ORDERS.operation(
    "DELETE /matches/<match_id>/orders/<int:order>", problems={403: ("not-seated",), 409: (*NO_ORDER, "no-such-order")}
)
def withdraw_order(match_id: str, order: int) -> None:
    """Withdraw a standing order.

    Moves that it has made stay.
    """
    service().orders.withdraw(asker(), match_id, order)


@ORDERS.operation("POST /orders", body=match_inputs.OrdersDue)
def follow_orders(body: dict[str, Any]) -> OrdersFollowed:
    """Evaluate the standing orders of the seats that are asked in these matches; for the workers.

    A repeated request does nothing twice. The answer does not say what was done.
    """
    return OrdersFollowed(service().orders.follow(asker(), body["matches"]))


@CLOCKS.operation("GET /clocks")
def list_clocks() -> Clocks:
    """List the clocks with a name, with which matches can be opened.

    A match can also be opened with other times.
    """
    config = service().config
    clocks = [terms.described(clock) for clock in terms.PRESETS.values()]
    return Clocks(clocks, config.pause_days, config.vacation_days)


@CLOCKS.operation("POST /clocks", body=match_inputs.DueWanted)
def fire_due(body: dict[str, Any]) -> DueDone:
    """Do in each match what is due by now; for the workers.

    A repeated request does nothing twice, since it is decided on the stored match. The answer does not say what was
    done.
    """
    return DueDone(service().firing.fire(asker(), body["matches"]))


@PAUSING.operation("POST /matches/<match_id>/pause", optional_body=inputs.Nothing, problems=NOT_PAUSED)
def agree_to_pause(match_id: str) -> answers.ChangedMatch:
    """Agree to pause the match; it is paused once every player has agreed.

    Moves can still be made. Bots always agree, and so do players who have handed their seat to a bot. A match that
    stays paused for too long (`pause_days` of `GET /api/clocks`) is broken off, and all its secrets open. The
    operator can pause a match alone.
    """
    return changed(match_id, service().pausing.pause(asker(), match_id, once=once()))


@PAUSING.operation("DELETE /matches/<match_id>/pause", problems=NOT_PAUSED)
def withdraw_pause(match_id: str) -> answers.ChangedMatch:
    """Withdraw your agreement to pause or to resume the match.

    If all have agreed already, it stays paused or resumed.
    """
    service().pausing.take_back(asker(), match_id)
    return changed(match_id, None)


@PAUSING.operation("POST /matches/<match_id>/resume", optional_body=inputs.Nothing, problems=NOT_PAUSED)
def agree_to_resume(match_id: str) -> answers.ChangedMatch:
    """Agree to resume the match; its clock runs again once every player has agreed.

    Deadlines are later by the length of the pause; an outage during the pause adds nothing to that. Only the
    operator can end the operator's pause.
    """
    return changed(match_id, service().pausing.resume(asker(), match_id, once=once()))


@PAUSING.operation("GET /me/vacation", scopes=(READ, PLAY))
def get_vacation() -> leaving.Away:
    """Return your vacation, if you are on one.

    The answer also has the days of vacation that you have left this year.
    """
    return service().vacations.look(asker())


@PAUSING.operation(
    "POST /me/vacation", body=match_inputs.VacationWanted, problems={409: ("on-vacation", "vacation-spent")}
)
def go_on_vacation(body: dict[str, Any]) -> leaving.Away:
    """Begin a vacation of some days now.

    Decisions that are not under seal are due later by the rest of your vacation. The logs of your matches show that
    your deadlines are later, and why. Answers under seal are not due later. All the days are spent, even if you
    come back earlier.
    """
    return service().vacations.leave(asker(), body["days"], once=once())


@PAUSING.operation("DELETE /me/vacation")
def come_back() -> leaving.Away:
    """End your vacation.

    Deadlines that it made later stay as they are.
    """
    return service().vacations.come_back(asker())
