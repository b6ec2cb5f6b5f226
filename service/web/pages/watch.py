"""A table to watch, also embedded in other sites, and the picture that a link to it shows."""

from __future__ import annotations

from typing import Any

import msgspec
import structlog
from flask import Response, abort, g, request

from replays.table.picture import NotDrawn, picture
from service.accounts import STRANGER, Asker
from service.matches import Look, films, shown
from service.problems import Unknown, Unready
from service.store import PUBLIC
from service.web.pages import page
from service.web.pages.table import data
from service.web.pages.words.watch import WATCH
from service.web.reply import LANGS, service

blueprint = page.blueprint("watch")

logger = structlog.get_logger(__name__)

MINUTE = "public, max-age=60"


@blueprint.get("/watch/<string:match_id>")
def watch(match_id: str) -> Response:
    """Show the table live, as anybody sees it, with nothing around it."""
    look = service().views.look(match_id, _anybody())
    lang, game = page.lang(), look.log.game
    match = service().views.match(look, lang, scene=True)
    names = shown.names_of(look.entry, lang)
    fields: dict[str, Any] = {
        "match": match.id,
        "version": match.version,
        "scene": films.seen_by_anybody(look, lang),
        "names": names,
        "link": request.args.get("link"),
        "lang": lang,
        "game": {"slug": game.slug, "title": game.title, "palette": game.palette},
    }
    return page.shown(
        "watch.html.j2",
        WATCH,
        is_embedded=True,
        title=game.title[lang],
        names=names,
        match=match,
        line=fields["scene"].line if fields["scene"] else WATCH[lang]["not-begun"],
        data=data(fields),
    )


@blueprint.get("/matches/<string:match_id>/picture.png")
def png(match_id: str) -> Response:
    """Return a picture of a public match, as anybody sees it."""
    look = service().views.look(match_id, STRANGER)
    if look.entry.visibility != PUBLIC:
        abort(404)
    if not service().films.easel.is_at_hand:
        raise Unknown("no-pictures")
    lang = request.args.get("lang") if request.args.get("lang") in LANGS else page.lang()
    drawn = service().films.pictured(look, lang or "en", lambda: _drawn(look, lang or "en"))
    answer = Response(drawn, content_type="image/png")
    answer.headers["Cache-Control"] = MINUTE
    answer.set_etag(service().films.tag(look, None, lang or "en"), weak=True)
    answer.make_conditional(request)
    return answer


def _anybody() -> Asker:
    """Return a stranger with the request's link: an embedded page shows only what anybody may see."""
    return msgspec.structs.replace(STRANGER, link=g.asker.link)


def _drawn(look: Look, lang: str) -> bytes:
    """Return the picture. Raises Unready."""
    game = look.log.game
    scene, names = films.seen_by_anybody(look, lang), shown.names_of(look.entry, lang)
    svg = picture(scene, game.title[lang], names, game.palette, lang)
    try:
        return service().films.easel.drawn(svg)
    except NotDrawn as error:
        logger.warning("no picture was drawn", match=look.log.id, reason=str(error))
        raise Unready("not-drawn") from error
