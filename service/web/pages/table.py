"""A table: what is seen of a match and what can be done there. With a script it is drawn and touched; without one it is
told as text, and moves are chosen from a list.
"""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, g, request
from markupsafe import Markup

from domain.matches import Status
from service.matches import Choice, Look, shown
from service.problems import Malformed
from service.web.pages import page
from service.web.pages.words.table import TABLE
from service.web.reply import service

blueprint = page.blueprint("table", url_prefix="/matches/<string:match_id>")

RECENT = 12
"""Events told beside the table."""


@blueprint.get("")
def table(match_id: str) -> Response:
    """The match as who looks may see it now."""
    look = service().views.look(match_id, g.asker)
    return page.shown("table.html.j2", TABLE, **told(look))


@blueprint.post("/moves")
def move(match_id: str) -> Response:
    """Make a move of the list."""
    said = request.form.get("decision", "")
    if not said.isascii() or not said.isdecimal() or len(said) > 15:
        raise Malformed("malformed", names=("decision",))
    choice = Choice(decision=int(said), id=request.form.get("id", ""), move=None)
    service().playing.move(match_id, g.asker, None, choice, None)
    return page.go(f"/matches/{match_id}")


def told(look: Look) -> dict[str, Any]:
    """What a page of a match is made of."""
    lang, game = page.lang(), look.log.game
    match = service().views.match(look, lang, scene=True)
    moves = shown.moves(look, lang)
    after = max(0, look.state.version - RECENT)
    recent = service().views.events(look, after, RECENT, lang)["events"]
    return {
        "game": game,
        "title": game.title[lang],
        "names": shown.names_of(look.entry, lang),
        "look": look,
        "match": match,
        "moves": moves,
        "recent": recent,
        "is_open": match["status"] == Status.OPEN,
        "is_over": look.state.is_over,
        "data": data({"match": match, "moves": moves, "seat": look.seat, "names": shown.names_of(look.entry, lang)}),
    }


def data(value: Any) -> Markup:
    """The value as JSON that can stand in a page: nothing in it ends the element."""
    encoded = msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("&", "\\u0026")
    return Markup(encoded)
