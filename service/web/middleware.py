"""The WSGI middleware: gives each request an id and counts it, adds headers for browsers, and has it wait for news.

The headers keep browsers from taking answers for pages, storing them, or passing them on. Pages of other origins may
call the API only if the operator has named the origin (`FOLDTABLE_ORIGINS`). Cookies never count for them: such a page
must send a token.

A request that waits is answered by the app again when there may be news; nothing of it is kept meanwhile.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from threading import BoundedSemaphore
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

import structlog
from flask import has_request_context, request

from service.telemetry import logs, metrics

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    from service.web.waiting import Flow, Waiting
    from service.wiring import Service

REQUEST_ID = "X-Request-ID"

ID, ASKED, CALLER = "foldtable.request", "foldtable.asked", "foldtable.caller"
"""The keys in a request's environment for its id; for its route, and the match that it names; and for its connection,
which notices when the client closes it."""

WAITING, FLOW = "foldtable.waiting", "foldtable.flow"
"""The keys in a request's environment for what it waits for, and for the stream that is its answer."""

SANE = re.compile(r"[A-Za-z0-9._:-]{1,64}")
"""The ids of clients that are accepted, since they are logged as they come."""

UNASKED = "none", ""
"""The route of an unknown path. The path itself is never logged: it may be anything, even a token."""

FEW = 16
"""The most requests whose time is up that are answered at once, so that others are served between them."""

ANY = "*"
"""The setting for any origin."""

SECURITY = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
)
"""The headers of every answer, unless a page sets its own."""

METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
READ = "Authorization, Content-Type, Accept-Language, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-ID"
"""The headers of requests that pages of other origins may send."""

SHOWN = (
    "Allow, Content-Disposition, Content-Location, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After,"
    " WWW-Authenticate, X-Request-ID"
)
"""The headers of answers that pages of other origins may read."""

PREFLIGHT = (
    ("Access-Control-Allow-Methods", METHODS),
    ("Access-Control-Allow-Headers", READ),
    ("Access-Control-Max-Age", str(2 * 60 * 60)),  # the seconds for which a browser may keep this answer
)
"""The headers that answer a preflight request."""

Headers = list[tuple[str, str]]

logger = structlog.get_logger(__name__)


class Gone(Exception):
    """The client has closed the connection."""


class Middleware:
    """The middleware around the app. A request that waits is counted once, however often the app answers it."""

    def __init__(self, app: WSGIApplication, extensions: Mapping[str, Any]) -> None:
        """`extensions`: those of the Flask app, the service (`foldtable`) among them."""
        self._app = app
        self._extensions = extensions
        self._late = BoundedSemaphore(FEW)
        logs.about(about_request)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the app's answer with further headers; a preflight request is answered here."""
        begun, id = perf_counter(), request_id(environ.get("HTTP_X_REQUEST_ID"))
        environ[ID] = id
        here: Service | None = self._extensions["foldtable"]
        origins, origin = here.config.origins if here is not None else (), environ.get("HTTP_ORIGIN", "")
        more = allowed(origins, origin) if environ["PATH_INFO"].startswith("/api/") else []
        has_token = "HTTP_AUTHORIZATION" in environ or "HTTP_COOKIE" in environ

        def start(status: str, headers: Headers, *error: Any) -> Any:
            add(headers, status, has_token=has_token)
            headers += more
            if origins:
                vary(headers, "Origin")
            headers.append((REQUEST_ID, id))
            _count(environ, status[:3], perf_counter() - begun)
            return start_response(status, headers, *error)

        is_preflight = environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
        if is_preflight and more:
            start("204 No Content", [*PREFLIGHT])
            return []
        return self.last_answer(environ, start)

    def last_answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Have the app answer until the request need not wait. Returns that answer; a stream in place of its body.

        Raises:  Gone if the client has closed the connection.
        """
        try:
            while True:
                started: list[Any] = []
                waiting: Waiting | None = environ.get(WAITING)
                if waiting is not None:
                    # the app may answer without looking at the match
                    waiting.goes_on = False
                with self._late if waiting is not None and waiting.is_late else nullcontext():
                    body = self._answer(environ, lambda *args, started=started: started.extend(args))
                waiting = environ.get(WAITING)
                if waiting is None or not waiting.goes_on:
                    start_response(*started)
                    return body
                _close(body)
                del body, started
                seconds = waiting.end - monotonic()
                if (caller := environ.get(CALLER)) is not None:
                    caller.wait(waiting.bell, seconds)
                else:
                    waiting.bell.wait(seconds)
        finally:
            if WAITING in environ:
                environ[WAITING].bell.take_down()

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the app's body or the stream in its place; while it flows, nothing of the app's request is kept."""
        try:
            body = self._app(environ, start_response)
        except BaseException:
            if (flow := environ.pop(FLOW, None)) is not None:
                flow.close()
            raise
        stream: Flow | None = environ.pop(FLOW, None)
        if stream is None:
            return body
        _close(body)
        stream.caller, stream.environ = environ.get(CALLER), environ
        return stream


def _close(body: Iterable[bytes]) -> None:
    if (close := getattr(body, "close", None)) is not None:
        close()


def request_id(wanted: str | None) -> str:
    """Return the client's id if it is valid; else a random one, since numbers would show how many requests come."""
    return wanted if wanted and SANE.fullmatch(wanted) else os.urandom(8).hex()


def refused(status: int) -> str:
    """Count and log a request that was refused before it was complete. Returns the id for its answer."""
    new = request_id(None)
    metrics.answered(UNASKED[0], "other", str(status), None)
    if logs.tells_requests:
        logger.debug("a request was refused before it was complete", request=new, status=status)
    return new


def _count(environ: WSGIEnvironment, status: str, seconds: float) -> None:
    route, method = environ.get(ASKED, UNASKED)[0], environ["REQUEST_METHOD"]
    metrics.answered(route, method, status, None if "wait=" in environ.get("QUERY_STRING", "") else seconds)
    if logs.tells_requests:
        logger.debug("answered", **_about(environ), status=int(status), seconds=round(seconds, 6))


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


def allowed(origins: tuple[str, ...], origin: str) -> Headers:
    """Return the headers by which pages of this origin may read the answer; none if they may not."""
    if not origin or not (origin in origins or ANY in origins):
        return []
    return [("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", SHOWN)]


def add(headers: Headers, status: str, *, has_token: bool) -> None:
    """Add the headers for browsers that the answer does not have itself.

    Private answers may be stored only with an ETag, and are checked each time.
    """
    present = {name.lower() for name, _ in headers}
    headers += [header for header in SECURITY if header[0].lower() not in present]
    if "cache-control" in present:
        return
    if "etag" in present and status[0] in "23":
        kept = "private, no-cache" if has_token else "no-cache"
    else:
        kept = "no-store" if has_token or status[0] in "45" else "no-cache"
    headers.append(("Cache-Control", kept))


def vary(headers: Headers, name: str) -> None:
    """Add a header's name to Vary, since the answer depends on it."""
    for number, (key, value) in enumerate(headers):
        if key.lower() == "vary":
            headers[number] = key, f"{value}, {name}"
            return
    headers.append(("Vary", name))
