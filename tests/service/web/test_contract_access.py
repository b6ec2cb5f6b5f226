"""Who may ask what, by the document: each operation is asked without a token, and with a token of each scope alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from service.accounts import ACCOUNT, ADMIN, BOT, SCOPES
from service.web import create_app
from service.web.contract import operations
from tests.service.house import House
from tests.service.security.test_every_asker import bearer, token_of

pytestmark = pytest.mark.sqlite

NONSENSE: tuple[dict[str, Any], ...] = (
    {"query_string": {"cursor": "%00", "limit": "x", "lang": "xx", "wait": "-1", "seat": "x", "moves": "x" * 9999}},
    {"query_string": {"lang": "xx"}},
    {"data": b"{", "content_type": "application/json"},
    {"data": b"[]", "content_type": "application/json"},
    {"data": b"x", "content_type": "text/plain"},
    {"data": b"{}", "content_type": "application/json", "headers": {"Content-Encoding": "gzip"}},
    {"headers": {"Idempotency-Key": "\u00e4", "Last-Event-ID": "x", "If-None-Match": '"'}},
)
"""What no operation takes, in a query, a body and in headers."""


def test_who_asks_is_judged_before_what_is_asked_and_each_scope_that_the_document_names_is_enough(
    house: House,
) -> None:
    ann = house.player()
    for operation in operations(create_app(None)):
        path = re.sub(r"{\w+}", "1", operation.path)
        tokens = {scope: token_of(house, ann.id, scope) for scope in (*SCOPES, ACCOUNT)}
        tokens |= {BOT: str(house.worker.token), ADMIN: str(house.operator.token)}
        lacking = [scope for scope in tokens if operation.scopes and scope not in operation.scopes]
        for nonsense in NONSENSE:

            def ask(token: str | None, nonsense: dict[str, Any] = nonsense) -> tuple[int, str]:
                headers = {**nonsense.get("headers", {}), **bearer(token)}
                answer = house.send(operation.method, path, **{**nonsense, "headers": headers})  # noqa: B023
                return answer.status_code, answer.json["code"] if answer.status_code in {401, 403} else ""

            if operation.needs_token:
                assert ask(None) == (401, "token-missing"), (operation.id, nonsense)
            for scope in lacking if nonsense is NONSENSE[0] else lacking[:1]:
                assert ask(tokens[scope]) in {(403, "scope-missing"), (403, "no-player")}, (operation.id, scope)
        for scope in tokens.keys() - {*lacking}:
            _, code = ask(tokens[scope])
            assert code not in {"scope-missing", "token-missing", "unknown-token"}, (operation.id, scope)
