"""My turns: the matches that wait for me, the soonest deadline first; then what goes on without me, and where I am
asked to play.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Response, g, request

from domain.matches import Status
from events.codec import UnknownEvent, Unreadable
from replays.log import OtherRules, UnknownMatch
from service.matches import answers, shown
from service.problems import Malformed, Problem, token_missing
from service.store import Entry, Wanted
from service.web.pages import forms, page, passing, rows
from service.web.pages.words.rows import ROWS
from service.web.pages.words.turns import TURNS
from service.web.reply import LANGS, service

blueprint = page.blueprint("turns")

TEXTS = {one: {**ROWS[one], **TURNS[one]} for one in LANGS}

MANY = 50
"""Matches that are listed of each sort."""

TOLD = 20
"""Matches that wait of which it is said what is going on there."""

OVER = 5
"""Matches that were over last."""

UNTOLD = (Problem, OtherRules, UnknownMatch, Unreadable, UnknownEvent)
"""Why nothing is said of what is going on: it can't be read here."""


@blueprint.get("/turns")
def turns() -> Response:
    """What waits for whoever looks."""
    if not g.get("session") or page.me() is None:
        raise token_missing()
    going, _ = service().lobby.listed(g.asker, Wanted(mine=True, status=Status.PLAYING, limit=MANY), None)
    waiting = _waiting({entry.id: entry for entry in going})
    there = {one["id"] for one in waiting}
    playing = [one for one in _seated(going) if one["id"] not in there]
    return page.shown(
        "turns.html.j2",
        TEXTS,
        asked=waiting,
        playing=playing,
        begun=_mine(Wanted(mine=True, status=Status.OPEN, limit=MANY)),
        over=_mine(Wanted(mine=True, since="0", limit=OVER)),
        invitations=_invitations(),
        offers=_offers(),
        asked_to_agree=_asked(),
    )


def _waiting(going: dict[str, Entry]) -> list[dict[str, Any]]:
    """The matches in which it is their turn. `going`: those that were listed, which knows how far they are."""
    found: list[dict[str, Any]] = []
    asked = page.turns()[:MANY]
    entries = {**service().lobby.found([one.match for one in asked if one.match not in going]), **going}
    for one in asked:
        entry = entries.get(one.match)
        if entry is None or entry.game not in service().catalogue.rooms:
            continue
        line = _line(entry, one) if len(found) < TOLD else ""
        found.append({**rows.row(entry), "due": one.due or "", "line": line, "waits": True})
    return found


def _line(entry: Entry, one: answers.Turn) -> str:
    try:
        return service().films.line(
            entry, one.seat, one.decision, page.lang(), lambda: service().views.look(entry.id, g.asker)
        )
    except UNTOLD:
        return ""


def _mine(wanted: Wanted) -> list[dict[str, Any]]:
    """The matches where they sit themselves, not those that they have opened for others."""
    found, _ = service().lobby.listed(g.asker, wanted, None)
    return _seated(found)


def _seated(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    return [one for one in rows.of_all(entries) if one["mine"] is not None]


def _invitations() -> list[dict[str, Any]]:
    """The seats that are kept for them."""
    found, _ = service().invitations.page(g.asker, MANY, None)
    return [
        {
            "match": one.match,
            "title": rows.title_of(one.game),
            "by": one.by and one.by.name,
            "at": one.created,
            "accepted": False,
        }
        for one in found
    ]


def _offers() -> list[dict[str, Any]]:
    """The seats of matches that go on that somebody would pass on to them."""
    return [
        {
            "match": one.match,
            "title": rows.title_of(one.game),
            "seat": one.seat,
            "by": one.by_name,
            "at": one.at,
            "accepted": one.accepted,
        }
        for one in service().offers.mine(g.asker)
    ]


def _asked() -> list[dict[str, Any]]:
    """The seats beside theirs that somebody would pass on, to which they are asked to agree."""
    return [
        {
            "match": one.match,
            "title": rows.title_of(one.game),
            "by": one.by_name,
            "to": shown.BOT_NAMES[page.lang()].format(bot=one.bot) if one.bot else one.player_name,
            "at": one.at,
        }
        for one in service().offers.asked(g.asker)
    ]


@blueprint.post("/matches/<string:match_id>/invitation")
def answer_invitation(match_id: str) -> Response:
    """Sit down on the seat that is kept for them, or have it kept no longer."""
    if _accepts():
        service().seats.accept(g.asker, match_id, forms.nonce(), once=page.once())
        return page.go(f"/matches/{match_id}")
    service().invitations.decline(g.asker, match_id, once=page.once())
    return page.go(page.back("/turns"))


@blueprint.post("/matches/<string:match_id>/offers/<int:seat>")
def answer_offer(match_id: str, seat: int) -> Response:
    """Take a seat that somebody passes on, as soon as the others agree, or don't."""
    if _accepts():
        service().offers.accept(g.asker, match_id, seat, once=page.once())
        return page.go(passing.where(match_id) or f"/matches/{match_id}")
    service().offers.decline(g.asker, match_id, seat, once=page.once())
    return page.go(page.back("/turns"))


def _accepts() -> bool:
    said = request.form.get("answer")
    if said not in {"accept", "decline"}:
        raise Malformed("malformed", names=("answer",))
    return said == "accept"
