"""The app: its routes, its errors, and the document that tells of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from threading import Lock
from typing import Any

import msgspec
from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface
from werkzeug.routing import IntegerConverter, Map, MapAdapter, Rule

from domain.catalogue import Catalogue
from domain.game import Game
from replays.files.format import ExportHeader
from service.streams import Item
from service.web import answers, contract, errors, inputs, middleware, pages, watching
from service.web.contract import paths
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
    feeds,
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
from service.webhooks import MESSAGES
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
    feeds,
    mail,
    talk,
    health,
)

SENT: tuple[type[msgspec.Struct], ...] = (
    answers.Problem,
    ExportHeader,
    Item,
    *(kind.message for kind in MESSAGES.values()),
)
"""Structs that stand in the document and are no route's answer."""


class Interface:
    """The OpenAPI document of an app."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._documents: dict[tuple[tuple[str, ...], tuple[str, ...]], dict[str, Any]] = {}
        """By the games that are at hand, and those whose shapes it tells."""

    def document(self, games: Sequence[Game[Any, Any, Any]], typed: Collection[str] = ()) -> dict[str, Any]:
        """Return the document. It is made when it is first asked for.

        Shape:   `games` may refuse moves by codes of their own; `typed` are the slugs of those whose options, views,
                 moves and events are told as shapes. Of the others the document says only that they are objects.
        """
        key = (tuple(game.slug for game in games), tuple(typed))
        if key not in self._documents:
            told = with_games(self.plain(), [game for game in games if game.slug in typed])
            self._documents[key] = contract.completed(self._app, told, games, contract.examples())
        return self._documents[key]

    def plain(self) -> dict[str, Any]:
        """Return the document as routes and shapes tell it, before games and the rest of the contract are put in."""
        return paths.told(self._app, SENT)


class NoSessions(SessionInterface):
    """The app has no sessions of Flask's: a browser's are tokens (`cookies`)."""

    def __init__(self) -> None:
        self._none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """The same for all: nothing can be written into it."""
        return self._none

    def is_null_session(self, obj: object) -> bool:
        """Whether it is that one, which is never stored."""
        return obj is self._none


class Number(IntegerConverter):
    """A number in a path: one that every store and every reader of JSON counts to. Any other leads nowhere."""

    regex = rf"\d{{1,{len(str(inputs.SAFE))}}}"

    def __init__(self, map: Map, *args: Any, **more: Any) -> None:
        super().__init__(map, *args, **{"max": inputs.SAFE, **more})


class Asked(Request):
    """A request; the door lets no larger one in, so that nobody need look that up."""

    max_content_length = middleware.BODY


OF_MATCH = "/api/matches/"


class Ways(MapAdapter):
    """Finds a request's route; of what is asked of a match it is known, whichever match that is.

    Nothing is remembered by the match: how soon an answer comes would tell that somebody else has asked the same.
    """

    known: dict[tuple[str, str], Rule]

    def match(self, *args: Any, **more: Any) -> Any:
        """See `MapAdapter.match`, which Flask asks for the rule."""
        path = self.path_info
        if not path.startswith(OF_MATCH) or args or more != {"return_rule": True}:
            return super().match(*args, **more)
        match_id, _, what = path.removeprefix(OF_MATCH).partition("/")
        fields: Mapping[str, Any] = {"match_id": match_id}
        rule = self.known.get((self.default_method, what))
        if rule is None:
            rule, found = super().match(return_rule=True)
            if what and found == fields:
                self.known[self.default_method, what] = rule
            fields = found
        elif not match_id:
            return super().match(return_rule=True)
        return rule, fields


class App(Flask):
    """Flask, without what is looked up anew for each request and is the same for all."""

    request_class = Asked
    session_interface = NoSessions()

    def __init__(self, name: str) -> None:
        super().__init__(name, static_folder=None)
        self._known: dict[tuple[str, str], Rule] = {}

    def make_response(self, rv: Any) -> Response:
        """Answer 204 for a route that returns nothing."""
        return Response(status=204) if rv is None else super().make_response(rv)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: none here is a coroutine's."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Finds the request's route by its path: no route depends on the host that was asked for."""
        if request is None:
            return super().create_url_adapter(request)
        # nobody is sent to another path of this map either, where the host would be told
        host, scheme, query = "", request.scheme, request.query_string.decode("latin-1")
        ways = Ways(self.url_map, host, request.root_path, "", scheme, request.path, request.method, query)
        ways.known = self._known
        return ways


# One app is made at a time: werkzeug parses source for each route, and Python before 3.11.8 counts the depth of what it
# parses for all threads together, so that two which do it at once fail by turns (python/cpython#106905).
_making = Lock()


def create_app(service: Service | None) -> Flask:
    """The app of that service, for as many threads as ask. Without one it only tells its routes."""
    with _making:
        return _made(service)


def _made(service: Service | None) -> Flask:
    app = App("foldtable")
    app.extensions["foldtable"] = service
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.url_map.converters["int"] = Number
    app.url_map.merge_slashes = False  # nobody is sent elsewhere: a path is one that is told, or there is nothing
    app.json.sort_keys = False  # type: ignore[attr-defined]  # of the default provider
    watching.register(app)
    middleware.register(app)
    app.wsgi_app = Flowing(app.wsgi_app)  # type: ignore[method-assign]
    app.wsgi_app = Patience(app.wsgi_app)  # type: ignore[method-assign]  # Flask's way to put something around it
    app.wsgi_app = Guarded(app.wsgi_app, lambda: origins_of(app))  # type: ignore[method-assign]
    app.wsgi_app = Watched(app.wsgi_app)  # type: ignore[method-assign]  # outermost: who waits is counted once
    app.extensions["interface"] = Interface(app)
    errors.register(app)
    pages.trouble.register(app)
    for blueprint in (*pages.BLUEPRINTS, *(part.blueprint for part in PARTS), describing.blueprint):
        app.register_blueprint(blueprint)
    return app


def origins_of(app: Flask) -> tuple[str, ...]:
    """Whose pages may ask the app's service."""
    service: Service | None = app.extensions["foldtable"]
    return service.config.origins if service is not None else ()


def document(app: Flask, typed: Collection[str] = ()) -> dict[str, Any]:
    """Return the app's OpenAPI document, with the shapes of the games of these slugs."""
    service: Service | None = app.extensions["foldtable"]
    catalogue = service.catalogue if service else Catalogue()
    interface: Interface = app.extensions["interface"]
    return interface.document([room.game for room in catalogue.rooms.values()], typed)
