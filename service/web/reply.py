"""The parts that every route needs: the service, the asker, the language, and answers in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import SplitResult, urlsplit

import msgspec
from flask import Flask, Request, Response, current_app, g, request
from werkzeug.datastructures import Headers, LanguageAccept
from werkzeug.http import parse_accept_header

from domain.game import Lang
from service.accounts import READ, Asker
from service.problems import Malformed
from service.store import Once
from service.wiring import Service

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask.ctx import _AppCtxGlobals

LANGS: tuple[Lang, ...] = ("en", "ja")
VARY = "Authorization, Cookie, Accept, Accept-Language"


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


def vary(answer: Response) -> Response:
    """Return the answer with a Vary that says that it depends on asker and language."""
    answer.headers["Vary"] = VARY
    return answer
