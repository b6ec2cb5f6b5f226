"""Middleware that adds headers for browsers, so that they don't take answers for pages, store them, or pass them on.

Pages of other origins may call the API only if the operator has named the origin (`FOLDTABLE_ORIGINS`). Cookies never
count for them: such a page must send a token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

ANY = "*"
"""The setting for any origin."""

SECURITY = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
)
"""The headers of every answer, unless a page sets its own."""

METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
ASKED = "Authorization, Content-Type, Accept-Language, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-ID"
TOLD = "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Content-Disposition, X-Request-ID"
HOURS = str(2 * 60 * 60)
"""The seconds for which a browser may keep the answer to a preflight request."""

Headers = list[tuple[str, str]]


class Guarded:
    """The middleware."""

    def __init__(self, app: WSGIApplication, origins: Callable[[], tuple[str, ...]]) -> None:
        """`origins` returns the origins whose pages may call the API."""
        self._app = app
        self._origins = origins

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the app's answer with the headers; a preflight request is answered here."""
        origins, origin = self._origins(), environ.get("HTTP_ORIGIN", "")
        more = allowed(origins, origin) if environ["PATH_INFO"].startswith("/api/") else []
        has_token = "HTTP_AUTHORIZATION" in environ or "HTTP_COOKIE" in environ

        def start(status: str, headers: Headers, *error: Any) -> Any:
            add(headers, status, has_token=has_token)
            headers += more
            if origins:
                vary(headers, "Origin")
            return start_response(status, headers, *error)

        is_preflight = environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
        if is_preflight and more:
            start("204 No Content", preflight())
            return []
        return self._app(environ, start)


def allowed(origins: tuple[str, ...], origin: str) -> Headers:
    """Return the headers by which pages of this origin may read the answer; none if they may not."""
    if not origin or not (origin in origins or ANY in origins):
        return []
    return [("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", TOLD)]


def preflight() -> Headers:
    """Return the headers that answer a preflight request: allowed methods and headers."""
    return [
        ("Access-Control-Allow-Methods", METHODS),
        ("Access-Control-Allow-Headers", ASKED),
        ("Access-Control-Max-Age", HOURS),
    ]


def add(headers: Headers, status: str, *, has_token: bool) -> None:
    """Add the headers that the answer does not have itself."""
    present = {name.lower() for name, _ in headers}
    headers += [header for header in SECURITY if header[0].lower() not in present]
    if "cache-control" not in present:
        headers.append(("Cache-Control", kept("etag" in present, status, has_token=has_token)))


def kept(has_tag: bool, status: str, *, has_token: bool) -> str:
    """Return the Cache-Control of an answer: private answers are stored only with an ETag, and checked each time."""
    if has_tag and status[0] in "23":
        return "private, no-cache" if has_token else "no-cache"
    return "no-store" if has_token or status[0] in "45" else "no-cache"


def vary(headers: Headers, name: str) -> None:
    """Add a header's name to Vary, since the answer depends on it."""
    for number, (key, value) in enumerate(headers):
        if key.lower() == "vary":
            headers[number] = key, f"{value}, {name}"
            return
    headers.append(("Vary", name))
