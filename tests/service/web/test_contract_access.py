"""Who may ask what, by the document: each operation is asked without a token, and with a token of each scope alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from events.chain import fresh_id
from service.accounts import ACCOUNT, ADMIN, BOT, CREATE, SCOPES
from service.signing import digest, fresh_token
from service.store.people import Token, hand_out
from service.web import create_app
from service.web.contract import examples, operations
from tests.service.house import Answer, House, Visitor

EVERY = (*SCOPES, ACCOUNT, BOT, ADMIN)
APP = create_app(None)
FOUND = {operation.id: operation for operation in operations(APP)}
SAID = examples()

QUERIES: dict[str, dict[str, Any]] = {"listMatches": {"mine": True}}
"""What makes an operation need a token that else does without."""


def token_of(house: House, player: str, *scopes: str) -> str:
    """A token of the player that grants these scopes and no other."""
    token = fresh_token()
    kept = Token(id=fresh_id("t"), name="some", scopes=scopes, created="2024-01-01T00:00:00.000Z", expires=None)
    house.service.recorder.write([hand_out(digest(token), player, kept)])
    return token


def ask(house: House, name: str, token: str | None, match: str) -> Answer:
    """The operation as the examples ask it, of a match that is there."""
    found = FOUND[name]
    parts = {
        "match_id": match,
        "game": "magicative",
        "pack": "0" * 64,
        "token_id": "t_none",
        "version": "1",
        "order": "1",
        "seat": "1",
        "message": "1",
    }
    wanted = {part for part in found.path.split("/") if part.startswith("{")}
    path = found.path.format(**{**{part[1:-1]: "none" for part in wanted}, **parts})
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = SAID.get(name, {}).get("body")
    more: dict[str, Any] = {} if body is None else {"json": body}
    return house.send(found.method, path, headers=headers, query_string=QUERIES.get(name), **more)


NOBODY = {"token-expired", "token-missing", "unknown-token"}

TOKENLESS = {"askUnsubscribe", "readFeed", "unsubscribe"}
"""Where the path alone says who asks, and a token is not looked at."""

PARTLY = {
    ("createToken", ACCOUNT): "a token grants nothing that the asking one lacks",
    ("agreeToAbort", CREATE): "before the start only",
}
"""Where a scope that the document names is enough for some requests alone."""


def tokens_of(house: House, player: Visitor) -> dict[str, str | None]:
    """A token of each scope alone; those of the house are nobody's account."""
    own: dict[str, str | None] = {scope: token_of(house, player.id, scope) for scope in (*SCOPES, ACCOUNT)}
    return {**own, BOT: house.worker.token, ADMIN: house.operator.token}


@pytest.mark.sqlite
def test_each_operation_asks_for_the_scopes_that_the_document_names(house: House) -> None:
    wrong = []
    match, (ann, _) = house.table()
    tokens = tokens_of(house, ann)
    for name, found in FOUND.items():
        scopes = found.scopes
        for scope in EVERY:
            answer = ask(house, name, tokens[scope], match)
            code = answer.json["code"] if answer.status_code in {401, 403} else ""
            if scopes and scope not in scopes:
                is_right = code in {"scope-missing", "no-player"}
            else:
                is_right = code not in NOBODY and (code != "scope-missing" or (name, scope) in PARTLY)
            if not is_right:
                wrong.append((name, scope, answer.status_code, code))
            if answer.status_code < 300 and found.method != "GET":
                # it may have ended the match, or the account
                match, (ann, _) = house.table()
                tokens = tokens_of(house, ann)
    assert not wrong


@pytest.mark.sqlite
def test_each_operation_needs_a_token_where_the_document_says_so(house: House) -> None:
    wrong, (match, _) = [], house.table()
    for name, found in FOUND.items():
        answer = ask(house, name, None, match)
        is_refused = answer.status_code == 401 and answer.json["code"] == "token-missing"
        if is_refused != (found.needs_token or name in QUERIES):
            wrong.append((name, answer.status_code))
    assert not wrong


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


@pytest.mark.sqlite
def test_who_asks_is_judged_before_what_is_asked(house: House) -> None:
    tokens = tokens_of(house, house.player())
    for operation in FOUND.values():
        path = re.sub(r"{\w+}", "1", operation.path)
        expected: dict[str | None, tuple[int, str]] = {None: (401, "token-missing")} if operation.needs_token else {}
        if operation.scopes and (lacking := [one for one in (*SCOPES, ACCOUNT) if one not in operation.scopes]):
            expected[tokens[lacking[0]]] = 403, "scope-missing"
        for nonsense in NONSENSE:
            for token, refusal in expected.items():
                headers = {**nonsense.get("headers", {}), **({"Authorization": f"Bearer {token}"} if token else {})}
                answer = house.send(operation.method, path, **{**nonsense, "headers": headers})
                assert (answer.status_code, answer.json["code"]) == refusal, (operation.id, nonsense, answer.json)
