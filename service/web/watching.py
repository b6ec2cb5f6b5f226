"""Middleware that gives each request an id, which is in its answer and log lines, and counts it by its route."""

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
"""The key in a request's environment for its id."""

ASKED = "foldtable.asked"
"""The key in a request's environment for its route, and the match that it names."""

BEGUN = "foldtable.begun"
"""The key in a request's environment for its beginning, by the performance counter."""

SANE = re.compile(r"[A-Za-z0-9._:-]{1,64}")
"""The ids of clients that are accepted, since they are logged as they come."""

UNASKED = "none", ""
"""The route of an unknown path. The path itself is never logged: it may be anything, even a token."""

logger = structlog.get_logger(__name__)


class Watched:
    """The middleware. It is around the waiting, so that a request is counted once, however often the app answers it."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the app's answer, with the request's id in a header."""
        if ID not in environ:
            environ[ID] = request_id(environ.get("HTTP_X_REQUEST_ID"))
            environ[BEGUN] = perf_counter()

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            headers.append((HEADER, environ[ID]))
            _count(environ, status[:3])
            return start_response(status, headers, *error)

        return self._app(environ, start)


def register(app: Flask) -> None:
    """Have each request's route noted before anything can refuse it."""
    app.before_request(note)
    logs.about(about_request)


def request_id(wanted: str | None) -> str:
    """Return the client's id if it is sane; else a random one, since numbers would show how many requests come."""
    return wanted if wanted and SANE.fullmatch(wanted) else os.urandom(8).hex()


def refused(status: int) -> str:
    """Count and log a request that was refused before it was complete. Returns the id for its answer."""
    new = request_id(None)
    metrics.answered(UNASKED[0], "other", str(status), None)
    if logs.tells_requests():
        logger.debug("a request was refused before it was complete", request=new, status=status)
    return new


def note() -> None:
    """Note the request's route and match, which Flask forgets before the answer is sent."""
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
    """Return the route in the document's form."""
    path = _templates.get(rule)
    if path is None:
        path = _templates[rule] = re.sub(r"<(?:[^:>]*:)?([^>]*)>", r"{\1}", rule)
    return path


def about_request() -> Mapping[str, object]:
    """Return the fields of log lines that name the present request and its match; none outside of requests."""
    return _about(request.environ) if has_request_context() else {}


def _about(environ: Mapping[str, Any]) -> dict[str, object]:
    route, match = environ.get(ASKED, UNASKED)
    method = environ["REQUEST_METHOD"]
    fields: dict[str, object] = {
        "request": environ.get(ID, ""),
        "method": method if method in metrics.METHODS else "other",
        "route": route,
    }
    return {**fields, "match": match} if logs.is_id(match) else fields
