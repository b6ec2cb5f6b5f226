"""The deadlines at a table, for its page's script, since not all of them are in events."""

from __future__ import annotations

import msgspec
from flask import Response, g, request

from service.matches import terms
from service.web.pages import page
from service.web.pages.words.table import TABLE
from service.web.reply import service

blueprint = page.blueprint("ticking")


@blueprint.get("/matches/<string:match_id>/due")
def due(match_id: str) -> Response:
    """Return the deadlines that the reader may know."""
    look = service().views.look(match_id, g.asker)
    lang = page.lang()
    body = {"due": terms.deadlines_of(look), "said": TABLE[lang]["due"]}
    answer = Response(msgspec.json.encode(body), content_type="application/json")
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Vary"] = "Cookie, Accept-Language"
    answer.set_etag(f"due.{look.etag(lang)}", weak=True)
    answer.make_conditional(request)
    return answer
