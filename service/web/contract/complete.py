"""The document, completed: of each operation its name, who may ask, what it may be asked with, and every answer."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import cleandoc
from typing import Any

from flask import Flask

from service.accounts import ACCOUNT, SCOPES
from service.web.contract import headers, schemas, webhooks
from service.web.contract.operations import Found, Operation, operations
from service.web.contract.problems import NAMED, Codes, codes_of, response_of, rules_codes
from service.web.contract.words import WORDS
from service.web.game_schemas import AnyGame

Schema = dict[str, Any]

ABOUT = """\
Turn-based tabletop games for people and bots, by mail if need be. A match is a log of events; what anyone sees of it
is what the part that they were told comes to.

Seats count from 0. A move answers a *decision*; if that one is closed, the answer is 409 and says what is open now.
Every POST takes an `Idempotency-Key`: repeat the request as often as you like, and it acts once. Problems are told by
RFC 9457 with a `code`; what codes an operation can answer stands with each of its statuses. Beside those, a path that
leads nowhere is 404 `unknown-path`, also one of these with something in it that can't be there (`-1` for a number), and
a method that a path lacks 405 `method-not-allowed`. Times are RFC 3339 in UTC.
The interface grows and never shrinks: pass over properties that you don't know.
"""

OF_PLAYERS = {*SCOPES, ACCOUNT}
"""What a session grants."""

BEARER = """\
A token, as `Authorization: Bearer TOKEN`. `POST /api/players` answers one that may do everything a player may;
`POST /api/me/tokens` further ones, with fewer scopes: `match:read` to look at what is yours, `match:play` to play,
`match:create` to open matches, `webhook:write` to have programs of yours told of your matches by webhooks, and to
manage these. `account` manages the account and its tokens. `bot:play` is for workers, who play for the bots of the
house, `admin` for the operator. One of the scopes that an operation names is enough.
"""

COOKIE = """\
The session of a browser, as `POST /api/sessions` sets it with `cookie`: it grants all that a player may. Where the
service is not behind https it is called `foldtable`. What changes something needs `X-CSRF-Token` beside, as
`GET /api/sessions` tells it, and is refused to pages of other sites.
"""


def completed(app: Flask, document: Schema, games: Iterable[AnyGame], examples: Schema) -> Schema:
    """The document with all that is told beside the routes; the rules of these games refuse moves."""
    document["info"] |= {"description": ABOUT, "contact": {"name": "Whoever runs the service"}}
    document["servers"] = [{"url": "/", "description": "Where this document comes from."}]
    components = document["components"]
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": BEARER},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "__Host-foldtable", "description": COOKIE},
    }
    components["parameters"] = headers.PARAMETERS
    components["headers"] = headers.ANSWERED
    schemas.finish(components["schemas"])
    rules = rules_codes(games)
    components["responses"] = {name: response_of(*known) for name, known in NAMED.items()}
    document[headers.EVERYWHERE] = headers.everywhere()
    for found in operations(app):
        told = document["paths"].get(found.path, {}).get(found.method)
        if told is not None and found.told is not None:
            codes = codes_of(found.told, found.method, found.path, _shapes(told), rules)
            _complete(found, found.told, told, codes, examples.get(found.told.id, {}))
    schemas.share(document)
    _keep_used(document)
    return document


def _complete(found: Found, said: Operation, told: Schema, codes: Codes, examples: Schema) -> None:
    told["operationId"] = said.id
    told.setdefault("description", cleandoc(told["summary"]))
    told["security"] = _security(said)
    told["parameters"] = _parameters(found, told)
    answers = told["responses"]
    for status in [status for status in answers if status == "default" or int(status) >= 400]:
        del answers[status]
    for answer in answers.values():
        if own := headers.told_headers(*answer.pop("headers", {})):
            answer["headers"] = own
        if said.links:
            answer["links"] = {name: _link(link) for name, link in said.links.items()}
    for status, some in codes.items():
        answers[str(status)] = _problem(status, some)
    told["responses"] = dict(sorted(answers.items()))
    if said.id == webhooks.MADE_BY:
        told["callbacks"] = webhooks.told()
    _show(told, examples)


def _security(said: Operation) -> list[Schema]:
    tokens: list[Schema] = [{"bearer": [scope]} for scope in said.scopes]
    if set(said.scopes) & OF_PLAYERS:
        tokens.append({"cookie": []})
    if said.needs_token:
        return tokens
    return [{}, *(tokens or [{"bearer": []}])]


def _shapes(told: Schema) -> frozenset[str]:
    queries = [one for one in told["parameters"] if one.get("in") == "query"]
    said = {"query"} if queries else set()
    said |= {"lang"} & {one["name"] for one in queries}
    return frozenset(said | ({"body"} if "requestBody" in told else set()))


def _parameters(found: Found, told: Schema) -> list[Schema]:
    """Those of the shapes, each with a sentence, and the headers that such a request may have."""
    own = [one for one in told.get("parameters", []) if "$ref" not in one]
    for one in own:
        key = f"{{{one['name']}}}" if one["in"] == "path" else f"?{one['name']}"
        if "description" not in one and (said := WORDS.get(f"{found.told and found.told.id}{key}") or WORDS.get(key)):
            one["description"] = said
        if "pattern" in one.get("schema", {}):
            one["schema"]["pattern"] = schemas.in_ecma(one["schema"]["pattern"])
    names = ["RequestId"]
    if found.path.startswith("/api/"):
        names.append("AcceptLanguage")
        if found.method != "get":
            names.append("CsrfToken")
        if found.method != "get" and not any(one["name"] == "lang" for one in own):
            names.append("Lang")
    if found.method == "post":
        names.append("IdempotencyKey")
    if "ETag" in told["responses"].get("200", {}).get("headers", {}):
        names.append("IfNoneMatch")
    return [*own, *({"$ref": f"#/components/parameters/{name}"} for name in sorted(names))]


def _problem(status: int, codes: tuple[str, ...]) -> Schema:
    """Return the answer, or a reference to it where it has a name of its own."""
    name = next((name for name, known in NAMED.items() if known == (status, codes)), None)
    return {"$ref": f"#/components/responses/{name}"} if name else response_of(status, codes)


def _link(link: Any) -> Schema:
    return {"operationId": link.operation, "description": link.about, "parameters": dict(link.parameters)}


def _show(told: Schema, examples: Schema) -> None:
    """Put the examples in, as a running service was asked and has answered."""
    if "body" in examples:
        for kind in told["requestBody"]["content"].values():
            kind["example"] = examples["body"]
    for status, body in examples.get("answers", {}).items():
        content = told["responses"].get(status, {}).get("content", {})
        if "application/json" in content:
            content["application/json"]["example"] = body


def _keep_used(document: Schema) -> None:
    """Leave out what nothing refers to."""
    components = document["components"]
    while True:
        used = {part["$ref"] for part in schemas.parts(document) if isinstance(part.get("$ref"), str)}
        unused = [
            (kind, name)
            for kind in ("headers", "parameters", "responses", "schemas")
            for name in components.get(kind, {})
            if f"#/components/{kind}/{name}" not in used
        ]
        if not unused:
            return
        for kind, name in unused:
            del components[kind][name]
