"""The app: its routes, its errors, and the document that tells of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from threading import Lock
from typing import Any

from flask import Flask, Request
from flask_smorest import Api
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from domain.catalogue import Catalogue
from domain.game import Game
from service.web import answers, contract, errors, middleware, pages, sent_answers, watching
from service.web.flowing import Flowing
from service.web.game_document import with_games
from service.web.guarding import Guarded
from service.web.routes import (
    abort,
    accounts,
    bots,
    clocks,
    describing,
    export,
    films,
    forks,
    games,
    happenings,
    health,
    invitations,
    keys,
    leaving,
    links,
    mail,
    matches,
    moves,
    offers,
    orders,
    pausing,
    players,
    profiles,
    rematch,
    sessions,
    statistics,
    talk,
    trying,
    webhooks,
)
from service.web.waiting import Patience
from service.web.watching import Watched
from service.wiring import Service

PARTS = (
    players,
    sessions,
    accounts,
    profiles,
    happenings,
    games,
    matches,
    links,
    invitations,
    moves,
    trying,
    orders,
    bots,
    clocks,
    leaving,
    pausing,
    abort,
    forks,
    rematch,
    offers,
    export,
    films,
    keys,
    statistics,
    webhooks,
    mail,
    talk,
    health,
)

VERSION = "1"
"""Of the interface: it grows, and never shrinks."""


class Interface(Api):  # type: ignore[misc]  # flask-smorest has no types
    """Collects the OpenAPI document; errors are told in our own way."""

    ERROR_SCHEMA = answers.Problem

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        for name, shape in sent_answers.SHAPES.items():
            self.spec.components.schema(name, schema=shape)
        self._documents: dict[tuple[str, ...], dict[str, Any]] = {}
        """By the games that it tells of."""

    def document(self, games: Sequence[Game[Any, Any, Any]]) -> dict[str, Any]:
        """The document, with what is told beside the routes and by these games; made when it is first asked for."""
        slugs = tuple(game.slug for game in games)
        if slugs not in self._documents:
            plain = deepcopy(self.spec.to_dict())  # some of it belongs to the shapes
            shapes = {name: key[0] for key, name in self.ma_plugin.converter.refs.items()}
            contract.describe(plain, shapes)
            told = with_games(plain, games)
            self._documents[slugs] = contract.completed(self._app, told, games, contract.examples())
        return self._documents[slugs]

    def handle_http_exception(self, error: HTTPException) -> Any:
        """Flask's own errors."""
        return errors.of_flask(error)


class App(Flask):
    """Flask, without what is looked up anew for each request and is the same for all."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: none here is a coroutine's."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Finds the request's route by its path: no route depends on the host that was asked for."""
        if request is None:
            return super().create_url_adapter(request)
        host, scheme, query = request.host, request.scheme, request.query_string.decode("latin-1")
        return MapAdapter(self.url_map, host, request.root_path, "", scheme, request.path, request.method, query)


# One app is made at a time: werkzeug parses source for each route, and Python before 3.11.8 counts the depth of what it
# parses for all threads together, so that two which do it at once fail by turns (python/cpython#106905).
_making = Lock()


def create_app(service: Service | None) -> Flask:
    """The app of that service, for as many threads as ask. Without one it only tells its routes."""
    with _making:
        return _made(service)


def _made(service: Service | None) -> Flask:
    app = App("foldtable", static_folder=None)
    app.extensions["foldtable"] = service
    app.config.update(
        API_TITLE="foldtable",
        API_VERSION=VERSION,
        OPENAPI_VERSION="3.1.0",
        PROPAGATE_EXCEPTIONS=False,
    )
    app.url_map.merge_slashes = False  # nobody is sent elsewhere: a path is one that is told, or there is nothing
    app.json.sort_keys = False  # type: ignore[attr-defined]  # of the default provider
    watching.register(app)
    middleware.register(app)
    app.wsgi_app = Flowing(app.wsgi_app)  # type: ignore[method-assign]
    app.wsgi_app = Patience(app.wsgi_app)  # type: ignore[method-assign]  # Flask's way to put something around it
    app.wsgi_app = Guarded(app.wsgi_app, lambda: origins_of(app))  # type: ignore[method-assign]
    app.wsgi_app = Watched(app.wsgi_app)  # type: ignore[method-assign]  # outermost: who waits is counted once
    interface = Interface(app)
    errors.register(app)
    pages.trouble.register(app)
    for shown in pages.BLUEPRINTS:
        app.register_blueprint(shown)
    for part in PARTS:
        interface.register_blueprint(part.blueprint)
    interface.register_blueprint(describing.blueprint)
    return app


def origins_of(app: Flask) -> tuple[str, ...]:
    """Whose pages may ask the app's service."""
    service: Service | None = app.extensions["foldtable"]
    return service.config.origins if service is not None else ()


def document(app: Flask) -> dict[str, Any]:
    """The app's OpenAPI document, with what the games tell that are at hand."""
    service: Service | None = app.extensions["foldtable"]
    catalogue = service.catalogue if service else Catalogue()
    interface: Interface = app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    return interface.document([room.game for room in catalogue.rooms.values()])
