"""The first page: what this is, a table that is being played, and the games, each a click from being played."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from domain.matches import Status
from service.matches import shown as told
from service.store import Entry, Wanted
from service.web.pages import page
from service.web.pages.words.home import HOME
from service.web.reply import service

blueprint = page.blueprint("home")

LIVE = 6
"""Matches among which the first page looks for one to show."""


@blueprint.get("/")
def home() -> Response:
    """What this is."""
    playing, _ = service().lobby.listed(g.asker, wanted(Status.PLAYING.value, LIVE), None)
    return page.shown(
        "home.html.j2",
        HOME,
        games=[room.game for room in service().catalogue.rooms.values()],
        live=[live(entry) for entry in playing[:1]],
    )


def wanted(status: str | None = None, limit: int = 20, **more: Any) -> Wanted:
    """Matches as the lobby lists them."""
    return Wanted(status=status, limit=limit, **more)


def live(entry: Entry) -> dict[str, Any]:
    """A match as pages show it: whose it is and how far it is."""
    lang = page.lang()
    game = service().catalogue.rooms[entry.game].game
    names = told.names_of(entry, lang)
    return {"entry": entry, "title": game.title[lang], "names": names, "moves": entry.moves or 0}
