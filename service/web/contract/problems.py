"""The problems that requests can get by their kind, and the responses for them, each with its codes; and"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from service.deeds import OF_PLAYERS
from service.web.contract.games import AnyGame
from service.web.contract.operations import Operation
from service.web.contract.schemas import Schema

Codes = dict[int, tuple[str, ...]]

KIND = "application/problem+json"

CODES = "x-codes"
"""The member of a response that lists the codes of its problems."""

OPTIONS = (
    "familiars",
    "hard-and-ranking",
    "knockout-alone",
    "laps",
    "mode-twice",
    "no-such-familiar",
    "no-such-planet",
    "planet-size",
    "seats",
    "unknown-card",
)
"""The codes by which games refuse options or a number of seats."""

OF_BOTH = {"no-such-familiar"}
"""Those of them by which games also refuse moves."""

NAMED: dict[str, tuple[int, tuple[str, ...]]] = {
    "Unreadable": (400, ("bad-request",)),
    "UnreadableBody": (400, ("bad-request", "not-json", "too-deep")),
    "UnknownToken": (401, ("token-expired", "unknown-token")),
    "TokenNeeded": (401, ("token-expired", "token-missing", "unknown-token")),
    "ScopeMissing": (403, ("scope-missing",)),
    "ForeignPage": (403, ("csrf-token-missing", "other-origin")),
    "ScopeMissingChange": (403, ("csrf-token-missing", "other-origin", "scope-missing")),
    "NotSeated": (403, ("csrf-token-missing", "not-seated", "other-origin", "scope-missing")),
    "NotYourSeat": (403, ("not-your-seat", "scope-missing")),
    "NoPlayer": (403, ("no-player", "scope-missing")),
    "NoPlayerChange": (403, ("csrf-token-missing", "no-player", "other-origin", "scope-missing")),
    "NotForBots": (403, ("csrf-token-missing", "no-player", "not-for-bots", "other-origin", "scope-missing")),
    "PasswordNeeded": (
        403,
        ("csrf-token-missing", "no-player", "other-origin", "password-needed", "password-wrong", "scope-missing"),
    ),
    "UnknownGame": (404, ("unknown-game", "unknown-path")),
    "UnknownOffer": (404, ("unknown-match", "unknown-offer", "unknown-path")),
    "UnknownPlayer": (404, ("unknown-path", "unknown-player")),
    "UnknownSeat": (404, ("unknown-match", "unknown-path", "unknown-seat")),
    "UnknownWebhook": (404, ("unknown-path", "unknown-webhook")),
    "UnknownPath": (404, ("unknown-path",)),
    "UnknownMatch": (404, ("unknown-match", "unknown-path")),
    "TooSlow": (408, ("request-timeout",)),
    "OtherRules": (409, ("other-rules",)),
    "OtherRulesChange": (409, ("busy", "other-rules")),
    "NotPlaying": (409, ("busy", "match-aborted", "match-finished", "match-open", "other-rules")),
    "TokenIssued": (409, ("token-already-issued",)),
    "TooLarge": (413, ("too-large",)),
    "LongUrl": (414, ("long-url",)),
    "NotJson": (415, ("encoded-body", "no-json-body")),
    "Malformed": (422, ("malformed",)),
    "MalformedList": (422, ("malformed", "malformed-cursor", "unknown-lang")),
    "MalformedChange": (422, ("malformed", "unknown-lang")),
    "MalformedPost": (422, ("idempotency-key-reused", "malformed", "malformed-idempotency-key", "unknown-lang")),
    "UnknownLanguage": (422, ("unknown-lang",)),
    "TooFast": (429, ("too-fast",)),
    "TooManyPasswords": (429, ("too-fast", "too-many-passwords")),
    "LongHead": (431, ("long-head",)),
    "Fault": (500, ("internal",)),
    "FaultOfMatch": (500, ("internal", "unreadable-log")),
    "Away": (503, ("busy", "keys-unusable", "store-failed")),
    "Busy": (503, ("busy",)),
}
"""The responses that many operations share, by their names in the document."""

ABOUT = {
    400: "The request can't be read.",
    401: "The request needs a token, or its token is not valid.",
    403: "You may not do this.",
    404: "There is no such thing, or you may not know of it.",
    408: "The request did not arrive completely in time.",
    409: "This is not possible now.",
    413: "The body is too large.",
    414: "The URL is too long.",
    415: "The body has a type or encoding that is not supported.",
    422: "The request contains a value that is not valid.",
    429: "There were too many requests, or too many wait already.",
    431: "The request's head is too long.",
    500: "An error in the service.",
    503: "The service can't do this now.",
}

EVERY: Codes = {
    400: ("bad-request",),
    408: ("request-timeout",),
    413: ("too-large",),
    414: ("long-url",),
    431: ("long-head",),
    500: ("internal",),
    503: ("busy",),
}
"""The codes of problems that any request may meet."""

PLAYED = ("decision-closed", "handed-over", "match-aborted", "match-finished", "match-open", "not-legal", "resigned")
"""The codes by which a match of any game refuses a move."""


def _said(name: str, description: str, **schema: Any) -> Schema:
    return {"in": "header", "name": name, "description": description, "schema": {"type": "string", **schema}}


PARAMETERS: dict[str, Schema] = {
    "AcceptLanguage": _said(
        "Accept-Language",
        "The language of texts, also those of problems: `en` or `ja`. `?lang=` replaces it.",
        examples=["ja"],
    ),
    "RequestId": _said(
        "X-Request-ID",
        "An id of your own for the request, which its answer and the service's log lines contain. One that is not valid"
        " is ignored, and the service makes a random one.",
        examples=["evening-17"],
    ),
    "IdempotencyKey": _said(
        "Idempotency-Key",
        "A key of your own for the request. If you send the request again with the same key, it is not done again, but"
        " answered again. With another body it is refused.",
        pattern="^[!-~]{1,255}$",
        examples=["5b1c9f4e-open-1"],
    ),
    "CsrfToken": _said(
        "X-CSRF-Token", "Only with a cookie: the value from `GET /api/sessions`. A bearer token needs none."
    ),
    "IfNoneMatch": _said(
        "If-None-Match",
        "The ETag of the answer that you have: if nothing has changed since then, the answer is 304 and has no body.",
    ),
    "LastEventId": _said(
        "Last-Event-ID", "The last id that you have read in a stream: it continues after that, and nothing is lost."
    ),
    "Lang": {
        "in": "query",
        "name": "lang",
        "description": "The language of texts, also those of problems; by default that of Accept-Language.",
        "schema": {"type": "string", "enum": ["en", "ja"]},
    },
}
"""The parameters that many requests may have, by their names in the document."""


def _told(description: str, **schema: Any) -> Schema:
    return {"description": description, "schema": {"type": "string", **schema}}


ANSWERED: dict[str, Schema] = {
    "Accept-Encoding": _told("The encodings of bodies (RFC 9110, 12.5.3): `identity`, so they can't be compressed."),
    "Allow": _told("The methods that the path has."),
    "Cache-Control": _told("Whether the answer may be stored, and by whom."),
    "Content-Disposition": _told("The name of the file."),
    "Content-Encoding": _told("How the body is compressed, if the client accepts that: `gzip`."),
    "Content-Location": _told("The path with the hash, however it was requested.", format="uri-reference"),
    "Content-Security-Policy": _told("What a browser may load for the answer: only what a page needs."),
    "ETag": _told("A tag of the answer: send it as If-None-Match, and get the answer only if it has changed."),
    "Link": _told('The next page, if there is one, as `rel="next"` (RFC 8288).'),
    "Location": _told("The path of what was made.", format="uri-reference"),
    "RateLimit": _told("How often the operation may still be called. Only if the request is counted."),
    "RateLimit-Policy": _told("How often the operation may be called. Only if the request is counted."),
    "Referrer-Policy": _told("`no-referrer`: a browser does not tell other sites where a link was followed."),
    "Retry-After": {
        "description": "The seconds after which the request may be sent again.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "Set-Cookie": _told("The session's cookie, or the end of a cookie that is not valid any more."),
    "Vary": _told("The headers of the request on which the answer depends."),
    "WWW-Authenticate": _told("How to send a token."),
    "X-Content-Type-Options": _told("`nosniff`: the body has the type that Content-Type says."),
    "X-Accel-Buffering": _told("For a stream: no proxy may delay it."),
    "X-Request-ID": _told(
        "The request's id: give it to the operator when you ask what went wrong.", pattern="^[A-Za-z0-9._:-]{1,64}$"
    ),
}
"""The headers of answers."""

OF_ALL = (
    "Cache-Control",
    "Content-Security-Policy",
    "RateLimit",
    "RateLimit-Policy",
    "Referrer-Policy",
    "Set-Cookie",
    "Vary",
    "X-Content-Type-Options",
    "X-Request-ID",
)
"""The headers that any answer may have. The document lists them once, and not with each answer."""

EVERYWHERE = "x-headers-of-all-answers"
"""The member of the document that lists them."""

OF_PROBLEMS = {401: ("WWW-Authenticate",), 415: ("Accept-Encoding",), 429: ("Retry-After",), 503: ("Retry-After",)}
"""The headers of problems, by status."""


def told_headers(names: Iterable[str]) -> Schema:
    """Return references to these headers, by name."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in sorted(names)}


def rules_codes(games: Iterable[AnyGame]) -> tuple[str, ...]:
    """Return the codes by which the rules of these games refuse moves, from their texts for refusals."""
    codes: set[str] = set()
    for game in games:
        texts: Mapping[str, Mapping[str, str]] = sys.modules[game.explain.__module__].__dict__["REFUSALS"]
        codes |= {name.split()[-1] for name in texts["en"]}
    return tuple(sorted(codes - (set(OPTIONS) - OF_BOTH)))


def codes_of(operation: Operation, rules: tuple[str, ...]) -> Codes:
    """Return all codes of the operation's problems, by status. `rules`: the codes of the games' rules."""
    path, scopes, has_body = operation.path, operation.scopes, operation.body is not None
    query = operation.query.fields if operation.query else {}
    is_api, is_change, is_post = path.startswith("/api/"), operation.method != "GET", operation.method == "POST"
    of_match = "{match_id}" in path
    by_status: dict[int, set[str]] = {}
    for is_so, codes in (
        (True, operation.problems),
        (True, EVERY),
        (is_api, {401: ("token-expired", "unknown-token"), 429: ("too-fast",), 503: ("keys-unusable", "store-failed")}),
        (is_api and operation.needs_token, {401: ("token-missing",)}),
        (is_api and is_change, {403: ("csrf-token-missing", "other-origin"), 415: ("encoded-body", "no-json-body")}),
        ((is_api and is_change) or "lang" in query, {422: ("unknown-lang",)}),
        (is_post, {422: ("idempotency-key-reused", "malformed-idempotency-key")}),
        (has_body, {400: ("not-json", "too-deep")}),
        (has_body or query, {422: ("malformed",)}),
        ("cursor" in query, {422: ("malformed-cursor",)}),
        ("wait" in query, {429: ("too-many-wait",)}),
        # a number that is none, or a name that contains a slash
        ("{" in path, {404: ("unknown-path",)}),
        (of_match, {404: ("unknown-match",), 409: ("other-rules",), 500: ("unreadable-log",)}),
        (of_match and is_change, {409: ("busy",)}),
        (of_match and "seat" in query, {403: ("not-your-seat",), 404: ("unknown-seat",)}),
        (scopes, {403: ("scope-missing",)}),
        (not OF_PLAYERS.isdisjoint(scopes), {403: ("no-player",)}),
        (operation.is_by_rules, {409: (*PLAYED, *rules)}),
    ):
        for status, some in codes.items() if is_so else ():
            by_status.setdefault(status, set()).update(some)
    return {status: tuple(sorted(found)) for status, found in sorted(by_status.items())}


def response_of(status: int, codes: Iterable[str]) -> Schema:
    """Return the response for problems of this status, with these codes.

    All problems have the same schema, so that a generated client has one class for them; the codes are listed beside
    it.
    """
    own = told_headers(OF_PROBLEMS.get(status, ()))
    return {
        "description": ABOUT.get(status, HTTPStatus(status).phrase),
        **({"headers": own} if own else {}),
        "content": {KIND: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        CODES: list(codes),
    }
