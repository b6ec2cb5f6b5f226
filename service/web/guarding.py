"""Around the app: what answers say to browsers, so that none takes them for a page, keeps them, or hands them on.

Pages of other origins may ask only where the operator has named these (`FOLDTABLE_ORIGINS`). No cookie ever counts for
them: who asks brings a token, which a page has only if it was given one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

ANY = "*"
"""Of origins: whoever asks."""

SECURITY = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
)
"""On every answer, unless a page says something else of itself."""

METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
ASKED = "Authorization, Content-Type, Accept-Language, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-ID"
TOLD = "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Content-Disposition, X-Request-ID"
HOURS = str(2 * 60 * 60)
"""Seconds for which a browser need not ask again whether it may."""

Headers = list[tuple[str, str]]


class Guarded:
    """The app, with such headers."""

    def __init__(self, app: WSGIApplication, origins: Callable[[], tuple[str, ...]]) -> None:
        """`origins`: whose pages may ask."""
        self._app = app
        self._origins = origins

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The answer; a browser that asks whether a page may ask is answered here."""
        origins, origin = self._origins(), environ.get("HTTP_ORIGIN", "")
        more = allowed(origins, origin) if environ["PATH_INFO"].startswith("/api/") else []
        has_token = "HTTP_AUTHORIZATION" in environ or "HTTP_COOKIE" in environ

        def told(status: str, headers: Headers, *error: Any) -> Any:
            add(headers, status, has_token=has_token)
            headers += more
            if origins:
                vary(headers, "Origin")
            return start_response(status, headers, *error)

        is_preflight = environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
        if is_preflight and more:
            told("204 No Content", preflight())
            return []
        return self._app(environ, told)


def allowed(origins: tuple[str, ...], origin: str) -> Headers:
    """What tells a browser that a page of that origin may read the answer; nothing if it may not."""
    if not origin or not (origin in origins or ANY in origins):
        return []
    return [("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", TOLD)]


def preflight() -> Headers:
    """What a page that may ask may ask."""
    return [
        ("Access-Control-Allow-Methods", METHODS),
        ("Access-Control-Allow-Headers", ASKED),
        ("Access-Control-Max-Age", HOURS),
    ]


def add(headers: Headers, status: str, *, has_token: bool) -> None:
    """Say it, where the answer does not say it itself."""
    said = {name.lower() for name, _ in headers}
    headers += [one for one in SECURITY if one[0].lower() not in said]
    if "cache-control" not in said:
        headers.append(("Cache-Control", kept("etag" in said, status, has_token=has_token)))


def kept(has_tag: bool, status: str, *, has_token: bool) -> str:
    """Who may keep an answer: nobody what was told to somebody alone, but to ask whether it is still so by its ETag."""
    if has_tag and status[0] in "23":
        return "private, no-cache" if has_token else "no-cache"
    return "no-store" if has_token or status[0] in "45" else "no-cache"


def vary(headers: Headers, name: str) -> None:
    """Say that the answer depends on that header too."""
    for number, (one, value) in enumerate(headers):
        if one.lower() == "vary":
            headers[number] = one, f"{value}, {name}"
            return
    headers.append(("Vary", name))
