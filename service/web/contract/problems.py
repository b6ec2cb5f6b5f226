"""The problems that requests can get by their kind, and the responses for them, each with its codes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from service.deeds import OF_PLAYERS
from service.web.contract.games import AnyGame
from service.web.contract.operations import Operation
from service.web.contract.schemas import BASE, FIXED, Schema

Codes = dict[int, tuple[str, ...]]

KIND = "application/problem+json"

CODES = "x-codes"
"""The member of a response that lists the codes of its problems."""

OPTIONS: tuple[str, ...] = tuple(FIXED["refusals-of-options"])
"""The codes by which games refuse options or a number of seats."""

OF_BOTH = {"no-such-familiar"}
"""Those of them by which games also refuse moves."""

EVERYWHERE = "x-headers-of-all-answers"
"""The member of the document that lists the headers that any answer may have."""

NOT_FOUND = {
    "bot_id": "unknown-player",
    "delivery_id": "unknown-delivery",
    "game": "unknown-game",
    "match_id": "unknown-match",
    "pack": "unknown-pack",
    "pass_id": "unknown-pass",
    "player_id": "unknown-player",
    "token_id": "unknown-token-id",
    "version": "unknown-version",
    "webhook_id": "unknown-webhook",
}
"""The codes for what a path names and is not there, by the name of the path's variable part."""

PLAYED = ("decision-closed", "handed-over", "match-aborted", "match-finished", "match-open", "not-legal", "resigned")
"""The codes by which a match of any game refuses a move."""


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
    has_password = not {"new", "password"}.isdisjoint(operation.body.fields if operation.body else ())
    by_status: dict[int, set[str]] = {}
    for is_so, codes in (
        (True, operation.problems),
        (True, FIXED["of-every-request"]),
        (is_api, {401: ("token-expired", "unknown-token"), 429: ("too-fast",)}),
        (is_api, {503: ("keys-unusable", "store-failed", "store-unsure")}),
        (is_api and operation.needs_token, {401: ("token-missing",)}),
        (is_api and is_change, {403: ("csrf-token-missing", "other-origin"), 415: ("encoded-body", "no-json-body")}),
        ((is_api and is_change) or "lang" in query, {422: ("unknown-lang",)}),
        (is_post, {422: ("idempotency-key-reused", "malformed-idempotency-key")}),
        (has_body, {400: ("not-json", "too-deep")}),
        (has_body or query, {422: ("malformed",)}),
        ("cursor" in query, {422: ("malformed-cursor",)}),
        ("wait" in query, {429: ("too-many-wait",)}),
        (operation.headers, {422: ("malformed-cursor",), 429: ("too-many-streams", "too-many-wait")}),
        (has_password, {429: ("too-many-passwords",)}),
        (has_password and operation.needs_token, {403: ("password-needed", "password-wrong")}),
        # a number that is none, or a name that contains a slash
        ("{" in path, {404: ("unknown-path", *(NOT_FOUND[name] for name in operation.variables if name in NOT_FOUND))}),
        (of_match, {409: ("other-rules",), 500: ("unreadable-log",)}),
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
    about = FIXED["problems"][status]
    own = told_headers(about.get("headers", ()))
    return {
        "description": about["description"],
        **({"headers": own} if own else {}),
        "content": {KIND: {"schema": {"$ref": f"{BASE}Problem"}}},
        CODES: list(codes),
    }
