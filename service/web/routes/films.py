"""Films: everything that is needed to replay a match, in one answer."""

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

blueprint = Blueprint("films", __name__, url_prefix="/api/matches/<string:match_id>", description="Replays.")


@blueprint.route("/film")
class Film(MethodView):
    """The film of a match."""

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
    @blueprint.response(304, description="It has not changed.", headers=("ETag",))
    def get(self, query: dict[str, Any], match_id: str) -> Response:
        """Return every event in words, with the scene after it, to replay the match.

        If the match is over, the film shows everything, or with `seat` what that seat saw, or with `nobody` what
        anybody saw. While the match runs, it shows what your seat, or anybody, has seen. A frame names its scene by the
        index in `reel.scenes`, a scene its zones in `reel.zones`, a zone its pieces in `reel.pieces`. Longer matches
        come in parts, by `after`.
        """
        here, seat = service(), query["seat"]
        look = here.views.look(match_id, asker(), seat, any_when_over=True)
        viewer = films.viewer_of(look, as_seat=seat is not None, as_nobody=query["nobody"])
        if query["after"] >= look.state.version:
            raise Unknown("unknown-version", match=match_id, head=look.state.version)
        tag = f"{query['after']}.{here.films.tag(look, viewer, lang())}"
        if request.if_none_match.contains_weak(tag):
            answer = Response(status=304)
        else:
            answer = _packed(here.films.packed(look, viewer, query["after"], lang()))
        answer.headers["Vary"] = f"{VARY}, Accept-Encoding"
        answer.set_etag(tag, weak=True)
        return answer


def _packed(film: bytes) -> Response:
    """Return the film as it is kept, compressed, or decompressed if the client does not accept that."""
    if not request.accept_encodings.quality("gzip"):
        return Response(gzip.decompress(film), content_type="application/json")
    return Response(film, content_type="application/json", headers={"Content-Encoding": "gzip"})
