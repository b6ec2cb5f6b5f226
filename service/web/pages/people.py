"""The page of a player, for everybody: results, opponents and matches."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, g, request

from domain.matches import Status
from service.matches import shown
from service.store import Wanted
from service.web.pages import lobby, page
from service.web.reply import service

blueprint = page.blueprint("people")

TEXTS = page.texts_of("rows", "people")

MANY, FEW = 20, 8
"""The most finished and running matches on the page."""


@blueprint.get("/players/<string:player_id>")
def profile(player_id: str) -> Response:
    """Show a player."""
    player = service().accounts.find(player_id)
    is_later = bool(request.args.get("cursor"))
    over, more = lobby.leafed(Wanted(player=player.id, status=Status.FINISHED, limit=MANY))
    going = Wanted(player=player.id, status=Status.PLAYING, limit=FEW)
    playing = () if is_later else service().lobby.listed(g.asker, going, None)[0]
    looker = page.me()
    return page.shown(
        "player.html.j2",
        TEXTS,
        player={"id": player.id, "name": player.name, "kind": player.kind, "since": player.created},
        owner=service().profiles.owner(player),
        is_me=looker is not None and looker.id == player.id,
        results=service().statistics.of_player(player.id),
        title_of=lobby.title_of,
        rivals=_rivals(player),
        over=lobby.rows_of(over),
        playing=lobby.rows_of(playing),
        more=f"/players/{player.id}?{urlencode({'cursor': more})}" if more else "",
        is_later=is_later,
    )


def _rivals(player: Any) -> list[dict[str, Any]]:
    """Return the player's opponents, without erased accounts."""
    rivals = []
    for rival in service().profiles.rivals(player):
        who = rival.player
        if who is None:
            name = shown.BOT_NAMES[page.lang()].format(bot=rival.bot)
            rivals.append({"name": name, "href": "", "matches": rival.matches})
        elif who.name:
            rivals.append({"name": who.name, "href": f"/players/{who.id}", "matches": rival.matches})
    return rivals
