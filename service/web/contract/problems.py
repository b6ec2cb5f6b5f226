"""Which problems any request can get, by what it is like; and the responses that tell them, each with its codes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any

from service.web.contract import headers
from service.web.contract.operations import Operation
from service.web.game_schemas import AnyGame

Schema = dict[str, Any]
Codes = dict[int, tuple[str, ...]]

KIND = "application/problem+json"

CODES = "x-codes"
"""The member of a response that lists every code which its problem can have."""

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
"""By which games refuse to be opened with some options, or with so many seats."""

OF_BOTH = {"no-such-familiar"}
"""Of these, the ones by which moves are refused as well."""

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
    "MalformedPost": (
        422,
        ("idempotency-key-reused", "malformed", "malformed-idempotency-key", "unknown-lang"),
    ),
    "UnknownLanguage": (422, ("unknown-lang",)),
    "TooFast": (429, ("too-fast",)),
    "TooManyPasswords": (429, ("too-fast", "too-many-passwords")),
    "LongHead": (431, ("long-head",)),
    "Fault": (500, ("internal",)),
    "FaultOfMatch": (500, ("internal", "unreadable-log")),
    "Away": (503, ("busy", "keys-unusable", "store-failed")),
    "Busy": (503, ("busy",)),
}
"""Responses that many operations share, by their names in the document."""

ABOUT = {
    400: "The request can't be read.",
    401: "A token is needed, or the one that was sent is not good.",
    403: "Whoever asks is known, and may not ask this.",
    404: "There is no such thing, or not for whoever asks.",
    408: "The request was not there whole in time.",
    409: "It can't be done as things stand.",
    413: "The body is too large.",
    414: "The URL is too long.",
    415: "The body is of a kind that is not read here.",
    422: "The request says something that can't be.",
    429: "It was asked for too often, or as many do it already as may.",
    431: "The request's head is too long.",
    500: "A fault of the service.",
    503: "The service can't do it at the moment.",
}


def rules_codes(games: Iterable[AnyGame]) -> tuple[str, ...]:
    """The codes by which the rules of these games refuse a move; they say each of them in words."""
    found: set[str] = set()
    for game in games:
        texts: Mapping[str, Mapping[str, str]] = sys.modules[game.explain.__module__].__dict__["REFUSALS"]
        found |= {name.split()[-1] for name in texts["en"]}
    return tuple(sorted(found - (set(OPTIONS) - OF_BOTH)))


PLAYED = (
    "decision-closed",
    "handed-over",
    "match-aborted",
    "match-finished",
    "match-open",
    "not-legal",
    "resigned",
)
"""By which a match refuses a move, whatever its game."""


def codes_of(told: Operation, method: str, path: str, shapes: frozenset[str], rules: tuple[str, ...]) -> Codes:
    """By status: every code that the operation can answer.

    Shape:   `shapes` tells of what its request has a shape: `body`, `query`, in that `lang`; `rules` are the codes of
             the games'.
    """
    found: dict[int, set[str]] = {status: set(codes) for status, codes in told.problems.items()}

    def add(status: int, *codes: str) -> None:
        found.setdefault(status, set()).update(codes)

    is_api, is_change = path.startswith("/api/"), method != "get"
    add(400, "bad-request")
    add(408, "request-timeout")
    add(413, "too-large")
    add(414, "long-url")
    add(431, "long-head")
    add(500, "internal")
    add(503, "busy")
    if "query" in shapes or "body" in shapes:
        add(422, "malformed")
    if "lang" in shapes:
        add(422, "unknown-lang")
    if "body" in shapes:
        add(400, "not-json", "too-deep")
    if is_api:
        add(401, "token-expired", "unknown-token", *(["token-missing"] if told.needs_token else []))
        add(429, "too-fast")
        add(503, "keys-unusable", "store-failed")
    for status, code in _by_path(path, is_change=is_change):
        add(status, code)
    if told.scopes:
        add(403, "scope-missing")
    if is_api and is_change:
        add(403, "csrf-token-missing", "other-origin")
        add(415, "encoded-body", "no-json-body")
        add(422, "unknown-lang")
    if method == "post":
        add(422, "idempotency-key-reused", "malformed-idempotency-key")
    if told.is_by_rules:
        add(409, *PLAYED, *rules)
    return {status: tuple(sorted(codes)) for status, codes in sorted(found.items())}


def _by_path(path: str, *, is_change: bool) -> Iterator[tuple[int, str]]:
    if "{" in path:
        # a number that is none, or a name with a slash in it
        yield 404, "unknown-path"
    if "{match_id}" in path:
        yield 404, "unknown-match"
        yield 409, "other-rules"
        yield 500, "unreadable-log"
        if is_change:
            yield 409, "busy"


def response_of(status: int, codes: Iterable[str]) -> Schema:
    """Return the answer that tells a problem of that status, whose code is one of these.

    All problems have one shape, so that a generated client has one class for them; the codes stand beside it.
    """
    own = headers.told_headers(*headers.OF_PROBLEMS.get(status, ()))
    return {
        "description": ABOUT.get(status, HTTPStatus(status).phrase),
        **({"headers": own} if own else {}),
        "content": {KIND: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        CODES: list(codes),
    }
