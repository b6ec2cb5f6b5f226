"""What every request passes first: how large it is, who sends it, whether it came before."""

from __future__ import annotations

import re
from typing import cast

import msgspec
from flask import Flask, current_app, g, request

from service.deeds import STRANGER, Asker, judge
from service.ids import digest
from service.problems import Malformed, Unauthorized, Unsupported
from service.store import idempotency
from service.web import cookies, limiting
from service.web.contract.operations import Operation, told_of
from service.web.reply import asked, lang, noted, service

BODY = 1 << 16
"""Bytes."""

SECRET = {"players", "sessions", "accounts"}
"""Blueprints whose bodies may hold passwords."""

FORMS = frozenset({"mail.Unsubscribe"})
"""Routes to which mail programs and browsers send forms, which say nothing that is read, nor who asks."""

KEY = re.compile(r"[\x21-\x7e]{1,255}")


def register(app: Flask) -> None:
    """Have every request pass."""
    app.config["MAX_CONTENT_LENGTH"] = BODY
    app.before_request(pass_gate)
    app.after_request(limiting.tell)
    app.after_request(cookies.tidy)


def pass_gate() -> None:
    """Know who asks, and by which key; refuse what can't be read."""
    of, about = asked(), noted()
    about.asker = STRANGER
    if not of.path.startswith("/api/"):
        return
    about.asker = limiting.counted(STRANGER)
    endpoint, environ = of.endpoint, of.environ
    if endpoint not in FORMS:
        about.asker = limiting.counted(_asker())
    body, told = b"", _told(endpoint, of.method)
    if of.method not in {"GET", "HEAD", "OPTIONS"}:
        # whoever is refused has sent it all the same
        body = of.get_data(cache=True)
        limiting.count_body(len(body))
    if told is not None:
        judge_reader(told, about.asker)
    if (link := of.args.get("link") if environ.get("QUERY_STRING") else None) is not None:
        about.asker = msgspec.structs.replace(about.asker, link=service().links.read(link))
    if of.method in {"GET", "HEAD", "OPTIONS"}:
        return
    lang()  # nothing is done for who can't be answered
    if body and (packed := environ.get("HTTP_CONTENT_ENCODING", "").strip()).lower() not in {"", "identity"}:
        raise Unsupported("encoded-body", encoding=packed[:64])
    if body and not of.is_json and endpoint not in FORMS:
        raise Unsupported("no-json-body")
    key = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and of.method == "POST":
        if not KEY.fullmatch(key):
            raise Malformed("malformed-idempotency-key")
        owner = about.asker.player or f"stranger at {limiting.caller().address}"
        # a body may hold a password, and what is kept of it nobody may guess it by
        is_secret = of.blueprint in SECRET
        said = service().signer.sign("body", digest(body)).encode() if is_secret else body
        about.once = idempotency.once(owner, f"{of.method} {of.path}", key, said)
    # of what a deed has counted it, the answer says what is left
    about.counted = told.deed.limits if told is not None and told.deed is not None else ()


def _told(endpoint: str | None, method: str) -> Operation | None:
    """What the contract tells of what is asked for."""
    if endpoint is None:
        return None
    return told_of(current_app.view_functions[endpoint], "GET" if method == "HEAD" else method)


def judge_reader(told: Operation, who: Asker) -> None:
    """Refuse who may not ask for that operation, before anything else of the request is looked at.

    Raises:  Unauthorized for strangers, Forbidden where the token grants none of the scopes that the contract names.
    """
    if not told.is_open or who.player:
        judge(who, told.scopes, is_players="no-player" in told.problems.get(403, ()))


def _asker() -> Asker:
    """Who asks. Raises Unauthorized; TooMany where too many tokens were guessed; Forbidden for what another site had a
    browser send.
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
    """Whose cookie that is; nobody's, where the session is over: a browser sends its cookie until it is told not to."""
    try:
        found = service().accounts.in_browser(kept)
    except Unauthorized as error:
        if error.code == "unknown-token":
            service().front.count_guess(noted().asker)
        g.is_cookie_stale = True
        return STRANGER
    g.session = kept
    if request.method not in {"GET", "HEAD", "OPTIONS"}:
        cookies.check(kept)
    return found


def token_said() -> str:
    """The token that asks, or the cookie's; "" where there is none."""
    return cast(str, g.get("session")) or _token() or ""


def _token() -> str | None:
    said: str | None = asked().environ.get("HTTP_AUTHORIZATION")
    if said is None:
        return None
    scheme, _, token = said.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("unknown-token")
    return token.strip()
