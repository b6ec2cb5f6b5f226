"""What every route needs: the service, who asks, in which language, and an answer in JSON."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import msgspec
from flask import Response, current_app, g, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from domain.game import Lang
from service.accounts import READ, Asker
from service.problems import Malformed
from service.store import Once
from service.wiring import Service

LANGS: tuple[Lang, ...] = ("en", "ja")
VARY = "Authorization, Cookie, Accept, Accept-Language"


def service() -> Service:
    """The service that this app answers for."""
    return cast(Service, current_app.extensions["foldtable"])


def asker() -> Asker:
    """Who asks."""
    return cast(Asker, g.asker)


def reader() -> Asker:
    """Who asks, to be answered what they have just done: whichever scope allowed that, this is part of it."""
    return msgspec.structs.replace(asker(), scopes=asker().scopes | {READ})


def once() -> Once | None:
    """The request's key, if it has one."""
    return cast("Once | None", g.get("once"))


def lang() -> Lang:
    """`?lang=` before Accept-Language before English. Raises Malformed for a language that is not spoken here."""
    found: Lang | None = g.get("lang")
    if found is None:
        wanted = _wanted()
        if wanted is not None and wanted not in LANGS:
            raise Malformed("unknown-lang", lang=wanted, known=LANGS)
        found = g.lang = spoken()
    return found


def spoken() -> Lang:
    """The language of an error: as `lang` finds it, but one that is not spoken here counts as not wanted."""
    wanted = _wanted()
    return wanted if wanted in LANGS else preferred(request.environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def _wanted() -> str | None:
    return request.args.get("lang") if request.environ.get("QUERY_STRING") else None


@lru_cache(maxsize=1024)
def preferred(languages: str) -> Lang:
    """The language that an Accept-Language header would rather have than the others that are spoken here."""
    return parse_accept_header(languages, LanguageAccept).best_match(LANGS) or LANGS[0]


def reply(body: Any, status: int = 200, kind: str = "application/json") -> Response:
    """The answer in JSON."""
    return Response(msgspec.json.encode(body), status, {"Vary": VARY}, content_type=kind)


def vary(answer: Response) -> Response:
    """Say that it depends on who asks, and in which language."""
    answer.headers["Vary"] = VARY
    return answer
