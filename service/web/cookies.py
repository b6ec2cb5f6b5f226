"""Sessions of browsers: the token lies in a cookie that no script reads, and nobody else's page can use it.

What changes something is taken from a cookie only if the page that asks is the service's own (`Origin`), and if it
repeats what only that could have read (`X-CSRF-Token`, as GET and POST /api/sessions tell it).
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, request

from service.ids import digest
from service.problems import Forbidden
from service.signing import NotOurs
from service.web.reply import noted, parts_of, service

HEADER = "X-CSRF-Token"


def token() -> str | None:
    """The token in the request's cookie, if it has one."""
    return request.cookies.get(_name()) or None


def csrf(session: str, form: str | int = 1) -> str:
    """Return what the session's own pages repeat: scripts always the same, and each form one that tells its key."""
    return service().signer.sign(f"csrf:{digest(session)}", form)


def check(session: str) -> None:
    """Raises Forbidden unless it is the session's own page that asks."""
    check_origin()
    form_of(session, request.headers.get(HEADER, ""))


def form_of(session: str, said: str) -> str | int:
    """Return the key of the form that repeats this. Raises Forbidden for what the session's own pages don't have."""
    try:
        found: str | int = service().signer.read(f"csrf:{digest(session)}", said)
    except NotOurs:
        raise Forbidden("csrf-token-missing") from None
    return found


def check_origin() -> None:
    """Raises Forbidden where another site's page had the browser ask."""
    origin = request.headers.get("Origin")
    if origin is None:
        return
    if origin != _origin(service().config.address) and parts_of(origin).netloc != request.host:
        raise Forbidden("other-origin")


def give(answer: Response, session: str, seconds: int) -> None:
    """Have the browser keep the token."""
    answer.set_cookie(_name(), session, max_age=seconds, path="/", secure=_is_secure(), httponly=True, samesite="Lax")


def take_away(answer: Response) -> None:
    """Have the browser forget it."""
    answer.delete_cookie(_name(), path="/", secure=_is_secure(), httponly=True, samesite="Lax")


def tidy(answer: Response) -> Response:
    """Have the browser forget a cookie that is nobody's, unless it was given another one."""
    if noted().get("is_cookie_stale") and "Set-Cookie" not in answer.headers:
        take_away(answer)
    return answer


def _is_secure() -> bool:
    return service().config.address.startswith("https:")


def _name() -> str:
    # a browser takes the prefix for a promise that no other host and no plain connection has set it
    return "__Host-foldtable" if _is_secure() else "foldtable"


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
