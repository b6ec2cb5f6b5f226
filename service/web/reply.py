"""What every route needs: the service, who asks, in which language, and an answer in JSON."""

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
    """The request itself. Flask's `request` looks for it anew with each of its fields that is read, and every move
    passes through what reads many.
    """
    found: Request = request._get_current_object()  # type: ignore[attr-defined]  # Flask types it as what it stands for
    return found


def noted() -> _AppCtxGlobals:
    """What is noted about the request: `g` itself."""
    found: _AppCtxGlobals = g._get_current_object()
    return found


def service() -> Service:
    """The service that this app answers for."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # as above
    return cast(Service, app.extensions["foldtable"])


def asker() -> Asker:
    """Who asks."""
    return cast(Asker, noted().asker)


def reader() -> Asker:
    """Who asks, to be answered what they have just done: whichever scope allowed that, this is part of it."""
    return msgspec.structs.replace(asker(), scopes=asker().scopes | {READ})


def once() -> Once | None:
    """The request's key, if it has one."""
    return cast("Once | None", noted().get("once"))


def lang() -> Lang:
    """`?lang=` before Accept-Language before English. Raises Malformed for a language that is not spoken here."""
    about = noted()
    found: Lang | None = about.get("lang")
    if found is None:
        wanted = _wanted()
        if wanted is not None and wanted not in LANGS:
            raise Malformed("unknown-lang", lang=wanted, known=LANGS)
        found = about.lang = spoken()
    return found


def spoken() -> Lang:
    """The language of an error: as `lang` finds it, but one that is not spoken here counts as not wanted."""
    wanted = _wanted()
    return wanted if wanted in LANGS else preferred(asked().environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def _wanted() -> str | None:
    of = asked()
    return of.args.get("lang") if of.environ.get("QUERY_STRING") else None


@lru_cache(maxsize=1024)
def preferred(languages: str) -> Lang:
    """The language that an Accept-Language header would rather have than the others that are spoken here."""
    return parse_accept_header(languages, LanguageAccept).best_match(LANGS) or LANGS[0]


def parts_of(url: str) -> SplitResult:
    """Return the parts of a URL that somebody else has said; all of them are empty where it is none."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


class Told(Response):
    """An answer whose head is whole and whose body is a few bytes: it goes to the server as it is."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """See Flask; nothing is looked at twice where a body follows, and nothing leads elsewhere."""
        body = self.response
        is_plain = isinstance(body, list) and self.status_code == 200 and not self._on_close
        if not is_plain or environ["REQUEST_METHOD"] == "HEAD":
            return super().__call__(environ, start_response)
        start_response(self.status, list(self.headers))
        return cast(Iterable[bytes], body)


def reply(body: Any, status: int = 200, kind: str = "application/json") -> Response:
    """The answer in JSON."""
    said, headers = msgspec.json.encode(body), Headers()
    for name, value in (("Content-Type", kind), ("Content-Length", str(len(said))), ("Vary", VARY)):
        headers.add(name, value)
    return Told([said], status, headers)


def vary(answer: Response) -> Response:
    """Say that it depends on who asks, and in which language."""
    answer.headers["Vary"] = VARY
    return answer
