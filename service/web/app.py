"""The app: its routes, its errors, and its OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from threading import Lock
from typing import Any

import msgspec
from flask import Flask, Request
from flask.sessions import NullSession, SessionInterface
from werkzeug.routing import IntegerConverter, Map, MapAdapter, Rule

from domain.catalogue import Catalogue
from domain.game import Game
from replays.files.format import ExportHeader
from service.streams import Item
from service.web import answers, askers, contract, errors, pages
from service.web.contract.operations import SAFE
from service.web.head import BODY
from service.web.middleware import Middleware
from service.web.routes import about, accounts, clocks, exports, games, matches, moves, notices, players, seats, talk
from service.webhooks import MESSAGES
from service.wiring import Service

PARTS = (
    *(players.PLAYERS, players.SESSIONS, accounts.ACCOUNTS, players.PROFILES, players.HAPPENINGS, games.GAMES),
    *(matches.MATCHES, matches.LINKS, seats.INVITATIONS, moves.MOVES, moves.TRYING, clocks.ORDERS, moves.BOTS),
    *(clocks.CLOCKS, seats.LEAVING, clocks.PAUSING, matches.ABORT, matches.FORKS, matches.REMATCH, seats.OFFERS),
    *(exports.EXPORT, exports.FILMS, about.KEYS, games.STATISTICS, notices.WEBHOOKS, notices.FEEDS, notices.MAIL),
    *(talk.TALK, about.HEALTH, about.DESCRIBING),
)
"""The blueprints of the API, in the order of the document."""

SENT: tuple[type[msgspec.Struct], ...] = (
    answers.Problem,
    ExportHeader,
    Item,
    *MESSAGES.values(),
)
"""Structs that are part of the document although no route returns them."""


class Interface:
    """The OpenAPI document of an app."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._documents: dict[tuple[tuple[str, ...], tuple[str, ...]], dict[str, Any]] = {}
        """The documents by the slugs of all games, and of those whose shapes they contain."""

    def document(self, games: Sequence[Game[Any, Any, Any]], typed: Collection[str] = ()) -> dict[str, Any]:
        """Return the document, which is made at the first call.

        Shape:   `games`: all games, whose refusals have codes of their own; `typed`: the slugs of those whose options,
                 views, moves and events get schemas. For the other games the document only says that they are objects.
        """
        key = (tuple(game.slug for game in games), tuple(typed))
        if key not in self._documents:
            typed_document = contract.with_games(self.plain(), [game for game in games if game.slug in typed])
            self._documents[key] = contract.completed(self._app, typed_document, games, contract.examples())
        return self._documents[key]

    def plain(self) -> dict[str, Any]:
        """Return the document of routes and schemas, without games and the rest of the contract."""
        return contract.paths_of(self._app, SENT)


class NoSessions(SessionInterface):
    """Turns Flask's sessions off: browsers' sessions are tokens (`cookies`)."""

    def __init__(self) -> None:
        self._none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """Return an empty session, the same for all, which can't be changed."""
        return self._none

    def is_null_session(self, obj: object) -> bool:
        """Return whether it is the empty session, which Flask never stores."""
        return obj is self._none


class Number(IntegerConverter):
    """A number in a path, up to the largest that all stores and readers of JSON know. Larger ones lead nowhere."""

    regex = rf"\d{{1,{len(str(SAFE))}}}"

    def __init__(self, map: Map, *args: Any, **more: Any) -> None:
        super().__init__(map, *args, **{"max": SAFE, **more})


class Asked(Request):
    """A request. Its largest size is set here, since Flask would look it up anew for each request."""

    max_content_length = BODY


OF_MATCH = "/api/matches/"


class Ways(MapAdapter):
    """Finds a request's route, and keeps the routes of paths below a match, whatever the match is.

    Nothing is kept by match: the time of an answer would show that somebody else has sent the same request.
    """

    known: dict[tuple[str, str], Rule]

    def match(self, *args: Any, **more: Any) -> Any:
        """Return the rule and the path's values, as `MapAdapter.match` does."""
        path = self.path_info
        if not path.startswith(OF_MATCH) or args or more != {"return_rule": True}:
            return super().match(*args, **more)
        match_id, _, what = path.removeprefix(OF_MATCH).partition("/")
        fields: Mapping[str, Any] = {"match_id": match_id}
        rule = self.known.get((self.default_method, what))
        if rule is None:
            rule, values = super().match(return_rule=True)
            if what and values == fields:
                self.known[self.default_method, what] = rule
            fields = values
        elif not match_id:
            return super().match(return_rule=True)
        return rule, fields


class App(Flask):
    """Flask, without the work of each request that has the same result for all."""

    request_class = Asked
    session_interface = NoSessions()

    def __init__(self, name: str) -> None:
        super().__init__(name, static_folder=None)
        self._known: dict[tuple[str, str], Rule] = {}

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function itself, since none is a coroutine."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return what finds the request's route by its path alone, since no route depends on the host."""
        if request is None:
            return super().create_url_adapter(request)
        # the host is left empty: it is needed only in redirects, and this map has none
        host, scheme, query = "", request.scheme, request.query_string.decode("latin-1")
        ways = Ways(self.url_map, host, request.root_path, "", scheme, request.path, request.method, query)
        ways.known = self._known
        return ways


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
    app.json.sort_keys = False  # type: ignore[attr-defined]  # of the default provider
    askers.register(app)
    app.wsgi_app = Middleware(app.wsgi_app, app.extensions)  # type: ignore[method-assign]  # as Flask advises
    app.extensions["interface"] = Interface(app)
    errors.register(app, pages.page.dress)
    app.extensions["operations"] = {}
    for blueprint in (*pages.BLUEPRINTS, *PARTS):
        app.register_blueprint(blueprint)
    return app


def document(app: Flask, typed: Collection[str] = ()) -> dict[str, Any]:
    """Return the app's OpenAPI document, with the shapes of the games of these slugs."""
    service: Service | None = app.extensions["foldtable"]
    catalogue = service.catalogue if service else Catalogue()
    interface: Interface = app.extensions["interface"]
    return interface.document([room.game for room in catalogue.rooms.values()], typed)
