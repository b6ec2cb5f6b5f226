"""What can be done with a match beside its moves, each a form of the table: to leave it or come back, to stop its
time, to break it off, to play once more, and to say something.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, abort, g, request

from service.problems import Malformed
from service.talk import LENGTH, BadText, enforce
from service.web import limiting
from service.web.pages import forms, page, passing
from service.web.pages.table import done, kept_for, linked
from service.web.reply import service

blueprint = page.blueprint("deeds", url_prefix="/matches/<string:match_id>")

Deed = tuple[str, Callable[[str], str | None]]
"""The operation's id, by which it is counted, and what does it."""


@blueprint.get("/do/<string:what>")
def again(match_id: str, what: str) -> Response:
    """Where a form's answer stood that is asked for again."""
    return page.go(f"/matches/{match_id}{linked()}")


@blueprint.post("/do/<string:what>")
def do(match_id: str, what: str) -> Response:
    """One of them."""
    if what not in DEEDS:
        abort(404)
    operation, deed = DEEDS[what]

    def act() -> str | None:
        limiting.count_operation(operation)
        return deed(match_id)

    return done(match_id, act)


def _accept(match_id: str) -> None:
    service().seats.accept(match_id, g.asker, forms.nonce(), None)


def _decline(match_id: str) -> str:
    service().invitations.decline(match_id, g.asker)
    return "/turns"


def _leave(match_id: str) -> None:
    service().seats.leave(match_id, g.asker)


def _resign(match_id: str) -> None:
    service().leaving.resign(match_id, g.asker, None)


def _to_bot(match_id: str) -> None:
    service().leaving.leave(match_id, g.asker, None, None)


def _back(match_id: str) -> None:
    service().leaving.come_back(match_id, g.asker)


def _abort(match_id: str) -> None:
    service().ending.abort(match_id, g.asker, None)


def _go_on(match_id: str) -> None:
    service().ending.take_back(match_id, g.asker)


def _pause(match_id: str) -> None:
    service().pausing.pause(match_id, g.asker, None)


def _resume(match_id: str) -> None:
    service().pausing.resume(match_id, g.asker, None)


def _no_pause(match_id: str) -> None:
    service().pausing.take_back(match_id, g.asker)


def _rematch(match_id: str) -> str:
    found, _ = service().rematches.open(match_id, g.asker, None)
    look = service().views.look(found, g.asker)
    if look.seat is not None or not kept_for(look.entry):
        return f"/matches/{found}"
    later = forms.later()
    if not later:
        service().seats.accept(found, g.asker, "", None)
    return forms.table_of(found, later)


def _say(match_id: str) -> None:
    try:
        text = enforce(request.form.get("text", "").replace("\r\n", "\n"), LENGTH)
    except BadText as error:
        raise Malformed("malformed", more={"errors": {"text": [str(error)]}}, names=("text",)) from error
    service().talk.say(match_id, g.asker, text, None)


def _mute(match_id: str) -> None:
    service().talk.mute(g.asker, request.form.get("player", ""))


def _erase(match_id: str) -> None:
    service().talk.erase(match_id, g.asker, _number())


def _report(match_id: str) -> None:
    service().talk.report(match_id, g.asker, _number(), "")


def _number() -> int:
    said = request.form.get("number", "")
    if not said.isascii() or not said.isdecimal() or len(said) > 15:
        raise Malformed("malformed", names=("number",))
    return int(said)


DEEDS: dict[str, Deed] = {
    "accept": ("acceptInvitation", _accept),
    "decline": ("declineInvitation", _decline),
    "leave": ("leaveSeat", _leave),
    "resign": ("resign", _resign),
    "to-bot": ("leaveToBot", _to_bot),
    "back": ("takeSeatBack", _back),
    "abort": ("agreeToAbort", _abort),
    "go-on": ("withdrawAbort", _go_on),
    "pause": ("agreeToPause", _pause),
    "resume": ("agreeToResume", _resume),
    "no-pause": ("withdrawPause", _no_pause),
    "rematch": ("openRematch", _rematch),
    "say": ("say", _say),
    "mute": ("mutePlayer", _mute),
    "erase": ("eraseMessage", _erase),
    "report": ("reportMessage", _report),
    **passing.DEEDS,
}
"""By their names in addresses."""
