"""Around the app: each request has an id, which its answer and its log lines tell, and is counted by its route."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

import structlog
from flask import Flask, has_request_context, request

from service.telemetry import logs, metrics
from service.web.reply import asked

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEADER = "X-Request-ID"

ID = "foldtable.request"
"""In a request's environment: its id."""

ASKED = "foldtable.asked"
"""In a request's environment: the route that it found, and the match that it names."""

BEGUN = "foldtable.begun"
"""In a request's environment: when it came, by the clock that measures."""

SANE = re.compile(r"[A-Za-z0-9._:-]{1,64}")
"""What another's id may be: it is told in logs as it came."""

UNASKED = "none", ""
"""The route of a path that leads nowhere. The path itself is told nowhere: it may be anything, a token too."""

logger = structlog.get_logger(__name__)


class Watched:
    """Around the app and what waits in it: one request is counted once, however often it is asked again."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The answer, with the request's id."""
        if ID not in environ:
            environ[ID] = request_id(environ.get("HTTP_X_REQUEST_ID"))
            environ[BEGUN] = perf_counter()

        def told(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            headers.append((HEADER, environ[ID]))
            _count(environ, status[:3])
            return start_response(status, headers, *error)

        return self._app(environ, told)


def register(app: Flask) -> None:
    """Have requests tell by which route they came, whatever refuses them."""
    app.before_request(note)
    logs.about(about_request)


def request_id(said: str | None) -> str:
    """Another's id, if it is sane; else one of our own, drawn: of counted ones two would tell how many came between."""
    return said if said and SANE.fullmatch(said) else os.urandom(8).hex()


def refused(status: int) -> str:
    """Count a request that was not read to its end: the id that its answer and its log line tell."""
    found = request_id(None)
    metrics.answered(UNASKED[0], "other", str(status), None)
    if logs.tells_requests():
        logger.debug("refused at the door", request=found, status=status)
    return found


def note() -> None:
    """Note what the request asks for: Flask forgets it before the answer is on its way."""
    of = asked()
    if of.url_rule is not None:
        match = (of.view_args or {}).get("match_id", "")
        of.environ[ASKED] = template(of.url_rule.rule), match


def _count(environ: WSGIEnvironment, status: str) -> None:
    seconds = perf_counter() - environ[BEGUN]
    route, method = environ.get(ASKED, UNASKED)[0], environ["REQUEST_METHOD"]
    metrics.answered(route, method, status, None if "wait=" in environ.get("QUERY_STRING", "") else seconds)
    if logs.tells_requests():
        logger.debug("answered", **_about(environ), status=int(status), seconds=round(seconds, 6))


_templates: dict[str, str] = {}


def template(rule: str) -> str:
    """The route as the document tells it."""
    told = _templates.get(rule)
    if told is None:
        told = _templates[rule] = re.sub(r"<(?:[^:>]*:)?([^>]*)>", r"{\1}", rule)
    return told


def about_request() -> Mapping[str, object]:
    """For log lines: which request is being answered, and of which match."""
    return _about(request.environ) if has_request_context() else {}


def _about(environ: Mapping[str, Any]) -> dict[str, object]:
    route, match = environ.get(ASKED, UNASKED)
    method = environ["REQUEST_METHOD"]
    told: dict[str, object] = {
        "request": environ.get(ID, ""),
        "method": method if method in metrics.METHODS else "other",
        "route": route,
    }
    return {**told, "match": match} if logs.is_id(match) else told
