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
"""Of the page: nothing is run, and nothing is asked for elsewhere."""

blueprint = Blueprint("describing", __name__, description="What clients are written against.")


def document(*typed: str) -> dict[str, Any]:
    """Return the app's document, with the shapes of the games of these slugs."""
    interface = current_app.extensions["interface"]
    found: dict[str, Any] = interface.document([room.game for room in service().catalogue.rooms.values()], typed)
    return found


def answered(told: dict[str, Any]) -> Response:
    """Return the document as JSON."""
    return Response(msgspec.json.encode(told), content_type="application/json")


@blueprint.route("/api/openapi.json")
class Document(MethodView):
    """The document."""

    @operation("getDocument")
    @blueprint.response(200, {"type": "object", "description": "OpenAPI 3.1."})
    def get(self) -> Response:
        """This document.

        It is what the code says that is running: the same as `openapi.yaml` of its release.
        """
        return answered(document())


@blueprint.route("/api/games/<string:game>/openapi.json")
class GameDocument(MethodView):
    """The document with what one game tells."""

    @operation("getGameDocument", problems={404: ("unknown-game",)})
    @blueprint.response(200, {"type": "object", "description": "OpenAPI 3.1."})
    def get(self, game: str) -> Response:
        """This document, for clients that play one game.

        It is the same document, but that the game's options, views, moves and events have their own shapes in it.
        """
        return answered(document(service().opener.room(game).game.slug))


@blueprint.route("/docs")
class Page(MethodView):
    """The document to read."""

    @operation("readDocument")
    @blueprint.response(200, {"type": "string"}, content_type="text/html")
    def get(self) -> Response:
        """This document as a page.

        It asks for nothing elsewhere, and runs no script.
        """
        answer = Response(page.rendered(document()), content_type="text/html; charset=utf-8")
        answer.headers["Content-Security-Policy"] = POLICY
        return answer


@blueprint.route("/docs/style.css")
class Style(MethodView):
    """How the page looks."""

    @operation("getStyle")
    @blueprint.response(200, {"type": "string"}, content_type="text/css")
    def get(self) -> Response:
        """How the page looks.

        A style sheet.
        """
        return Response(page.STYLE, content_type="text/css; charset=utf-8")
