"""Passing seats on: what a table's page shows of offers, and the forms to make, agree to, accept and decline them."""

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
"""The most digits of a seat's number."""


def told(look: Look, names: tuple[str, ...]) -> dict[str, Any]:
    """Return what the page shows: the offers, the possible heirs of the reader's seat, and what they have typed."""
    is_on = look.entry.status == Status.PLAYING and page.me() is not None
    listed = service().offers.of(look.entry.id, g.asker) if is_on else ()
    shown_offers = [_offer(each, look, names) for each in listed]
    may_offer = is_on and look.seat is not None and not any(each["is_mine"] for each in shown_offers)
    return {
        "offers": shown_offers,
        "known": [name for _, name in met()] if may_offer else [],
        "heirs": [(name, shown.BOT_NAMES[page.lang()].format(bot=name), ABOUT[name][page.lang()]) for name in BOTS],
        "heir": request.form.get("name", ""),
    }


def met() -> list[tuple[str, str]]:
    """Return the reader's former opponents by id and name."""
    if (player := page.me()) is None:
        return []
    players = [rival.player for rival in service().profiles.rivals(player) if rival.player is not None]
    return [(who.id, who.name) for who in players if who.name]


def _offer(offer: offers.Offer, look: Look, names: tuple[str, ...]) -> dict[str, Any]:
    asked = [chair.seat for chair in look.entry.chairs if chair.is_asked_itself and chair.seat != offer.seat]
    return {
        "seat": offer.seat,
        "by": names[offer.seat] or PASSING[page.lang()]["gone"],
        "to": _name(offer),
        "player": offer.player,
        "bot": offer.bot,
        "is_mine": offer.seat == look.seat,
        "is_to_me": bool(offer.player) and offer.player == g.asker.player,
        "accepted": offer.accepted,
        "agreed": look.seat in offer.consenting,
        "is_asked": look.seat in asked and look.seat not in offer.consenting,
        "agree": [names[seat] for seat in offer.consenting],
        "asked": [names[seat] for seat in asked if seat not in offer.consenting],
    }


def _name(offer: offers.Offer) -> str:
    if offer.bot:
        return shown.BOT_NAMES[page.lang()].format(bot=offer.bot)
    return offer.player_name or PASSING[page.lang()]["gone"]


def _heir() -> offers.Heir:
    """Return the heir in the form: a bot, a former opponent by name, or a player by id or profile. Raises Malformed."""
    if bot := request.form.get("bot", ""):
        return offers.Heir(bot=str(forms.loaded(inputs.OfferWanted(), {"bot": bot})["bot"]))
    value = request.form.get("name", "").strip()
    words = PASSING[page.lang()]
    called = [player for player, name in met() if name == value]
    if len(called) > 1:
        raise Malformed("malformed", more={"errors": {"name": [words["name-twice"]]}}, names=("name",))
    named = called[0] if called else value.rstrip("/").rpartition("/")[2]
    if not named.startswith("p_") or len(named) > inputs.NAME:
        raise Malformed("malformed", more={"errors": {"name": [words["name-wrong"]]}}, names=("name",))
    return offers.Heir(player=named)


def _seat() -> int:
    return forms.number("seat", SEATS)


def _pass_on(match_id: str) -> None:
    service().offers.offer(g.asker, match_id, _heir(), once=page.once())


def _agree(match_id: str) -> None:
    # the heir whom the page has shown
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
    """Return the page after a seat was accepted: None for the table, or the turns if they can't see the match yet."""
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
"""The deeds by their names in paths."""
