"""Sessions of browsers: the token is in a cookie that no script can read and no other site's page can use.

A request with a cookie that changes something must come from the service's own page (`Origin`), and contain a value
that only such a page can read (`X-CSRF-Token`, which GET and POST /api/sessions return).
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, request

from service.problems import Forbidden
from service.signing import NotOurs, digest
from service.web.reply import noted, parts_of, service

HEADER = "X-CSRF-Token"


def token() -> str | None:
    """Return the token in the request's cookie; None if there is none."""
    return request.cookies.get(_name()) or None


def csrf(session: str, form: str | int = 1) -> str:
    """Return the value that the session's own pages send back: one for scripts, and one for each form's key."""
    return service().signer.sign(f"csrf:{digest(session)}", form)


def check(session: str) -> None:
    """Raise Forbidden unless the request comes from the session's own page."""
    check_origin()
    form_of(session, request.headers.get(HEADER, ""))


def form_of(session: str, value: str) -> str | int:
    """Return the form's key from the value of `csrf`. Raises Forbidden for any other value."""
    try:
        key: str | int = service().signer.read(f"csrf:{digest(session)}", value)
    except NotOurs:
        raise Forbidden("csrf-token-missing") from None
    return key


def check_origin() -> None:
    """Raise Forbidden if the request comes from another site's page."""
    origin = request.headers.get("Origin")
    if origin is None:
        return
    if origin != _origin(service().config.address) and parts_of(origin).netloc != request.host:
        raise Forbidden("other-origin")


def give(answer: Response, session: str, seconds: int) -> None:
    """Set the cookie with the token."""
    answer.set_cookie(_name(), session, max_age=seconds, path="/", secure=_is_secure(), httponly=True, samesite="Lax")


def take_away(answer: Response) -> None:
    """Delete the cookie."""
    answer.delete_cookie(_name(), path="/", secure=_is_secure(), httponly=True, samesite="Lax")


def tidy(answer: Response) -> Response:
    """Delete the cookie if nobody has its token, unless the answer sets another one."""
    if noted().get("is_cookie_stale") and "Set-Cookie" not in answer.headers:
        take_away(answer)
    return answer


def _is_secure() -> bool:
    return service().config.address.startswith("https:")


def _name() -> str:
    # the prefix has browsers refuse a cookie that another host or a plain connection has set
    return "__Host-foldtable" if _is_secure() else "foldtable"


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
