"""A match to be replayed: all that was seen of it, in one answer."""

from __future__ import annotations

import gzip
from typing import Any

from flask import Response, request
from flask.views import MethodView

from service.accounts import BOT, PLAY, READ
from service.matches import films
from service.problems import Unknown
from service.web import film_inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import VARY, asker, lang, service

blueprint = Blueprint("films", __name__, url_prefix="/api/matches/<string:match_id>", description="How it went.")


@blueprint.route("/film")
class Film(MethodView):
    """The whole match."""

    @operation(
        "getFilm",
        READ,
        PLAY,
        BOT,
        is_open=True,
        problems={403: ("not-your-seat",), 404: ("unknown-seat", "unknown-version")},
    )
    @blueprint.arguments(film_inputs.FilmQuery(), location="query")
    @blueprint.response(200, films.Film, headers=("ETag", "Content-Encoding"))
    @blueprint.response(304, description="It is as you know it.", headers=("ETag",))
    def get(self, said: dict[str, Any], match_id: str) -> Response:
        """Every event in words, and the scene after each: what is needed to replay the match.

        Of a match that is over all there was, or with `seat` what that seat saw, or with `nobody` what anybody saw;
        while it runs what your seat has seen, or anybody. A frame names its scene by its place in `reel.scenes`, a
        scene its zones in `reel.zones`, a zone its pieces in `reel.pieces`. Longer matches come in parts, by `after`.
        """
        here, seat = service(), said["seat"]
        look = here.views.look(match_id, asker(), seat, any_when_over=True)
        viewer = films.viewer_of(look, as_seat=seat is not None, as_nobody=said["nobody"])
        if said["after"] >= look.state.version:
            raise Unknown("unknown-version", match=match_id, head=look.state.version)
        tag = f"{said['after']}.{here.films.tag(look, viewer, lang())}"
        if request.if_none_match.contains_weak(tag):
            answer = Response(status=304)
        else:
            answer = _packed(here.films.packed(look, viewer, said["after"], lang()))
        answer.headers["Vary"] = f"{VARY}, Accept-Encoding"
        answer.set_etag(tag, weak=True)
        return answer


def _packed(film: bytes) -> Response:
    """The film as it is kept, for who can unpack it."""
    if not request.accept_encodings.quality("gzip"):
        return Response(gzip.decompress(film), content_type="application/json")
    return Response(film, content_type="application/json", headers={"Content-Encoding": "gzip"})
