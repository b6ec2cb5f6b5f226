"""Who asks: every request passes these checks before its route. Its size, asker, limits and key are found here.

A browser's token is in a cookie that no script can read and no other site's page can use. A request with a cookie that
changes something must come from the service's own page (`Origin`), and contain a value that only such a page can read
(`X-CSRF-Token`, which GET and POST /api/sessions return).
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import msgspec
from flask import Request, Response, current_app, g, request

from service.deeds import OF_PLAYERS, STRANGER, Asker, judge, whom
from service.limits import Asking, Caller
from service.problems import Forbidden, Malformed, Unauthorized, Unsupported
from service.signing import NotOurs, digest
from service.store import Once, idempotency
from service.web.contract.operations import Operation, template
from service.web.middleware import ASKED
from service.web.reply import VARY, asked, lang, noted, parts_of, service
from service.wiring import Service

if TYPE_CHECKING:
    from flask.ctx import _AppCtxGlobals

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods that change nothing."""

SECRET = {"players", "sessions", "accounts"}
"""Blueprints whose bodies may contain passwords."""

FORMS = frozenset({"mail.ask_unsubscribe", "mail.unsubscribe"})
"""Routes to which mail programs and browsers send forms. Neither the form nor the asker is read."""

KEY = re.compile(r"[\x21-\x7e]{1,255}")

CSRF = "X-CSRF-Token"

SIGNS = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")
"""The headers that proxies add, by their WSGI names. Only the first is used, and only from a trusted proxy."""


def pass_gate() -> None:
    """Find out who asks, and the request's key, and refuse a request that can't be read. Raises Problems."""
    of, about, here = asked(), noted(), service()
    endpoint, environ, rule, method = of.endpoint, of.environ, of.url_rule, of.method
    if rule is not None:
        # for the log and the metrics, since Flask forgets the route before the answer is sent
        environ[ASKED] = template(rule.rule), (of.view_args or {}).get("match_id", "")
    about.asker, about.caller = STRANGER, _caller(of, here)
    if not of.path.startswith("/api/"):
        return
    about.asker = (STRANGER if endpoint in FORMS else _asker(of, about, here)).counted(about.caller)
    is_change = method not in SAFE
    if (body := of.get_data(cache=True) if is_change else b"") and about.asker.site is not None:
        # counted before any check, since the bytes were sent in any case
        here.limits.count_body(whom(about.asker), len(body))
    operation: Operation | None = getattr(current_app.view_functions.get(endpoint or ""), "operation", None)
    if operation is not None and (not operation.is_open or about.asker.player):
        judge(about.asker, operation.scopes, is_players=not OF_PLAYERS.isdisjoint(operation.scopes))
    if (link := of.args.get("link") if environ.get("QUERY_STRING") else None) is not None:
        about.asker = msgspec.structs.replace(about.asker, link=here.links.read(link))
    if not is_change:
        return
    lang()  # an unknown language is refused before anything is done
    if body and (packed := environ.get("HTTP_CONTENT_ENCODING", "").strip()).lower() not in {"", "identity"}:
        raise Unsupported("encoded-body", encoding=packed[:64])
    if body and not of.is_json and endpoint not in FORMS:
        raise Unsupported("no-json-body")
    if method == "POST" and (key := environ.get("HTTP_IDEMPOTENCY_KEY")) is not None:
        about.once = _once(key, body)
    # the answer says what is left of the limits that the deed counts
    about.counted = operation.deed.limits if operation is not None and operation.deed is not None else ()


def _once(key: str, body: bytes) -> Once:
    """Return the request's key, with what a repeated request must have too. Raises Malformed."""
    if not KEY.fullmatch(key):
        raise Malformed("malformed-idempotency-key")
    of, about = asked(), noted()
    owner = about.asker.player or f"stranger at {about.caller.address}"
    # a password in the body must not be guessable from the stored digest, so it is signed first
    content = service().signer.sign("body", digest(body)).encode() if of.blueprint in SECRET else body
    return idempotency.once(owner, f"{of.method} {of.path}", key, content)


def finish(answer: Response) -> Response:
    """Add what is left of the limits that counted the request (draft-ietf-httpapi-ratelimit-headers-11), and Vary.

    A page that was refused also gets its Retry-After. The cookie is set, or is deleted if nobody has its token.
    """
    about = noted()
    answer.headers.setdefault("Vary", VARY)  # most have it already: to find that it is missing takes longer
    if (again := about.get("again")) is not None:
        answer.headers["Retry-After"] = again
    if (names := about.get("counted")) and about.asker.site is not None:
        standings = service().limits.standings(names, whom(about.asker))
        policies = (f'"{each.rate.id}";q={each.rate.most};w={each.rate.seconds}' for each in standings)
        left = (f'"{each.rate.id}";r={each.left};t={each.full_in}' for each in standings)
        answer.headers["RateLimit-Policy"], answer.headers["RateLimit"] = ", ".join(policies), ", ".join(left)
    if (kept := about.get("kept")) is not None:
        answer.set_cookie(_name(), **kept, secure=_is_secure(), httponly=True, samesite="Lax")
    elif about.get("is_cookie_stale"):
        answer.delete_cookie(_name(), secure=_is_secure(), httponly=True, samesite="Lax")
    return answer


# The token


def _asker(of: Request, about: _AppCtxGlobals, here: Service) -> Asker:
    """Return the asker.

    Raises:  Unauthorized; TooMany if too many tokens were guessed; Forbidden if another site's page sent the request.
    """
    header: str | None = of.environ.get("HTTP_AUTHORIZATION")
    if header is None and cookie() is not None:
        who = looker()
        if (session := about.get("session")) and of.method not in SAFE:
            check_origin()
            form_of(session, of.headers.get(CSRF, ""))
        return who
    try:
        return here.accounts.asker(_token(header))
    except Unauthorized as error:
        if error.code == "unknown-token":
            here.front.count_guess(STRANGER.counted(about.caller))
        raise


def looker() -> Asker:
    """Return the asker with the browser's cookie; a stranger if its session is over: it is sent until it is deleted.

    Raises:  TooMany if too many cookies were guessed.
    """
    if (kept := cookie()) is None:
        return STRANGER
    try:
        who = service().accounts.in_browser(kept)
    except Unauthorized as error:
        if error.code == "unknown-token":
            service().front.count_guess(counted(STRANGER))
        g.is_cookie_stale = True
        return STRANGER
    g.session = kept
    return who


def token_said() -> str:
    """Return the request's token, from its cookie or header; "" if there is none."""
    return cast(str, g.get("session")) or _token(asked().environ.get("HTTP_AUTHORIZATION")) or ""


def _token(header: str | None) -> str | None:
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("unknown-token")
    return token.strip()


# By whom a request is counted; deeds count themselves


def counted(who: Asker) -> Asker:
    """Return the asker with the address by which limits count them, if they are counted."""
    return who.counted(noted().caller)


def _caller(of: Request, here: Service) -> Caller:
    forwarded, is_passed_on = of.environ.get(SIGNS[0]), not of.environ.keys().isdisjoint(SIGNS)
    return here.limits.addresses.caller(of.remote_addr, forwarded, is_passed_on=is_passed_on)


def asking() -> Asking:
    """Return by whom the request is counted."""
    return whom(noted().asker)


# Cookies


def cookie() -> str | None:
    """Return the token in the request's cookie; None if there is none."""
    return request.cookies.get(_name()) or None


def csrf(session: str, form: str | int = 1) -> str:
    """Return the value that the session's own pages send back: one for scripts, and one for each form's key."""
    return service().signer.sign(f"csrf:{digest(session)}", form)


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
    own = urlsplit(service().address)
    if origin != f"{own.scheme}://{own.netloc}" and parts_of(origin).netloc != request.host:
        raise Forbidden("other-origin")


def set_cookie(token: str, lasts: timedelta) -> None:
    """Have the browser keep the token, with whatever answer the request gets."""
    noted().kept = {"value": token, "max_age": lasts}


def delete_cookie() -> None:
    """Have the browser forget its token, if it has one."""
    if noted().get("session"):
        noted().is_cookie_stale = True


def _is_secure() -> bool:
    return service().address.startswith("https:")


def _name() -> str:
    # the prefix has browsers refuse a cookie that another host or a plain connection has set
    return "__Host-foldtable" if _is_secure() else "foldtable"
