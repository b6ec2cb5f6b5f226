"""The checks that every request passes before its route: size, asker, and whether it came before."""

from __future__ import annotations

import re
from typing import cast

import msgspec
from flask import Flask, current_app, g, request

from service.deeds import STRANGER, Asker, judge
from service.problems import Malformed, Unauthorized, Unsupported
from service.signing import digest
from service.store import idempotency
from service.web import cookies, limiting
from service.web.contract.operations import Operation, told_of
from service.web.reply import asked, lang, noted, service

BODY = 1 << 16
"""The most bytes of a body."""

SECRET = {"players", "sessions", "accounts"}
"""Blueprints whose bodies may contain passwords."""

FORMS = frozenset({"mail.Unsubscribe"})
"""Routes to which mail programs and browsers send forms. Neither the form nor the asker is read."""

KEY = re.compile(r"[\x21-\x7e]{1,255}")


def register(app: Flask) -> None:
    """Register the checks with the app."""
    app.config["MAX_CONTENT_LENGTH"] = BODY
    app.before_request(pass_gate)
    app.after_request(limiting.tell)
    app.after_request(cookies.tidy)


def pass_gate() -> None:
    """Find out who asks, and the request's key, and refuse a request that can't be read. Raises Problems."""
    of, about = asked(), noted()
    about.asker = STRANGER
    if not of.path.startswith("/api/"):
        return
    about.asker = limiting.counted(STRANGER)
    endpoint, environ = of.endpoint, of.environ
    if endpoint not in FORMS:
        about.asker = limiting.counted(_asker())
    body, operation = b"", _operation(endpoint, of.method)
    if of.method not in {"GET", "HEAD", "OPTIONS"}:
        # counted before any check, since the bytes were sent in any case
        body = of.get_data(cache=True)
        limiting.count_body(len(body))
    if operation is not None:
        judge_reader(operation, about.asker)
    if (link := of.args.get("link") if environ.get("QUERY_STRING") else None) is not None:
        about.asker = msgspec.structs.replace(about.asker, link=service().links.read(link))
    if of.method in {"GET", "HEAD", "OPTIONS"}:
        return
    lang()  # an unknown language is refused before anything is done
    if body and (packed := environ.get("HTTP_CONTENT_ENCODING", "").strip()).lower() not in {"", "identity"}:
        raise Unsupported("encoded-body", encoding=packed[:64])
    if body and not of.is_json and endpoint not in FORMS:
        raise Unsupported("no-json-body")
    key = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and of.method == "POST":
        if not KEY.fullmatch(key):
            raise Malformed("malformed-idempotency-key")
        owner = about.asker.player or f"stranger at {limiting.caller().address}"
        # a password in the body must not be guessable from the stored digest, so it is signed first
        is_secret = of.blueprint in SECRET
        content = service().signer.sign("body", digest(body)).encode() if is_secret else body
        about.once = idempotency.once(owner, f"{of.method} {of.path}", key, content)
    # the answer says what is left of the limits that the deed counts
    about.counted = operation.deed.limits if operation is not None and operation.deed is not None else ()


def _operation(endpoint: str | None, method: str) -> Operation | None:
    """Return the operation of the request; None if its path or method has none."""
    if endpoint is None:
        return None
    return told_of(current_app.view_functions[endpoint], "GET" if method == "HEAD" else method)


def judge_reader(operation: Operation, who: Asker) -> None:
    """Check that the asker may call the operation, before anything else of the request is read.

    Raises:  Unauthorized for strangers; Forbidden if the token has none of the operation's scopes.
    """
    if not operation.is_open or who.player:
        judge(who, operation.scopes, is_players="no-player" in operation.problems.get(403, ()))


def _asker() -> Asker:
    """Return the asker.

    Raises:  Unauthorized; TooMany if too many tokens were guessed; Forbidden if another site's page sent the request.
    """
    if "HTTP_AUTHORIZATION" not in asked().environ and (kept := cookies.token()) is not None:
        return _browser(kept)
    try:
        return service().accounts.asker(_token())
    except Unauthorized as error:
        if error.code == "unknown-token":
            service().front.count_guess(noted().asker)
        raise


def _browser(kept: str) -> Asker:
    """Return the asker with this cookie; a stranger if its session is over: browsers send it until it is deleted."""
    try:
        who = service().accounts.in_browser(kept)
    except Unauthorized as error:
        if error.code == "unknown-token":
            service().front.count_guess(noted().asker)
        g.is_cookie_stale = True
        return STRANGER
    g.session = kept
    if request.method not in {"GET", "HEAD", "OPTIONS"}:
        cookies.check(kept)
    return who


def token_said() -> str:
    """Return the request's token, from its cookie or header; "" if there is none."""
    return cast(str, g.get("session")) or _token() or ""


def _token() -> str | None:
    header: str | None = asked().environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("unknown-token")
    return token.strip()
