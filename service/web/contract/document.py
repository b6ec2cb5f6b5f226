"""The OpenAPI document, made of what the routes declare: paths, schemas, problems, headers and examples."""

from __future__ import annotations

import json
from collections.abc import Iterable
from http import HTTPStatus
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask

from service.accounts import ACCOUNT, SCOPES
from service.web.contract import problems, schemas
from service.web.contract.games import AnyGame
from service.web.contract.operations import SAFE, Operation, Success, operations
from service.web.contract.problems import NAMED, Codes, codes_of, response_of, rules_codes
from service.web.contract.schemas import BASE, Schema, components
from service.web.contract.words import WORDS
from service.webhooks import ID, MESSAGES, SIGNATURE, TIMESTAMP

VERSION = "1"
"""The version of the interface, which grows and never shrinks."""

EXAMPLES = Path(__file__).parent / "examples.json"
"""Requests to a running service and its answers. `make examples` writes them anew."""

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

WEBHOOK = (
    "A POST to the `url` of each of your webhooks with this kind, signed as Standard Webhooks says. It may come more"
    " than once, with the same `webhook-id`. Until it is accepted, it is sent again, for days."
)

WEBHOOK_HEADERS = {
    ID: "The id of the delivery, the same each time it is sent.",
    TIMESTAMP: "When it was sent, in seconds since 1970. Refuse a request that is minutes off.",
    SIGNATURE: "`v1,` and the base64 of HMAC-SHA256 over `webhook-id`.`webhook-timestamp`.body with the webhook's"
    " secret. There is one for each valid secret, with spaces between them.",
}

MADE_BY = "createWebhook"
"""The operation that names the URL of webhooks."""

URL = "{$request.body#/url}"


def examples() -> dict[str, Any]:
    """Return for each operationId the `body` that was sent, and the `answers` by status."""
    content: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return content


def paths_of(app: Flask, sent: tuple[type[msgspec.Struct], ...]) -> Schema:
    """Return the document of the app's routes, without games and without what `completed` adds.

    Shape:   `sent`: further structs, which are no route's answer.
    """
    reader = MarshmallowPlugin()
    spec = APISpec("foldtable", VERSION, "3.1.0", [reader])
    structs, tags = [*sent], dict[str, Schema]()
    for operation in operations(app):
        tags.setdefault(
            operation.tag, {"name": operation.tag, "description": vars(app.blueprints[operation.tag])["about"]}
        )
        spec.path(operation.path, operations={operation.method.lower(): _operation(operation)})
        structs += [shape for answer in operation.answers for shape in answer.contents.values() if _is_struct(shape)]
    for tag in tags.values():
        spec.tag(tag)
    document: Schema = spec.to_dict()
    assert reader.converter is not None, "to_dict has made it"
    schemas.describe(document, {name: key[0] for key, name in reader.converter.refs.items()})
    document["components"]["schemas"] |= components(structs)
    return document


def _operation(operation: Operation) -> Schema:
    summary, _, description = cleandoc(operation.view.__doc__ or "").partition("\n\n")
    parameters: list[Schema] = [_in_path(name, converter) for name, converter in operation.variables.items()]
    for place, shape in (("header", operation.headers), ("query", operation.query)):
        if shape is not None:
            parameters.append({"in": place, "schema": shape})
    schema: Schema = {"summary": summary, "tags": [operation.tag], "parameters": parameters}
    if description:
        schema["description"] = description
    if operation.body is not None:
        content = {"application/json": {"schema": operation.body}}
        schema["requestBody"] = {"required": not operation.is_body_optional, "content": content}
    return schema | {"responses": {str(answer.status): _answer(answer) for answer in operation.answers}}


def _in_path(name: str, converter: str) -> Schema:
    schema: Schema = {"type": "string", "minLength": 1}
    if converter == "int":
        schema = {"type": "integer", "minimum": 0, "maximum": SAFE}
    return {"in": "path", "name": name, "required": True, "schema": schema}


def _answer(answer: Success) -> Schema:
    about = answer.about or HTTPStatus(answer.status).phrase
    schema: Schema = {"description": about, "headers": {name: {} for name in answer.headers}}
    if answer.contents:
        schema["content"] = {
            kind: {"schema": {"$ref": f"{BASE}{shape.__name__}"} if _is_struct(shape) else dict(shape)}
            for kind, shape in answer.contents.items()
        }
    return schema


def _is_struct(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, msgspec.Struct)


def completed(app: Flask, document: Schema, games: Iterable[AnyGame], examples: Schema) -> Schema:
    """Return the document with everything that routes don't declare. `games`: those whose rules may refuse moves."""
    document["info"] |= {"description": ABOUT, "contact": {"name": "The operator of the service"}}
    document["servers"] = [{"url": "/", "description": "The service that this document comes from."}]
    components = document["components"]
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": BEARER},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "__Host-foldtable", "description": COOKIE},
    }
    components["parameters"] = problems.PARAMETERS
    components["headers"] = problems.ANSWERED
    schemas.finish(components["schemas"])
    rules = rules_codes(games)
    components["responses"] = {name: response_of(*known) for name, known in NAMED.items()}
    document[problems.EVERYWHERE] = problems.told_headers(problems.OF_ALL)
    for operation in operations(app):
        schema = document["paths"][operation.path][operation.method.lower()]
        _complete(operation, schema, codes_of(operation, rules), examples.get(operation.id, {}))
    schemas.share(document)
    schemas.keep_used(document)
    return document


def _complete(operation: Operation, schema: Schema, codes: Codes, examples: Schema) -> None:
    schema["operationId"] = operation.id
    schema.setdefault("description", cleandoc(schema["summary"]))
    schema["security"] = _security(operation)
    schema["parameters"] = _parameters(operation, schema)
    answers = schema["responses"]
    for answer in answers.values():
        if own := problems.told_headers(answer.pop("headers", {}).keys() - {*problems.OF_ALL}):
            answer["headers"] = own
        if operation.links:
            answer["links"] = {
                name: {"operationId": link.operation, "description": link.about, "parameters": dict(link.parameters)}
                for name, link in operation.links.items()
            }
    for status, some in codes.items():
        answers[str(status)] = _problem(status, some)
    schema["responses"] = dict(sorted(answers.items()))
    if operation.id == MADE_BY:
        schema["callbacks"] = _webhooks()
    _show(schema, examples)


def _security(operation: Operation) -> list[Schema]:
    tokens: list[Schema] = [{"bearer": [scope]} for scope in operation.scopes]
    if set(operation.scopes) & OF_PLAYERS:
        tokens.append({"cookie": []})
    if operation.needs_token:
        return tokens
    return [{}, *(tokens or [{"bearer": []}])]


def _parameters(operation: Operation, schema: Schema) -> list[Schema]:
    """Return the operation's own parameters, each with a sentence, and the headers that its requests may have."""
    own, sentences = schema["parameters"], dict[str, str]()
    for shape in (operation.query, operation.headers):
        sentences |= {} if shape is None else schemas.sentences_of(type(shape))
    for each in own:
        key = f"{{{each['name']}}}" if each["in"] == "path" else f"?{each['name']}"
        about = sentences.get(each["name"]) or WORDS.get(key)
        if "description" not in each and about:
            each["description"] = about
    names = ["RequestId"]
    if operation.path.startswith("/api/"):
        names.append("AcceptLanguage")
        if operation.method != "GET":
            names.append("CsrfToken")
        if operation.method != "GET" and not any(each["name"] == "lang" for each in own):
            names.append("Lang")
    if operation.method == "POST":
        names.append("IdempotencyKey")
    if "ETag" in schema["responses"].get("200", {}).get("headers", {}):
        names.append("IfNoneMatch")
    return [*own, *({"$ref": f"#/components/parameters/{name}"} for name in sorted(names))]


def _problem(status: int, codes: tuple[str, ...]) -> Schema:
    """Return the response, or a reference to it if several operations share it."""
    name = next((name for name, known in NAMED.items() if known == (status, codes)), None)
    return {"$ref": f"#/components/responses/{name}"} if name else response_of(status, codes)


def _show(schema: Schema, examples: Schema) -> None:
    """Add the examples, which are requests to a running service and its answers."""
    if "body" in examples:
        for kind in schema["requestBody"]["content"].values():
            kind["example"] = examples["body"]
    for status, body in examples.get("answers", {}).items():
        content = schema["responses"].get(status, {}).get("content", {})
        if "application/json" in content:
            content["application/json"]["example"] = body


def _webhooks() -> Schema:
    """Return the requests that the service sends, by kind.

    They are callbacks of the operation that makes a webhook: OpenAPI's own `webhooks` are a list of requests to
    nowhere, of which openapi-generator makes code that can't be compiled.
    """
    headers = [
        {"in": "header", "name": header, "required": True, "description": about, "schema": {"type": "string"}}
        for header, about in WEBHOOK_HEADERS.items()
    ]
    answers = {
        "2XX": {"description": "Accepted. Answer within 10 seconds; only the status is read."},
        "410": {"description": "No more requests are wanted: the webhook is disabled at once."},
        "default": {"description": "Not accepted: it is sent again, after `Retry-After` if the answer has it."},
    }
    posts = {}
    for kind, message in MESSAGES.items():
        name, about = message.__name__, str(message.__doc__)
        body = {"application/json": {"schema": {"$ref": f"{BASE}{name}"}}}
        post = {
            "tags": ["webhooks"],
            "operationId": f"tell{name.removeprefix('Webhook')}",
            "summary": about,
            "description": f"{about}\n\n{WEBHOOK}",
            "security": [],
            "parameters": headers,
            "requestBody": {"required": True, "content": body},
            "responses": answers,
        }
        posts[kind] = {URL: {"post": post}}
    return posts
