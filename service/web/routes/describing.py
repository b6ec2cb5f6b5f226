"""The contract itself: the document, and a page that shows it."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, current_app
from flask.views import MethodView

from service.web.blueprint import Blueprint
from service.web.contract import operation, page
from service.web.reply import service

POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The policy of the page, which runs no script and loads nothing from elsewhere."""

blueprint = Blueprint("describing", __name__, description="This document.")


def document(*typed: str) -> dict[str, Any]:
    """Return the app's document, with the schemas of these games."""
    interface = current_app.extensions["interface"]
    whole: dict[str, Any] = interface.document([room.game for room in service().catalogue.rooms.values()], typed)
    return whole


def answered(document: dict[str, Any]) -> Response:
    """Return the document as JSON."""
    return Response(msgspec.json.encode(document), content_type="application/json")


@blueprint.route("/api/openapi.json")
class Document(MethodView):
    """The document."""

    @operation("getDocument")
    @blueprint.response(200, {"type": "object", "description": "OpenAPI 3.1."})
    def get(self) -> Response:
        """Return this document.

        It is made from the running code, and is the same as `openapi.yaml` of its release.
        """
        return answered(document())


@blueprint.route("/api/games/<string:game>/openapi.json")
class GameDocument(MethodView):
    """The document with the schemas of one game."""

    @operation("getGameDocument", problems={404: ("unknown-game",)})
    @blueprint.response(200, {"type": "object", "description": "OpenAPI 3.1."})
    def get(self, game: str) -> Response:
        """Return this document for clients that play one game.

        It also contains the schemas of the game's options, views, moves and events.
        """
        return answered(document(service().opener.room(game).game.slug))


@blueprint.route("/docs")
class Page(MethodView):
    """The document as a page."""

    @operation("readDocument")
    @blueprint.response(200, {"type": "string"}, content_type="text/html")
    def get(self) -> Response:
        """Return this document as a page.

        It loads nothing from elsewhere, and runs no script.
        """
        answer = Response(page.rendered(document()), content_type="text/html; charset=utf-8")
        answer.headers["Content-Security-Policy"] = POLICY
        return answer


@blueprint.route("/docs/style.css")
class Style(MethodView):
    """The style sheet of the page."""

    @operation("getStyle")
    @blueprint.response(200, {"type": "string"}, content_type="text/css")
    def get(self) -> Response:
        """Return the style sheet of the page.

        It changes only with a release.
        """
        return Response(page.STYLE, content_type="text/css; charset=utf-8")
