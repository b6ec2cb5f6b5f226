"""The deeds at a table besides moves, each a form of its page: leaving and coming back, pausing, breaking off, a
rematch, passing a seat on, and messages.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, abort, g, request

from service.problems import Malformed
from service.talk import LENGTH, BadText, enforce
from service.web.pages import forms, page, passing
from service.web.pages.table import done, kept_for, linked
from service.web.reply import service
from service.wiring import Service

blueprint = page.blueprint("deeds", url_prefix="/matches/<string:match_id>")


@blueprint.get("/do/<string:what>")
def again(match_id: str, what: str) -> Response:
    """Lead back to the table, if a browser loads the answer of a form again."""
    return page.go(f"/matches/{match_id}{linked()}")


@blueprint.post("/do/<string:what>")
def do(match_id: str, what: str) -> Response:
    """Do the deed of this name."""
    if what in PLAIN:
        return done(match_id, lambda: _plainly(match_id, what))
    if what in TYPED:
        return done(match_id, lambda: TYPED[what](match_id))
    abort(404)


def _plainly(match_id: str, what: str) -> str | None:
    PLAIN[what](service())(g.asker, match_id, once=page.once())
    return "/turns" if what == "decline" else None


def _accept(match_id: str) -> None:
    service().seats.accept(g.asker, match_id, forms.nonce(), once=page.once())


def _rematch(match_id: str) -> str:
    rematch, _ = service().opener.rematch(g.asker, match_id, once=page.once())
    look = service().views.look(rematch, g.asker)
    if look.seat is not None or not kept_for(look.entry):
        return f"/matches/{rematch}"
    later = forms.later()
    if not later:
        service().seats.accept(g.asker, rematch, once=page.once("seat"))
    return forms.table_of(rematch, later)


def _say(match_id: str) -> None:
    try:
        text = enforce(request.form.get("text", "").replace("\r\n", "\n"), LENGTH)
    except BadText as error:
        raise Malformed("malformed", more={"errors": {"text": [str(error)]}}, names=("text",)) from error
    service().talk.say(g.asker, match_id, text, once=page.once())


def _mute(match_id: str) -> None:
    service().talk.mute(g.asker, request.form.get("player", ""), once=page.once())


def _erase(match_id: str) -> None:
    service().talk.erase(g.asker, match_id, forms.number("number"), once=page.once())


def _report(match_id: str) -> None:
    service().talk.report(g.asker, match_id, forms.number("number"), once=page.once())


PLAIN: dict[str, Callable[[Service], Callable[..., object]]] = {
    "decline": lambda at: at.invitations.decline,
    "leave": lambda at: at.seats.leave,
    "resign": lambda at: at.leaving.resign,
    "to-bot": lambda at: at.leaving.leave,
    "back": lambda at: at.leaving.come_back,
    "abort": lambda at: at.ending.abort,
    "go-on": lambda at: at.ending.take_back,
    "pause": lambda at: at.pausing.pause,
    "resume": lambda at: at.pausing.resume,
    "no-pause": lambda at: at.pausing.take_back,
    "keep-seat": lambda at: at.offers.withdraw,
}
"""The deeds whose forms have no fields, by their names in paths."""

TYPED: dict[str, Callable[[str], str | None]] = {
    "accept": _accept,
    "rematch": _rematch,
    "say": _say,
    "mute": _mute,
    "erase": _erase,
    "report": _report,
    **passing.DEEDS,
}
"""The deeds whose forms have fields, by their names in paths; each may return the page to which it leads."""
