"""What every request passes first: how large it is, who sends it, whether it came before."""

from __future__ import annotations

import re
from typing import Any, NoReturn

import marshmallow
import msgspec
from flask import Flask, Request, g, request
from webargs import core
from webargs.flaskparser import FlaskParser

from service.accounts import STRANGER, Asker
from service.problems import BadRequest, Malformed, Unauthorized, Unsupported
from service.store import idempotency
from service.web import limiting
from service.web.reply import lang, once, service

BODY = 1 << 16
"""Bytes."""

KEY = re.compile(r"[\x21-\x7e]{1,255}")


def register(app: Flask) -> None:
    """Have every request pass."""
    app.config["MAX_CONTENT_LENGTH"] = BODY
    app.before_request(pass_gate)
    app.after_request(limiting.tell)


def pass_gate() -> None:
    """Know who asks, and by which key; refuse what can't be read."""
    g.asker = STRANGER
    if not request.path.startswith("/api/"):
        return
    g.asker = _asker()
    if (link := request.args.get("link") if request.environ.get("QUERY_STRING") else None) is not None:
        g.asker = msgspec.structs.replace(g.asker, link=service().links.read(link))
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    lang()  # nothing is done for who can't be answered
    body = request.get_data(cache=True)
    limiting.count_body(len(body))
    if body and not request.is_json:
        raise Unsupported("no-json-body")
    key = request.headers.get("Idempotency-Key")
    if key is not None and request.method == "POST":
        if not KEY.fullmatch(key):
            raise Malformed("malformed-idempotency-key")
        owner = g.asker.player or f"stranger at {limiting.caller().address}"
        g.once = idempotency.once(owner, f"{request.method} {request.path}", key, body)
    limiting.count_request()


def _asker() -> Asker:
    """Who asks. Raises Unauthorized; TooMany where too many tokens were guessed."""
    try:
        return service().accounts.asker(_token())
    except Unauthorized as error:
        if error.code == "unknown-token":
            limiting.count_guess()
        raise


def _token() -> str | None:
    said = request.headers.get("Authorization")
    if said is None:
        return None
    scheme, _, token = said.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("unknown-token")
    return token.strip()


class Parser(FlaskParser):
    """Reads bodies and queries, and refuses them in our words."""

    def _raw_load_json(self, req: Request) -> Any:
        body = req.get_data(cache=True)
        return parse(body) if body.strip() else core.missing

    def handle_error(
        self,
        error: marshmallow.ValidationError,
        req: Request,
        schema: marshmallow.Schema,
        *,
        error_status_code: int | None,
        error_headers: Any,
    ) -> NoReturn:
        """Raises Malformed with what is wrong, by field."""
        errors: dict[str, Any] = error.normalized_messages()  # type: ignore[no-untyped-call]
        if (asked := once()) is not None:
            # whoever sends a key again with another body is told so, whatever is wrong with that one
            service().requests.check(asked, (req.view_args or {}).get("match_id"))
        where, _ = next(iter(errors.items()), ("", None))
        fields = errors.get(where, {}) if where in {"json", "query", "headers"} else errors
        names = tuple(map(str, fields)) if isinstance(fields, dict) else ()
        raise Malformed("malformed", more={"errors": fields}, names=names or ("body",))


def parse(body: bytes) -> Any:
    """The JSON value. Raises BadRequest."""
    try:
        return msgspec.json.decode(body)
    except RecursionError:
        raise BadRequest("too-deep") from None
    except ValueError as error:
        raise BadRequest("not-json", reason=str(error)) from error
