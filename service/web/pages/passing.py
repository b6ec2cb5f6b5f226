"""Seats that are passed on: what a table's page says of them, and the forms by which they are offered, agreed to, taken
and kept after all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import g, request

from bots import ABOUT, BOTS
from domain.matches import Status
from service.matches import Look, shown
from service.problems import Malformed
from service.store import Entry, offers
from service.web import inputs
from service.web.pages import forms, page
from service.web.pages.words.passing import PASSING
from service.web.reply import service

SEATS = 4
"""Digits of a seat's number at most."""


def told(look: Look, names: tuple[str, ...]) -> dict[str, Any]:
    """What the page says of it: what is offered, to whom who looks could offer their own, and what they have typed."""
    is_on = look.entry.status == Status.PLAYING and page.me() is not None
    found = service().offers.of(look.entry.id, g.asker) if is_on else ()
    told = [_offer(one, look, names) for one in found]
    may_offer = is_on and look.seat is not None and not any(one["is_mine"] for one in told)
    return {
        "offers": told,
        "known": [name for _, name in met()] if may_offer else [],
        "heirs": [(name, shown.BOT_NAMES[page.lang()].format(bot=name), ABOUT[name][page.lang()]) for name in BOTS],
        "heir": request.form.get("name", ""),
    }


def met() -> list[tuple[str, str]]:
    """With whom they have played, by id and name: nobody need look up such a one."""
    if (player := page.me()) is None:
        return []
    found = [one.player for one in service().profiles.rivals(player) if one.player is not None]
    return [(one.id, one.name) for one in found if one.name]


def _offer(one: offers.Offer, look: Look, names: tuple[str, ...]) -> dict[str, Any]:
    asked = [chair.seat for chair in look.entry.chairs if chair.is_asked_itself and chair.seat != one.seat]
    return {
        "seat": one.seat,
        "by": names[one.seat] or PASSING[page.lang()]["gone"],
        "to": _name(one),
        "player": one.player,
        "bot": one.bot,
        "is_mine": one.seat == look.seat,
        "is_to_me": bool(one.player) and one.player == g.asker.player,
        "accepted": one.accepted,
        "agreed": look.seat in one.consenting,
        "is_asked": look.seat in asked and look.seat not in one.consenting,
        "agree": [names[seat] for seat in one.consenting],
        "asked": [names[seat] for seat in asked if seat not in one.consenting],
    }


def _name(one: offers.Offer) -> str:
    if one.bot:
        return shown.BOT_NAMES[page.lang()].format(bot=one.bot)
    return one.player_name or PASSING[page.lang()]["gone"]


def _heir() -> offers.Heir:
    """To whom: somebody by name, of those whom they have met, or anybody by their profile. Raises Malformed."""
    if bot := request.form.get("bot", ""):
        return offers.Heir(bot=str(forms.loaded(inputs.OfferWanted(), {"bot": bot})["bot"]))
    said = request.form.get("name", "").strip()
    words = PASSING[page.lang()]
    called = [player for player, name in met() if name == said]
    if len(called) > 1:
        raise Malformed("malformed", more={"errors": {"name": [words["name-twice"]]}}, names=("name",))
    named = called[0] if called else said.rstrip("/").rpartition("/")[2]
    if not named.startswith("p_") or len(named) > inputs.NAME:
        raise Malformed("malformed", more={"errors": {"name": [words["name-wrong"]]}}, names=("name",))
    return offers.Heir(player=named)


def _seat() -> int:
    return forms.number("seat", SEATS)


def _pass_on(match_id: str) -> None:
    service().offers.offer(g.asker, match_id, _heir(), once=page.once())


def _agree(match_id: str) -> None:
    # as who agrees was told
    heir = offers.Heir(player=request.form.get("player", ""), bot=request.form.get("bot", ""))
    service().offers.agree(g.asker, match_id, _seat(), heir, once=page.once())


def _disagree(match_id: str) -> None:
    service().offers.disagree(g.asker, match_id, _seat(), once=page.once())


def _take(match_id: str) -> str | None:
    service().offers.accept(g.asker, match_id, _seat(), once=page.once())
    return where(match_id)


def _rather_not(match_id: str) -> str:
    service().offers.decline(g.asker, match_id, _seat(), once=page.once())
    return "/turns"


def where(match_id: str) -> str | None:
    """Where somebody goes on who has accepted a seat: at the table; in a match that is not for everybody not before it
    is theirs.
    """
    entry: Entry | None = service().lobby.find(match_id)
    is_theirs = entry is not None and any(chair.player == g.asker.player for chair in entry.chairs)
    return None if is_theirs or (entry is not None and entry.visibility == "public") else "/turns"


DEEDS: dict[str, Callable[[str], str | None]] = {
    "pass-on": _pass_on,
    "agree-offer": _agree,
    "disagree-offer": _disagree,
    "take-seat": _take,
    "decline-seat": _rather_not,
}
"""By their names in addresses."""
