"""The first page: what the service is, a running match, and the games, which can be played with one click."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
from flask import Response, abort, g

from domain.catalogue import Room
from domain.game import Refusal
from domain.matches import Status
from service import clock
from service.matches import shown as told
from service.problems import Problem
from service.store import Entry, Wanted
from service.web.pages import examples, games, page
from service.web.pages.table import data
from service.web.pages.words.games import GAMES
from service.web.pages.words.home import HOME
from service.web.reply import service

blueprint = page.blueprint("home")

LIVE = 12
"""The number of matches among which the page looks for one to show."""
FRESH = timedelta(minutes=10)
"""A match whose last move is older is not shown."""
KEPT = "public, max-age=3600"
"""Films may be cached: they are the same for everybody, and change only with the installed version."""

DRAWN = ("game", "match", "film", "names", "scene", "version", "seat")
"""The fields of the shown match that the page's script needs."""

TEXTS = {lang: {**GAMES[lang], **HOME[lang]} for lang in HOME}


@blueprint.get("/")
def home() -> Response:
    """Show the first page."""
    rooms = service().catalogue.rooms
    staged = watched() or filmed()
    return page.shown(
        "home.html.j2",
        TEXTS,
        rooms=[games.told(room) for room in rooms.values()],
        stage=staged,
        data=data({name: staged[name] for name in DRAWN}) if staged else "",
    )


@blueprint.get("/games/<string:slug>/film")
def film(slug: str) -> Response:
    """Return the scenes of a game's film for the page's script."""
    room = service().opener.room(slug)
    if not examples.has_film(room):
        abort(404)
    scenes = [figure.scene for figure in examples.film_of(room, page.lang())]
    answer = Response(msgspec.json.encode(scenes), content_type="application/json")
    answer.headers["Cache-Control"] = KEPT
    return answer


def watched() -> dict[str, Any] | None:
    """Return a running match of others, as the reader may see it; None if there is none."""
    playing, _ = service().lobby.listed(g.asker, Wanted(status=Status.PLAYING.value, limit=LIVE), None)
    since = clock.stamp(clock.now() - FRESH)
    fresh = [entry for entry in playing if (entry.moved or "") >= since and not _is_own(entry)]
    for entry in sorted(fresh, key=lambda entry: entry.moved or "", reverse=True):
        try:
            look = service().views.look(entry.id, g.asker)
            match = service().views.match(look, page.lang(), scene=True)
        except (Problem, Refusal):
            continue  # it has ended, or can't be seen any more, since it was listed
        return {
            "title": look.log.game.title[page.lang()],
            "game": examples.data_of(look.log.game),
            "match": entry.id,
            "film": "",
            "names": told.names_of(entry, page.lang()),
            "scene": match.scene,
            "text": match.text,
            "version": look.state.version,
            "seat": None,
        }
    return None


def _is_own(entry: Entry) -> bool:
    """Return whether the reader sits in the match."""
    me = page.me()
    return me is not None and any(chair.player == me.id for chair in entry.chairs)


def filmed() -> dict[str, Any] | None:
    """Return the film of the day's game; None if no game has a film."""
    rooms: list[Room] = [room for room in service().catalogue.rooms.values() if examples.has_film(room)]
    if not rooms:
        return None
    room = rooms[clock.now().toordinal() % len(rooms)]
    lang = page.lang()
    first = examples.film_of(room, lang)[0]
    return {
        "title": room.game.title[lang],
        "game": examples.data_of(room.game),
        "match": "",
        "film": f"/games/{room.game.slug}/film?lang={lang}",
        "version": 0,
        "names": [],
        "scene": first.scene,
        "text": first.text,
        "seat": first.seat,
    }
