"""What is due at a table, for its page's script: all that a move changes there and no event tells."""

from __future__ import annotations

import msgspec
from flask import Response, g, request

from service.matches import timing
from service.web.pages import page
from service.web.pages.words.table import TABLE
from service.web.reply import service

blueprint = page.blueprint("ticking")


@blueprint.get("/matches/<string:match_id>/due")
def due(match_id: str) -> Response:
    """Who has until when, as far as who looks may know."""
    look = service().views.look(match_id, g.asker)
    lang = page.lang()
    told = {"due": timing.deadlines_of(look), "said": TABLE[lang]["due"]}
    answer = Response(msgspec.json.encode(told), content_type="application/json")
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Vary"] = "Cookie, Accept-Language"
    answer.set_etag(f"due.{look.etag(lang)}", weak=True)
    answer.make_conditional(request)
    return answer
