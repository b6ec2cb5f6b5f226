"""The pages of a player: their turns, with their other matches, invitations and offers; and their profile."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from flask import Response, g, request

from domain.matches import Status
from service.problems import left_out
from service.store import Entry, Wanted
from service.web.pages import lobby, page
from service.web.reply import service

blueprint = page.blueprint("people")

TURNS = page.texts_of("rows", "turns")
PROFILE = page.texts_of("rows", "people")

MANY = 50
"""The most matches of each kind among a player's own."""

OVER, PLAYING = 20, 8
"""The most finished and running matches of a profile."""

TOLD = 20
"""The number of turns for which the page shows what is going on."""


@blueprint.get("/turns")
def turns() -> Response:
    """Show the reader's turns."""
    page.own()
    going, _ = service().lobby.listed(g.asker, Wanted(mine=True, status=Status.PLAYING, limit=MANY), None)
    waiting = _waiting({entry.id: entry for entry in going})
    there = {row["id"] for row in waiting}
    return page.shown(
        "turns.html.j2",
        TURNS,
        asked=waiting,
        playing=[row for row in _seated(going) if row["id"] not in there],
        begun=_mine(status=Status.OPEN, limit=MANY),
        over=_mine(since="0", limit=5),
        invitations=service().seats.invited(g.asker, MANY, None)[0],
        offers=service().offers.mine(g.asker),
        asked_to_agree=service().offers.asked(g.asker),
    )


def _waiting(going: dict[str, Entry]) -> list[dict[str, Any]]:
    """Return the matches in which it is the reader's turn, as rows. `going`: matches that were read already, by id."""
    waiting: list[dict[str, Any]] = []
    asked = page.turns()[:MANY]
    entries = {**service().lobby.found([turn.match for turn in asked if turn.match not in going]), **going}
    for turn in asked:
        for row in lobby.rows_of([entries[turn.match]] if turn.match in entries else []):
            line, look = "", partial(service().views.look, turn.match, g.asker)
            if len(waiting) < TOLD:
                with left_out():
                    line = service().films.line(entries[turn.match], turn.seat, turn.decision, page.lang(), look)
            waiting.append({**row, "due": turn.due or "", "line": line, "waits": True})
    return waiting


def _mine(**wanted: Any) -> list[dict[str, Any]]:
    return _seated(service().lobby.listed(g.asker, Wanted(mine=True, **wanted), None)[0])


def _seated(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return the matches in which the reader sits as rows, without those that they have only opened."""
    return [row for row in lobby.rows_of(entries) if row["mine"] is not None]


@blueprint.get("/players/<string:player_id>")
def profile(player_id: str) -> Response:
    """Show a player."""
    player = service().accounts.find(player_id)
    is_later = bool(request.args.get("cursor"))
    over, more = lobby.leafed(Wanted(player=player.id, status=Status.FINISHED, limit=OVER))
    going = Wanted(player=player.id, status=Status.PLAYING, limit=PLAYING)
    playing = () if is_later else service().lobby.listed(g.asker, going, None)[0]
    return page.shown(
        "player.html.j2",
        PROFILE,
        player=player,
        owner=service().profiles.owner(player),
        results=service().statistics.of_player(player.id),
        rivals=service().profiles.rivals(player),
        over=lobby.rows_of(over),
        playing=lobby.rows_of(playing),
        more=f"/players/{player.id}?{urlencode({'cursor': more})}" if more else "",
        is_later=is_later,
    )
