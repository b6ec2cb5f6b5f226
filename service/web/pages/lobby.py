"""The lobby: first the matches that can be joined, then running ones, then finished ones."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, g, request

from domain.matches import Status
from service.matches import MatchWanted, Place, terms
from service.problems import Malformed
from service.store import SPEEDS, Wanted
from service.web import inputs
from service.web.pages import forms, page, rows
from service.web.pages.sign_in import comer, may_be_guest, with_guest
from service.web.pages.words.lobby import LOBBY
from service.web.pages.words.rows import ROWS
from service.web.reply import LANGS, service

blueprint = page.blueprint("lobby")

BOT = "greedy"
"""The bot against which newcomers play."""

FILTERS = ("game", "status", "speed", "seat", "mine")

STATUSES = tuple(status.value for status in Status)

FEW, MANY = 8, 30
"""The most matches of each kind on the page of all kinds, and on a page of one kind."""

EVER = "0"
"""A moment before all ends of matches."""

BETWEEN_PEOPLE = terms.PRESETS["three-days"]
"""The clock of matches among people that are opened with one click, so that nobody waits for ever."""

TEXTS = {one: {**ROWS[one], **LOBBY[one]} for one in LANGS}


@blueprint.get("/lobby")
def lobby() -> Response:
    """Show the matches that the reader may know of."""
    chosen = _chosen()
    if chosen.get("mine") and not g.get("session"):
        return page.go("/sign-in?next=/lobby%3Fmine%3Dyes")
    sections = [_all(chosen)] if "status" in chosen else _few(chosen)
    return page.shown(
        "lobby.html.j2",
        TEXTS,
        sections=sections,
        listed=sum(len(section["rows"]) for section in sections),
        chosen={**dict.fromkeys(FILTERS, ""), **chosen},
        statuses=STATUSES,
        speeds=tuple(SPEEDS),
        games=[room.game for room in service().catalogue.rooms.values()],
    )


def _chosen() -> dict[str, str]:
    """Return the filters of the request, without unknown values."""
    known = {
        "game": tuple(service().catalogue.rooms),
        "status": STATUSES,
        "speed": tuple(SPEEDS),
        "seat": ("free",),
        "mine": ("yes",),
    }
    asked = {name: request.args.get(name, "") for name in known}
    return {name: value for name, value in asked.items() if value in known[name]}


def _wanted(chosen: dict[str, str], limit: int, **more: Any) -> Wanted:
    if (status := more.get("status", chosen.get("status"))) in {Status.FINISHED, Status.ABORTED}:
        more.setdefault("since", EVER)
    return Wanted(
        game=chosen.get("game"),
        speed=chosen.get("speed"),
        mine="mine" in chosen,
        free=more.pop("free", "seat" in chosen),
        limit=limit,
        **{**more, "status": status},
    )


def _few(chosen: dict[str, str]) -> list[dict[str, Any]]:
    """Return some matches of each kind."""
    sorts: dict[str, dict[str, Any]] = {Status.OPEN: {"status": Status.OPEN, "free": "mine" not in chosen}}
    if "seat" not in chosen:
        sorts |= {Status.PLAYING: {"status": Status.PLAYING}, Status.FINISHED: {"status": None, "since": EVER}}
    sections = []
    for status, wanted in sorts.items():
        listed, more = service().lobby.listed(g.asker, _wanted(chosen, FEW, **wanted), None)
        query = urlencode({**chosen, "status": str(status)})
        sections.append({"of": str(status), "rows": rows.of_all(listed), "more": f"/lobby?{query}" if more else ""})
    return sections


def _all(chosen: dict[str, str]) -> dict[str, Any]:
    """Return a page of matches of one kind."""
    wanted, cursor = _wanted(chosen, MANY), request.args.get("cursor")
    try:
        listed, more = service().lobby.listed(g.asker, wanted, cursor)
    except Malformed:
        # the cursor is of another list, or incomplete: begin anew
        listed, more = service().lobby.listed(g.asker, wanted, None)
    query = urlencode({**chosen, "cursor": more}) if more else ""
    return {"of": chosen["status"], "rows": rows.of_all(listed), "more": f"/lobby?{query}" if more else ""}


@blueprint.post("/play")
def play() -> Response:
    """Open a match against bots, or with free seats for people; the reader sits down at once."""
    room = service().opener.room(request.form.get("game", ""))
    seats = _seats(room.game.seats)
    if not g.get("session") and not may_be_guest():
        return page.go(f"/sign-in?{urlencode({'next': f'/games/{room.game.slug}'})}")
    token = comer("openMatch", "takeSeat")
    is_for_people = request.form.get("against") == "people"
    others = Place() if is_for_people else Place(bot=BOT)
    later = forms.later()
    wanted = MatchWanted(
        game=room.game.slug,
        seats=(Place(player=g.asker.player if later else None), *[others] * (seats - 1)),
        clock=BETWEEN_PEOPLE if is_for_people else None,
        talk=inputs.TALK[0],
    )
    match = service().opener.open(g.asker, wanted, once=page.once())
    if not later:
        service().seats.take(g.asker, match, 0, once=page.once("seat"))
    return with_guest(page.go(forms.table_of(match, later)), token)


def _seats(possible: tuple[int, ...]) -> int:
    """Return the number of seats in the form. Raises Malformed."""
    if not request.form.get("seats"):
        return min(possible)
    if (seats := forms.number("seats", 3)) not in possible:
        raise Malformed("malformed", names=("seats",))
    return seats


@blueprint.post("/matches/<string:match_id>/seat")
def sit(match_id: str) -> Response:
    """Sit down in a match."""
    if not g.get("session") and not may_be_guest():
        return page.go(f"/sign-in?{urlencode({'next': f'/matches/{match_id}'})}")
    # checked before a guest's account is made
    nonce = forms.nonce()
    service().lobby.entry(match_id, g.asker)
    token = comer("takeSeat")
    service().seats.take(g.asker, match_id, None, nonce, once=page.once())
    return with_guest(page.go(f"/matches/{match_id}"), token)
