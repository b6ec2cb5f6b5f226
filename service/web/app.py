"""The app: its routes, its errors, and its OpenAPI document."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from threading import Lock
from typing import Any

import msgspec
from flask import Flask
from werkzeug.routing import IntegerConverter, Map

from domain.catalogue import Catalogue
from replays.files.format import ExportHeader
from service.streams import Item
from service.web import answers, askers, contract, errors, pages
from service.web.contract.operations import SAFE
from service.web.middleware import Middleware
from service.web.reply import App
from service.web.routes import (
    about,
    accounts,
    clocks,
    exports,
    games,
    matches,
    moves,
    notices,
    players,
    reviews,
    seats,
    talk,
)
from service.webhooks import MESSAGES
from service.wiring import Service

PARTS = (
    *(players.PLAYERS, players.SESSIONS, accounts.ACCOUNTS, players.PROFILES, players.HAPPENINGS, games.GAMES),
    *(matches.MATCHES, matches.LINKS, seats.INVITATIONS, moves.MOVES, moves.TRYING, clocks.ORDERS, moves.BOTS),
    *(clocks.CLOCKS, seats.LEAVING, clocks.PAUSING, matches.ABORT, matches.FORKS, matches.REMATCH, seats.OFFERS),
    *(exports.EXPORT, exports.FILMS, reviews.REVIEWS, about.KEYS, games.STATISTICS, notices.WEBHOOKS, notices.FEEDS),
    *(notices.MAIL, talk.TALK, about.HEALTH, about.DESCRIBING),
)
"""The blueprints of the API, in the order of the document."""

SENT: tuple[type[msgspec.Struct], ...] = (answers.Problem, ExportHeader, Item, *MESSAGES.values())
"""Structs that are part of the document although no route returns them."""


def document(app: Flask, typed: Collection[str] = (), catalogue: Catalogue | None = None) -> dict[str, Any]:
    """Return the app's OpenAPI document, which is made at the first call.

    Shape:   `typed`: the slugs of games whose options, views, moves and events get schemas; `catalogue`: all games, by
             default those of the service.
    """
    service: Service | None = app.extensions["foldtable"]
    catalogue = catalogue or (service.catalogue if service else Catalogue())
    made, key = app.extensions["documents"], (tuple(catalogue.rooms), tuple(typed))
    if key not in made:
        games = [room.game for room in catalogue.rooms.values()]
        made[key] = contract.document_of(app, SENT, games, [game for game in games if game.slug in typed])
    found: dict[str, Any] = made[key]
    return found


class Number(IntegerConverter):
    """A number in a path, up to the largest that all stores and readers of JSON know. Larger ones lead nowhere."""

    regex = rf"\d{{1,{len(str(SAFE))}}}"

    def __init__(self, map: Map, *args: Any, **more: Any) -> None:
        super().__init__(map, *args, **{"max": SAFE, **more})


# Only one app is made at a time: werkzeug parses Python source for each route, and before 3.11.8 Python counts the
# depth of parsing for all threads together, so that one of two threads may fail (python/cpython#106905).
_making = Lock()


def create_app(service: Service | None) -> Flask:
    """Return the app of the service, for any number of threads; with None, an app that only knows its routes."""
    with _making:
        return _made(service)


def _made(service: Service | None) -> Flask:
    app = App("foldtable")
    app.extensions["foldtable"] = service
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.url_map.converters["int"] = Number
    app.url_map.merge_slashes = False  # no redirects: a path with two slashes in a row is unknown
    app.before_request(askers.pass_gate)
    app.after_request(askers.finish)
    app.wsgi_app = Middleware(app.wsgi_app, app.extensions)  # type: ignore[method-assign]  # as Flask advises
    app.extensions |= {"documents": {}, "document": partial(document, app)}
    errors.register(app, pages.page.dress)
    for blueprint in (*pages.BLUEPRINTS, *PARTS):
        app.register_blueprint(blueprint)
    return app
