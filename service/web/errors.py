"""Turns every error into an answer of problem+json (RFC 9457): those of routes, rules, the store, and Flask."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from traceback import extract_tb
from typing import Any

import structlog
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from domain import refusals
from domain.game import Lang, Refusal
from events.codec import UnknownEvent, Unreadable
from events.keyring import KeysUnusable
from events.store import CommandReused, StaleVersion, StoreError, StoreUnsure
from replays.files.exports import Busy, Lost
from replays.log import OtherRules, UnknownMatch
from service import problems, wording
from service.problems import Problem, TooMany, unknown_match
from service.web import answers
from service.web.head import BODY
from service.web.reply import reply, spoken

STATUS: dict[type[Problem], int] = {
    problems.BadRequest: 400,
    problems.Unauthorized: 401,
    problems.Forbidden: 403,
    problems.Unknown: 404,
    problems.Conflict: 409,
    problems.Unsupported: 415,
    problems.Malformed: 422,
    problems.TooMany: 429,
    problems.Broken: 500,
    problems.Unready: 503,
}

CODES = {
    400: "bad-request",
    404: "unknown-path",
    405: "method-not-allowed",
    413: "too-large",
}
"""The codes of Flask's own errors by status; other errors are named by their status."""

HEADERS = {
    401: {"WWW-Authenticate": 'Bearer realm="foldtable"'},
    415: {"Accept-Encoding": "identity"},
    503: {"Retry-After": "2"},
}
"""The headers of errors by status."""

KIND = "application/problem+json"
WAIT_AFTER = "5"
"""The seconds after which a request that found no place to wait may be sent again."""

logger = structlog.get_logger(__name__)


def problem(status: int, code: str, /, *, detail: str = "", **more: Any) -> Response:
    """Return the answer for an error. `detail` replaces the sentence that the code has for these `fields`."""
    detail = detail or wording.say(code, spoken(), more.get("fields", {}))
    answer = reply(body_of(status, code, spoken(), detail=detail, **more), status, KIND)
    answer.headers.update(HEADERS.get(status, {}))
    return answer


def body_of(status: int, code: str, lang: Lang, /, *, detail: str, **more: Any) -> answers.Problem:
    """Return the body of the answer for an error."""
    title = wording.TITLES[lang].get(status) or HTTPStatus(status).phrase
    return answers.Problem(f"urn:foldtable:problem:{code}", title, status, detail, code, **more)


def register(app: Flask, dress: Callable[[Response], Response]) -> None:
    """Register a handler for each kind of error with the app. `dress` turns the answer into a page, for browsers."""
    handlers: dict[type[Exception], Callable[[Any], Response]] = {
        HTTPException: of_flask,
        Problem: _problem,
        Refusal: lambda error: problem(409, error.code, detail=refusals.plain(error, spoken()), **problems.told(error)),
        StoreError: lambda error: _failed(error, "the store failed", 503, "store-failed"),
        StoreUnsure: lambda error: _failed(error, "the store was cut off", 503, "store-unsure"),
        KeysUnusable: lambda error: _failed(error, "the keys can't be used", 503, "keys-unusable"),
        StaleVersion: lambda error: problem(409, "busy"),
        CommandReused: lambda error: _problem(problems.Malformed("idempotency-key-reused")),
        UnknownMatch: lambda error: _problem(unknown_match((request.view_args or {})["match_id"])),
        Busy: lambda error: problem(503, "busy"),
        Lost: lambda error: problem(409, "parent-missing"),
        OtherRules: lambda error: problem(409, "other-rules", detail=error.say(spoken())),
        Unreadable: lambda error: _failed(error, "a log can't be read", 500, "unreadable-log"),
        UnknownEvent: lambda error: _failed(error, "a log can't be read", 500, "unreadable-log"),
        Exception: _unforeseen,
    }
    for kind, handler in handlers.items():
        app.register_error_handler(kind, lambda error, handler=handler: dress(handler(error)))


def of_flask(error: HTTPException) -> Response:
    """Return the answer for one of Flask's own errors, with its headers (`Allow`)."""
    status = error.code or 500
    if status < 400:
        return Response(status=status, headers=error.get_headers(request.environ))
    phrase = HTTPStatus(status).phrase
    code = CODES.get(status) or phrase.lower().replace(" ", "-")
    detail = "" if status in CODES else wording.say("other", spoken(), {"phrase": phrase})
    fields: dict[int, dict[str, Any]] = {405: {"method": request.method}, 413: {"most": BODY}}
    more = {"fields": fields[status]} if status in fields else {}
    answer = problem(status, code, detail=detail, **more)
    for name, value in error.get_headers(request.environ):
        if name.lower() not in {"content-type", "content-length"}:
            answer.headers[name] = value
    return answer


def _problem(error: Problem) -> Response:
    status = next(status for kind, status in STATUS.items() if isinstance(error, kind))
    if error.refusal:
        return problem(status, error.code, detail=error.say(refusals.say(*error.refusal, spoken())), **error.more)
    more: dict[str, Any] = {"fields": dict(error.fields)} if error.fields else {}
    if "reason" in error.fields:
        # a library's sentence: the only field that is text for people
        more["fields"]["reason"] = wording.translated(error.fields["reason"], spoken())
    if "errors" in error.more:
        more["errors"] = wording.translated(error.more["errors"], spoken())
    said = error.say(wording.say(error.code, spoken(), error.fields))
    answer = problem(status, error.code, detail=said, **{**error.more, **more})
    if isinstance(error, TooMany):
        answer.headers["Retry-After"] = str(error.fields.get("after", WAIT_AFTER))
    return answer


def _failed(error: Exception, event: str, status: int, code: str) -> Response:
    logger.error(event, error=str(error))
    return problem(status, code)


def _unforeseen(error: Exception) -> Response:
    log_unforeseen(error)
    return problem(500, "internal")


def log_unforeseen(error: BaseException) -> None:
    """Log the place but not the message: it, or a variable, may contain what some seat must not know."""
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in extract_tb(error.__traceback__)]
    logger.error("unforeseen", kind=type(error).__name__, where=where)
