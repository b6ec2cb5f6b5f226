"""The parts that every route needs: Flask, the service, the asker, the language, what the request says, and answers.

A route is a function of a `Blueprint`, which declares the shapes of its request and answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import SplitResult, urlencode, urlsplit

import flask
import marshmallow
import msgspec
from flask import Flask, Request, Response, current_app, g, request
from flask.sessions import NullSession, SessionInterface
from werkzeug.datastructures import Headers, LanguageAccept, MultiDict
from werkzeug.http import parse_accept_header
from werkzeug.routing import MapAdapter, Rule

from domain.game import Lang
from domain.texts import LANGS
from service.accounts import READ, Asker
from service.problems import BadRequest, Malformed, malformed
from service.store import Once
from service.web.contract.operations import Success, is_paged, operation_of
from service.web.head import BODY
from service.wiring import Service

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask.ctx import _AppCtxGlobals

View = TypeVar("View", bound=Callable[..., Any])

VARY = "Authorization, Cookie, Accept, Accept-Language"
"""The headers on which answers depend, unless they say so themselves."""


def asked() -> Request:
    """Return the request itself. Flask's `request` looks it up again for each field that is read."""
    current: Request = request._get_current_object()  # type: ignore[attr-defined]  # Flask types the proxy as a request
    return current


def noted() -> _AppCtxGlobals:
    """Return `g` itself, which holds what is known about the request."""
    current: _AppCtxGlobals = g._get_current_object()
    return current


def service() -> Service:
    """Return the service of this app."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # as above
    return cast(Service, app.extensions["foldtable"])


def asker() -> Asker:
    """Return the asker."""
    return cast(Asker, noted().asker)


def reader() -> Asker:
    """Return the asker with the scope to read, since the answer to a deed shows the match, whatever its scope."""
    return msgspec.structs.replace(asker(), scopes=asker().scopes | {READ})


def origin() -> str:
    """Return the URL of the service, with no slash at its end: the operator's, or else that by which the asker came."""
    # to listen at 0.0.0.0 leads nobody anywhere
    return service().config.public_url or asked().host_url.rstrip("/")


def once() -> Once | None:
    """Return the request's key; None if it has none."""
    return cast("Once | None", noted().get("once"))


def lang() -> Lang:
    """Return the language of the answer: `?lang=`, else that of Accept-Language, else English. Raises Malformed."""
    about = noted()
    known: Lang | None = about.get("lang")
    if known is None:
        wanted = _wanted()
        if wanted is not None and wanted not in LANGS:
            raise Malformed("unknown-lang", lang=wanted, known=LANGS)
        known = about.lang = spoken()
    return known


def spoken() -> Lang:
    """Return the language of an error: that of `lang`, but an unknown `?lang=` is ignored."""
    wanted = _wanted()
    return wanted if wanted in LANGS else preferred(asked().environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def _wanted() -> str | None:
    of = asked()
    return of.args.get("lang") if of.environ.get("QUERY_STRING") else None


@lru_cache(maxsize=1024)
def preferred(languages: str) -> Lang:
    """Return the language that an Accept-Language header prefers among ours."""
    return parse_accept_header(languages, LanguageAccept).best_match(LANGS) or LANGS[0]


def parts_of(url: str) -> SplitResult:
    """Return the parts of a URL that a client has sent; all are empty if it is none."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


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


class Told(Response):
    """A small complete answer, which goes to the server as it is."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer as Flask does; for a plain answer with a body, without its checks."""
        body = self.response
        is_plain = isinstance(body, list) and self.status_code == 200 and not self._on_close
        if not is_plain or environ["REQUEST_METHOD"] == "HEAD":
            return super().__call__(environ, start_response)
        start_response(self.status, list(self.headers))
        return cast(Iterable[bytes], body)


def reply(body: Any, status: int = 200, kind: str = "application/json") -> Response:
    """Return an answer with the body in JSON."""
    data, headers = msgspec.json.encode(body), Headers()
    for name, value in (("Content-Type", kind), ("Content-Length", str(len(data))), ("Vary", VARY)):
        headers.add(name, value)
    return Told([data], status, headers)


def unkept(answer: Response) -> Response:
    """Return the answer with a header that forbids to store it."""
    answer.headers["Cache-Control"] = "no-store"
    return answer


def link_next(answer: Response, **changes: object) -> Response:
    """Return the answer with a link to the next page, whose query has these changes; None if there is no other page."""
    if None not in changes.values():
        query = urlencode({**request.args.to_dict(), **changes})
        answer.headers["Link"] = f'<{request.path}?{query}>; rel="next"'
    return answer


def tagged(tag: str, make: Callable[[], Response], *, weak: bool = False) -> Response:
    """Return the answer with this ETag; without its body if the request has it already."""
    answer = Response(status=304) if asked().if_none_match.contains_weak(tag) else make()
    answer.set_etag(tag, weak)
    return answer


class Blueprint(flask.Blueprint):
    """A Flask blueprint whose routes declare operations."""

    def __init__(self, name: str, about: str, url_prefix: str = "/api") -> None:
        super().__init__(name, __name__, url_prefix=url_prefix)
        self.about = about

    def operation(self, place: str, *answers: Success | int, **declared: Any) -> Callable[[View], View]:
        """Return a decorator that makes the function answer this method and path; its name is the operation's id.

        The function gets the parts of the path, and `query`, `headers` and `body` as their schemas read them; a schema
        without fields is only checked. It returns a struct, nothing, or an answer with headers of its own.

        Shape:   `answers`: those of `operation_of`; `declared`: the classes of schemas `query`, `headers`, and `body`
                 or `optional_body`, and other fields of `Operation`.
        Raises:  BadRequest, Malformed, during the request.
        """
        if is_optional := "optional_body" in declared:
            declared["body"] = declared.pop("optional_body")
        schemas: dict[str, Any] = {
            name: declared.pop(name)() for name in ("query", "headers", "body") if name in declared
        }
        method, _, path = place.partition(" ")

        def registered(function: View) -> View:
            name, rule = function.__name__, f"{self.url_prefix}{path}"
            known = {"tag": self.name, "method": method, "rule": rule, "is_body_optional": is_optional, **schemas}
            operation = operation_of(function, answers, **known, **declared)
            status, has_pages = operation.answers[0].status, is_paged(schemas.get("query"))

            @wraps(function)
            def view(**values: Any) -> Any:
                for name, schema in schemas.items():
                    part = load(schema, name)
                    if schema.fields:
                        values[name] = part
                body = function(**values)
                if isinstance(body, Response):
                    return body
                answer = Response(status=status) if body is None else reply(body, status)
                return link_next(answer, cursor=body.next) if has_pages else answer

            view.operation = operation  # type: ignore[attr-defined]  # a function may have any attribute
            self.add_url_rule(path, name, view, methods=[method])
            return function

        return registered


def load(schema: marshmallow.Schema, part: str) -> dict[str, Any]:
    """Return that part of the request as the schema reads it: its `query`, `headers` or `body`.

    Raises:  BadRequest; Malformed, with errors by field.
    """
    of = asked()
    try:
        if part == "body":
            body = of.get_data(cache=True)
            # the schema itself says what happens to unknown names
            values: dict[str, Any] = schema.load(parse(body) if body.strip() else {})
        elif part == "query":
            values = schema.load(_query(of.args, schema)) if of.query_string else dict(_no_query(schema))
        else:
            names = [field.data_key or name for name, field in schema.fields.items()]
            values = schema.load({name: of.headers[name] for name in names if name in of.headers})
    except marshmallow.ValidationError as error:
        raise _malformed(error, of, part) from error
    return values


@cache
def _no_query(schema: marshmallow.Schema) -> dict[str, Any]:
    """Return what no query means, as most requests have none. Raises ValidationError if something is required."""
    values: dict[str, Any] = schema.load({})
    return values


EVERYWHERE = frozenset({"lang", "link"})
"""What every query may have, so that clients can add it to all of them."""


def _query(given: MultiDict[str, str], schema: marshmallow.Schema) -> dict[str, str]:
    """Return the query's values. Raises ValidationError for a name twice: readers differ on which counts."""
    if twice := [name for name, values in given.lists() if len(values) > 1]:
        raise marshmallow.ValidationError({name: ["Given more than once."] for name in twice})
    return {name: value for name, value in given.items() if name in schema.fields or name not in EVERYWHERE}


def _malformed(error: marshmallow.ValidationError, of: Request, part: str) -> Malformed:
    if (before := once()) is not None:
        # a key that came before with another body is the first error, whatever else is wrong with this body
        service().front.is_repeat(before, (of.view_args or {}).get("match_id"))
    fields = by_field(error.normalized_messages())
    if not isinstance(fields, dict):
        fields = {"query" if part == "query" else "body": fields}
    if part == "query" and "lang" in fields:
        lang()  # raises the error that an unknown language has everywhere
    return malformed(fields)


def by_field(errors: Any) -> Any:
    """Return the errors by the names of fields; an error of an object as a whole stands in its place."""
    if not isinstance(errors, dict):
        return errors
    if errors.keys() == {marshmallow.exceptions.SCHEMA}:
        return errors[marshmallow.exceptions.SCHEMA]
    return {name: by_field(inner) for name, inner in errors.items()}


def _unique(pairs: list[tuple[str, Any]]) -> None:
    names = set()
    for name, _ in pairs:
        if name in names:
            raise ValueError(f"an object has the name {json.dumps(name, ensure_ascii=False)} twice")
        names.add(name)


def parse(body: bytes) -> Any:
    """Return the JSON value. Raises BadRequest, also for a name twice in an object: readers differ on which counts."""
    try:
        value = msgspec.json.decode(body)
        json.loads(body, object_pairs_hook=_unique, parse_int=str, parse_float=str)
        return value
    except RecursionError:
        raise BadRequest("too-deep") from None
    except ValueError as error:
        raise BadRequest("not-json", reason=str(error)) from error
