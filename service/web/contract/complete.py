"""Completes the document: each operation gets its name, security, parameters, problems and examples."""

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
Turn-based tabletop games for people and bots, also by mail. A match is a log of events. Everybody sees the part of it
that they may read.

Seats count from 0. A move answers a *decision*; if the decision is closed, the answer is 409 and contains the open one.
Every POST takes an `Idempotency-Key`: repeat the request as often as you like, and it acts once. Problems follow
RFC 9457, with a `code`; each status of an operation lists its codes. Besides these, an unknown path is 404
`unknown-path`, also a known one with an impossible value (`-1` for a number), and a method that a path lacks is 405
`method-not-allowed`. Times are RFC 3339 in UTC.
The interface grows and never shrinks: ignore properties that you don't know.
"""

OF_PLAYERS = {*SCOPES, ACCOUNT}
"""The scopes of a session."""

BEARER = """\
A token, as `Authorization: Bearer TOKEN`. `POST /api/players` returns one that may do everything a player may;
`POST /api/me/tokens` returns further ones, with fewer scopes: `match:read` to look at what is yours, `match:play` to
play, `match:create` to open matches, `webhook:write` to manage webhooks, which tell your programs about your matches.
`account` manages the account and its tokens. `bot:play` is for workers, which play the service's bots, `admin` for the
operator. A token needs only one of the scopes that an operation names.
"""

COOKIE = """\
The session of a browser, which `POST /api/sessions` sets with `cookie`: it may do everything a player may. If the
service is not behind https, the cookie is called `foldtable`. A request that changes something also needs
`X-CSRF-Token`, which `GET /api/sessions` returns, and is refused if it comes from a page of another site.
"""


def completed(app: Flask, document: Schema, games: Iterable[AnyGame], examples: Schema) -> Schema:
    """Return the document with everything that routes don't declare. `games`: those whose rules may refuse moves."""
    document["info"] |= {"description": ABOUT, "contact": {"name": "The operator of the service"}}
    document["servers"] = [{"url": "/", "description": "The service that this document comes from."}]
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
        schema = document["paths"].get(found.path, {}).get(found.method)
        if schema is not None and found.told is not None:
            codes = codes_of(found.told, found.method, found.path, _shapes(schema), rules)
            _complete(found, found.told, schema, codes, examples.get(found.told.id, {}))
    schemas.share(document)
    _keep_used(document)
    return document


def _complete(found: Found, operation: Operation, schema: Schema, codes: Codes, examples: Schema) -> None:
    schema["operationId"] = operation.id
    schema.setdefault("description", cleandoc(schema["summary"]))
    schema["security"] = _security(operation)
    schema["parameters"] = _parameters(found, schema)
    answers = schema["responses"]
    for status in [status for status in answers if status == "default" or int(status) >= 400]:
        del answers[status]
    for answer in answers.values():
        if own := headers.told_headers(*answer.pop("headers", {})):
            answer["headers"] = own
        if operation.links:
            answer["links"] = {name: _link(link) for name, link in operation.links.items()}
    for status, some in codes.items():
        answers[str(status)] = _problem(status, some)
    schema["responses"] = dict(sorted(answers.items()))
    if operation.id == webhooks.MADE_BY:
        schema["callbacks"] = webhooks.told()
    _show(schema, examples)


def _security(operation: Operation) -> list[Schema]:
    tokens: list[Schema] = [{"bearer": [scope]} for scope in operation.scopes]
    if set(operation.scopes) & OF_PLAYERS:
        tokens.append({"cookie": []})
    if operation.needs_token:
        return tokens
    return [{}, *(tokens or [{"bearer": []}])]


def _shapes(schema: Schema) -> frozenset[str]:
    names = {parameter["name"] for parameter in schema["parameters"] if parameter.get("in") == "query"}
    shapes = ({"query"} if names else set()) | ({"lang"} & names)
    return frozenset(shapes | ({"body"} if "requestBody" in schema else set()))


def _parameters(found: Found, schema: Schema) -> list[Schema]:
    """Return the operation's own parameters, each with a sentence, and the headers that its requests may have."""
    own = [parameter for parameter in schema.get("parameters", []) if "$ref" not in parameter]
    for each in own:
        key = f"{{{each['name']}}}" if each["in"] == "path" else f"?{each['name']}"
        about = WORDS.get(f"{found.told and found.told.id}{key}") or WORDS.get(key)
        if "description" not in each and about:
            each["description"] = about
        if "pattern" in each.get("schema", {}):
            each["schema"]["pattern"] = schemas.in_ecma(each["schema"]["pattern"])
    names = ["RequestId"]
    if found.path.startswith("/api/"):
        names.append("AcceptLanguage")
        if found.method != "get":
            names.append("CsrfToken")
        if found.method != "get" and not any(each["name"] == "lang" for each in own):
            names.append("Lang")
    if found.method == "post":
        names.append("IdempotencyKey")
    if "ETag" in schema["responses"].get("200", {}).get("headers", {}):
        names.append("IfNoneMatch")
    return [*own, *({"$ref": f"#/components/parameters/{name}"} for name in sorted(names))]


def _problem(status: int, codes: tuple[str, ...]) -> Schema:
    """Return the response, or a reference to it if several operations share it."""
    name = next((name for name, known in NAMED.items() if known == (status, codes)), None)
    return {"$ref": f"#/components/responses/{name}"} if name else response_of(status, codes)


def _link(link: Any) -> Schema:
    return {"operationId": link.operation, "description": link.about, "parameters": dict(link.parameters)}


def _show(schema: Schema, examples: Schema) -> None:
    """Add the examples, which are requests to a running service and its answers."""
    if "body" in examples:
        for kind in schema["requestBody"]["content"].values():
            kind["example"] = examples["body"]
    for status, body in examples.get("answers", {}).items():
        content = schema["responses"].get(status, {}).get("content", {})
        if "application/json" in content:
            content["application/json"]["example"] = body


def _keep_used(document: Schema) -> None:
    """Remove the components to which nothing refers."""
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
