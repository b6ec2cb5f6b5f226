"""The service itself: its health, its public keys, and the contract."""

from __future__ import annotations

import msgspec
from flask import Response, current_app

from events.receipts import Keys
from service import health
from service.problems import Unready
from service.web.answers import Health
from service.web.contract import Success
from service.web.pages import assets, docs, page
from service.web.reply import Blueprint, service

OPENAPI = Success(200, {"type": "object", "description": "OpenAPI 3.1."})

DESCRIBING = Blueprint("describing", "This document.", "")
KEYS = Blueprint("keys", "Keys.")
HEALTH = Blueprint("health", "Health checks.", "")


def document(*typed: str) -> Response:
    """Return the app's document as JSON, with the schemas of these games."""
    whole = current_app.extensions["document"](typed)
    return Response(msgspec.json.encode(whole), content_type="application/json")


@DESCRIBING.operation("GET /api/openapi.json", OPENAPI)
def get_document() -> Response:
    """Return this document.

    It is made from the running code, and is the same as `openapi.yaml` of its release.
    """
    return document()


@DESCRIBING.operation("GET /api/games/<game>/openapi.json", OPENAPI)
def get_game_document(game: str) -> Response:
    """Return this document for clients that play one game.

    It also contains the schemas of the game's options, views, moves and events.
    """
    return document(service().opener.room(game).game.slug)


@DESCRIBING.operation("GET /docs", Success(200, {"type": "string"}, kind="text/html"))
def read_document() -> Response:
    """Return this document as a page.

    It loads nothing from elsewhere, and works without scripts.
    """
    return page.know() or docs.contents()


@DESCRIBING.operation("GET /docs/style.css", Success(200, {"type": "string"}, kind="text/css"))
def get_style() -> Response:
    """Return the style sheet of the page.

    It changes only with a release.
    """
    return Response(assets.files()["docs.css"], content_type="text/css; charset=utf-8")


@KEYS.operation("GET /keys")
def list_keys() -> Keys:
    """List all keys that have signed receipts, the oldest first; the last one signs now.

    Compare them with the keys in a match's file.
    """
    return Keys(service().keyring.keys)


@HEALTH.operation("GET /healthz")
def get_health() -> Health:
    """Answer 200 if the process runs.

    This does not use the store or the queue.
    """
    return Health("ok")


@HEALTH.operation("GET /readyz", problems={503: ("not-ready", "redis-away", "stopping", "store-replaced")})
def get_readiness() -> Health:
    """Answer 200 if the service can read and write its store, reaches its queue, and is not stopping.

    It was tried within the last seconds. `wrong` in the problem names all faults.
    """
    wrong = service().health.wrong()
    if health.STOPPING in wrong:
        raise Unready("stopping", more={"wrong": wrong})
    if health.REPLACED in wrong:
        raise Unready("store-replaced", more={"wrong": wrong})
    if {health.STORE, health.KEYS} & {*wrong}:
        raise Unready("not-ready", more={"wrong": wrong})
    if wrong:
        raise Unready("redis-away", more={"wrong": wrong})
    return Health("ready")
