"""The page of a player's turns: matches that wait for them, the soonest deadline first, their other matches,
invitations and offers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Response, g, request

from domain.matches import Status
from events.codec import UnknownEvent, Unreadable
from replays.log import OtherRules, UnknownMatch
from service.matches import answers, shown
from service.problems import Malformed, Problem
from service.store import Entry, Wanted
from service.web.pages import forms, lobby, page, table
from service.web.reply import service

blueprint = page.blueprint("turns")

TEXTS = page.texts_of("rows", "turns")

MANY = 50
"""The most matches of each kind."""

TOLD = 20
"""The number of turns for which the page shows what is going on."""

UNTOLD = (Problem, OtherRules, UnknownMatch, Unreadable, UnknownEvent)
"""The errors after which the page does not show what is going on in a match."""


@blueprint.get("/turns")
def turns() -> Response:
    """Show the reader's turns."""
    page.own()
    going, _ = service().lobby.listed(g.asker, Wanted(mine=True, status=Status.PLAYING, limit=MANY), None)
    waiting = _waiting({entry.id: entry for entry in going})
    there = {row["id"] for row in waiting}
    return page.shown(
        "turns.html.j2",
        TEXTS,
        asked=waiting,
        playing=[row for row in _seated(going) if row["id"] not in there],
        begun=_mine(status=Status.OPEN, limit=MANY),
        over=_mine(since="0", limit=5),
        invitations=service().invitations.page(g.asker, MANY, None)[0],
        offers=service().offers.mine(g.asker),
        asked_to_agree=service().offers.asked(g.asker),
        title_of=lobby.title_of,
        bot_name=shown.BOT_NAMES[page.lang()],
    )


def _waiting(going: dict[str, Entry]) -> list[dict[str, Any]]:
    """Return the matches in which it is the reader's turn, as rows. `going`: matches that were read already, by id."""
    waiting: list[dict[str, Any]] = []
    asked = page.turns()[:MANY]
    entries = {**service().lobby.found([turn.match for turn in asked if turn.match not in going]), **going}
    for turn in asked:
        for row in lobby.rows_of([entries[turn.match]] if turn.match in entries else []):
            line = _line(entries[turn.match], turn) if len(waiting) < TOLD else ""
            waiting.append({**row, "due": turn.due or "", "line": line, "waits": True})
    return waiting


def _line(entry: Entry, turn: answers.Turn) -> str:
    try:
        return service().films.line(
            entry, turn.seat, turn.decision, page.lang(), lambda: service().views.look(entry.id, g.asker)
        )
    except UNTOLD:
        return ""


def _mine(**wanted: Any) -> list[dict[str, Any]]:
    return _seated(service().lobby.listed(g.asker, Wanted(mine=True, **wanted), None)[0])


def _seated(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return the matches in which the reader sits as rows, without those that they have only opened."""
    return [row for row in lobby.rows_of(entries) if row["mine"] is not None]


@blueprint.post("/matches/<string:match_id>/invitation")
def answer_invitation(match_id: str) -> Response:
    """Accept or decline an invitation."""
    if _accepts():
        service().seats.accept(g.asker, match_id, forms.nonce(), once=page.once())
        return page.go(f"/matches/{match_id}")
    service().invitations.decline(g.asker, match_id, once=page.once())
    return page.go(page.back("/turns"))


@blueprint.post("/matches/<string:match_id>/offers/<int:seat>")
def answer_offer(match_id: str, seat: int) -> Response:
    """Accept or decline an offer."""
    if _accepts():
        service().offers.accept(g.asker, match_id, seat, once=page.once())
        return page.go(table.where(match_id) or f"/matches/{match_id}")
    service().offers.decline(g.asker, match_id, seat, once=page.once())
    return page.go(page.back("/turns"))


def _accepts() -> bool:
    value = request.form.get("answer")
    if value not in {"accept", "decline"}:
        raise Malformed("malformed", names=("answer",))
    return value == "accept"
