"""The page of a table: the match as the reader may see it, and forms for its deeds. With scripts it is drawn and
touched; without them it is text, and moves are chosen from a list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Response, g, request
from markupsafe import Markup

from domain import refusals
from domain.game import Refusal
from domain.matches import Status
from replays import words
from replays.table import MODULES
from service.matches import Choice, Look, shown
from service.problems import Problem, Unauthorized
from service.store import LINK, Entry
from service.talk import LENGTH, TalkPage
from service.web.pages import assets, forms, page, passing
from service.web.pages.words.passing import PASSING
from service.web.pages.words.table import SCRIPT, TABLE
from service.web.reply import LANGS, service

blueprint = page.blueprint("table", url_prefix="/matches/<string:match_id>")

TEXTS = {one: {**TABLE[one], **PASSING[one]} for one in LANGS}

RECENT = 40
"""The number of events beside the table."""

SAID = 50
"""The number of messages beside the table."""

LATEST = 2**53 - 1
"""A number above that of every message."""

TOLD = ("id", "status", "version", "seat", "decision", "scene")
"""The fields of a match that the script gets; everything else is in the page."""

OWN = (
    "api.js", "follow.js", "sse.js", "play.js", "hand.js", "input.js", "turn.js", "parts.js", "around.js",
    "attention.js", "log.js", "talk.js", "clocks.js", "wishes.js", "write.js", "evidence.js",
)  # fmt: skip
"""The modules of this page besides its first one."""

ASIDE = "match/DeadlineSet"
"""The event that the list leaves out, since deadlines are shown beside the players' names."""

OVER = (Status.FINISHED, Status.ABORTED)


@blueprint.get("")
def table(match_id: str) -> Response:
    """Show the match as the reader may see it now."""
    return at_table(match_id)


@blueprint.get("/moves")
def moves(match_id: str) -> Response:
    """Lead back to the table, if a browser loads the answer of a form again."""
    return page.go(f"/matches/{match_id}{linked()}")


@blueprint.post("/moves")
def move(match_id: str) -> Response:
    """Make a move from the list."""

    def make() -> None:
        choice = Choice(decision=forms.number("decision"), id=request.form.get("id", ""))
        service().playing.move(g.asker, match_id, choice, once=page.once())

    return done(match_id, make)


def done(match_id: str, deed: Callable[[], str | None]) -> Response:
    """Do the deed, and lead to the table or the page that it returns. If refused, show the table with the error."""
    try:
        where = deed()
    except Unauthorized:
        raise
    except Problem as error:
        return at_table(match_id, page.status_of(error), page.said_of(error))
    except Refusal as refusal:
        look = service().views.look(match_id, g.asker)
        sentence = refusals.say(look.log.game, refusal, page.lang())
        return at_table(match_id, 409, words.named(sentence, shown.names_of(look.entry, page.lang())))
    return page.go(where or f"/matches/{match_id}{linked()}")


def at_table(match_id: str, status: int = 200, wrong: str = "") -> Response:
    """Return the page of the match. `wrong`: the error of a deed that was refused."""
    look = service().views.look(match_id, g.asker)
    return page.shown("table.html.j2", TEXTS, status, wrong=wrong, **told(look))


def linked() -> str:
    """Return the query with the link by which the reader found the match; "" if there is none."""
    token = request.args.get("link")
    return f"?link={quote(token)}" if token else ""


def told(look: Look) -> dict[str, Any]:
    """Return what the page shows."""
    lang, game, entry = page.lang(), look.log.game, look.entry
    match = service().views.match(look, lang, scene=True)
    names = shown.names_of(entry, lang)
    after = max(0, look.state.version - RECENT)
    talk = heard(entry)
    return {
        "game": game,
        "title": game.title[lang],
        "names": names,
        "look": look,
        "match": match,
        "moves": shown.moves(look, lang),
        "recent": [each for each in service().views.events(look, after, RECENT, lang).events if each.type != ASIDE],
        "is_open": match.status == Status.OPEN,
        "is_over": match.status in OVER,
        "mine": entry.chairs[look.seat] if look.seat is not None else None,
        "kept": kept_for(entry),
        "link": linked(),
        "share": shared(entry),
        "places": ranked(match.result),
        "may_end": g.asker.player is not None and entry.creator == g.asker.player,
        "people": sum(chair.player is not None for chair in entry.chairs),
        "talk": talk,
        "passing": passing.told(look, names),
        "length": LENGTH,
        "typed": request.form.get("text", ""),
        "modules": [f"table/{name}" for name in MODULES] + list(OWN),
        "data": data(scripted(look, match, names, talk)),
    }


def ranked(result: Any) -> list[tuple[int, int]]:
    """Return places with their seats, the first place first; nothing if the match was not played to its end."""
    return sorted((place, seat) for seat, place in enumerate(result.ranking)) if result else []


def shared(entry: Entry) -> str:
    """Return the query that others need to find the match."""
    if entry.visibility != LINK or g.asker.player is None:
        return linked()
    return f"?link={quote(service().links.token(entry.id, g.asker))}"


def kept_for(entry: Entry) -> bool:
    """Return whether a seat is kept for the reader."""
    return bool(g.asker.player) and any(chair.reserved == g.asker.player for chair in entry.chairs)


def heard(entry: Entry) -> TalkPage | None:
    """Return the last messages at the table; None if the reader may not read them."""
    try:
        return service().talk.newest(entry.id, g.asker, LATEST, SAID)
    except Problem:
        return None


def scripted(look: Look, match: Any, names: tuple[str, ...], talk: TalkPage | None) -> dict[str, Any]:
    """Return the data for the page's script."""
    lang, game = page.lang(), look.log.game
    return {
        **{name: getattr(match, name) for name in TOLD},
        "me": g.asker.player,
        "names": names,
        "lang": lang,
        "game": {"slug": game.slug, "title": game.title, "palette": game.palette},
        "moves": shown.moves(look, lang).moves,
        "link": request.args.get("link"),
        "timed": match.clock is not None,
        "talk": None if talk is None else talk.since,
        "icons": [assets.address("icon.svg"), assets.address("icon-turn.svg")],
        "words": SCRIPT[lang],
    }


def data(value: Any) -> Markup:
    """Return the value as JSON for an element of the page; nothing in it can end the element."""
    encoded = msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("&", "\\u0026")
    return Markup(encoded)
