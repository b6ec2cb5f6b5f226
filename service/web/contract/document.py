"""The OpenAPI document, made of what the routes declare: paths, schemas, problems, headers and examples."""

from __future__ import annotations

import json
from collections.abc import Iterable
from copy import deepcopy
from http import HTTPStatus
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask

from service.accounts import GRANTED
from service.web.contract import schemas
from service.web.contract.games import AnyGame, put_games
from service.web.contract.operations import SAFE, Operation, Success, operations
from service.web.contract.problems import EVERYWHERE, Codes, codes_of, response_of, rules_codes, told_headers
from service.web.contract.schemas import BASE, FIXED, Schema
from service.webhooks import MESSAGES

VERSION = "1"
"""The version of the interface, which grows and never shrinks."""

EXAMPLES = Path(__file__).parent / "examples.json"
"""Requests to a running service and its answers. `make examples` writes them anew."""

NAMES: dict[tuple[int, tuple[str, ...]], str] = {
    (status, tuple(codes)): name
    for name, by_status in FIXED["responses"].items()
    for status, codes in by_status.items()
}
"""The names of the responses that many operations share, by status and codes."""

MADE_BY = "createWebhook"
"""The operation that names the URL of webhooks."""

URL = "{$request.body#/url}"


def examples() -> dict[str, Any]:
    """Return for each operationId the `body` that was sent, and the `answers` by status."""
    content: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return content


def document_of(
    app: Flask, sent: Iterable[type[msgspec.Struct]], games: Iterable[AnyGame], typed: Iterable[AnyGame]
) -> Schema:
    """Return the document of the app's routes.

    Shape:   `sent`: further structs, which are no route's answer; `games`: those whose rules may refuse moves; `typed`:
             those whose options, views, moves and events get schemas. For the others it says that they are objects.
    """
    reader, rules, shown = MarshmallowPlugin(), rules_codes(games), examples()
    spec = APISpec("foldtable", VERSION, "3.1.0", [reader], info=FIXED["info"], servers=FIXED["servers"])
    structs = [*sent]
    for operation in operations(app):
        schema = _operation(operation, codes_of(operation, rules), shown.get(operation.id, {}))
        spec.path(operation.path, operations={operation.method.lower(): schema})
        structs += [shape for answer in operation.answers for shape in answer.contents.values() if _is_struct(shape)]
    for tag in dict.fromkeys(operation.tag for operation in operations(app)):
        spec.tag({"name": tag, "description": vars(app.blueprints[tag])["about"]})
    document: Schema = spec.to_dict()
    assert reader.converter is not None, "to_dict has made it"
    schemas.describe(document, {name: key[0] for key, name in reader.converter.refs.items()})
    components = document["components"]
    components["schemas"] |= schemas.components(structs)
    put_games(document, tuple(typed))
    schemas.finish(components["schemas"])
    components |= deepcopy(FIXED["components"])
    components["responses"] = {name: response_of(*known) for known, name in NAMES.items()}
    document[EVERYWHERE] = told_headers(FIXED[EVERYWHERE])
    for operation in operations(app):
        _describe_parameters(operation, document["paths"][operation.path][operation.method.lower()])
    schemas.share(document)
    schemas.keep_used(document)
    _share_examples(document)
    return document


def _share_examples(document: Schema) -> None:
    """Let answers and bodies of one schema refer to one example of it: the one that has the most to tell."""
    by_schema: dict[str, list[Schema]] = {}
    for part in schemas.parts(document["paths"]):
        if "example" in part and "$ref" in part.get("schema", ()):
            by_schema.setdefault(part["schema"]["$ref"].rpartition("/")[2], []).append(part)
    document["components"]["examples"] = shared = {}
    for name, contents in sorted(by_schema.items()):
        if len(contents) > 1:
            shared[name] = {
                "value": max((one.pop("example") for one in contents), key=lambda one: len(json.dumps(one)))
            }
            for one in contents:
                one["examples"] = {"one": {"$ref": f"#/components/examples/{name}"}}


def example_of(document: Schema, content: Schema) -> Any:
    """Return the example of a body or an answer; None if there is none."""
    if "examples" in content:
        name = content["examples"]["one"]["$ref"].rpartition("/")[2]
        return document["components"]["examples"][name]["value"]
    return content.get("example")


def _operation(operation: Operation, codes: Codes, shown: Schema) -> Schema:
    """Return the operation as apispec takes it. `shown`: its examples."""
    summary, _, description = cleandoc(operation.view.__doc__ or "").partition("\n\n")
    answers = {answer.status: _answer(answer, operation) for answer in operation.answers}
    for status, body in shown.get("answers", {}).items():
        if "application/json" in (content := answers.get(int(status), {}).get("content", {})):
            content["application/json"]["example"] = body
    for status, some in codes.items():
        if status in answers:  # it is a page where one is asked for
            own = response_of(status, some)
            answers[status] = {**own, "content": {**own["content"], **answers[status]["content"]}}
        else:
            answers[status] = _problem(status, some)
    schema: Schema = {
        "operationId": operation.id,
        "summary": summary,
        "description": description or summary,
        "tags": [operation.tag],
        "security": _security(operation),
        "parameters": _parameters(operation),
        "responses": {str(status): answer for status, answer in sorted(answers.items())},
    }
    if operation.body is not None:
        example = {"example": shown["body"]} if "body" in shown else {}
        content = {"application/json": {"schema": operation.body, **example}}
        schema["requestBody"] = {"required": not operation.is_body_optional, "content": content}
    if operation.id == MADE_BY:
        schema["callbacks"] = _webhooks()
    return schema


def _answer(answer: Success, operation: Operation) -> Schema:
    schema: Schema = {"description": answer.about or HTTPStatus(answer.status).phrase}
    if answer.headers:
        schema["headers"] = told_headers(answer.headers)
    if answer.contents:
        schema["content"] = {
            kind: {"schema": {"$ref": f"{BASE}{shape.__name__}"} if _is_struct(shape) else dict(shape)}
            for kind, shape in answer.contents.items()
        }
        if operation.id in FIXED["links"]:
            schema["links"] = FIXED["links"][operation.id]
    return schema


def _is_struct(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, msgspec.Struct)


def _security(operation: Operation) -> list[Schema]:
    tokens: list[Schema] = [{"bearer": [scope]} for scope in operation.scopes]
    if not {*GRANTED}.isdisjoint(operation.scopes):
        tokens.append({"cookie": []})
    if operation.needs_token:
        return tokens
    return [{}, *(tokens or [{"bearer": []}])]


def _parameters(operation: Operation) -> list[Schema | str]:
    """Return the operation's own parameters, and the names of the headers that its requests may have."""
    own: list[Schema] = [_in_path(name, converter) for name, converter in operation.variables.items()]
    for place, shape in (("header", operation.headers), ("query", operation.query)):
        if shape is not None:
            own.append({"in": place, "schema": shape})
    names, is_change = ["RequestId"], operation.method != "GET"
    if operation.path.startswith("/api/"):
        names.append("AcceptLanguage")
        if is_change:
            names.append("CsrfToken")
        if is_change and "lang" not in (operation.query.fields if operation.query else {}):
            names.append("Lang")
    if operation.method == "POST":
        names.append("IdempotencyKey")
    if any("ETag" in answer.headers for answer in operation.answers):
        names.append("IfNoneMatch")
    return [*own, *sorted(names)]


def _in_path(name: str, converter: str) -> Schema:
    schema: Schema = {"type": "string", "minLength": 1}
    if converter == "int":
        schema = {"type": "integer", "minimum": 0, "maximum": SAFE}
    return {"in": "path", "name": name, "required": True, "schema": schema}


def _describe_parameters(operation: Operation, schema: Schema) -> None:
    sentences = dict[str, str]()
    for shape in (operation.query, operation.headers):
        sentences |= {} if shape is None else schemas.sentences_of(type(shape))
    for each in schema["parameters"]:
        if "$ref" in each:
            continue
        about = sentences.get(each["name"]) or FIXED["sentences"].get(each["in"], {}).get(each["name"])
        if "description" not in each and about:
            each["description"] = about
        # null can't be sent; of a schema that allows it, generators make three classes
        each["schema"] = schemas.without_null(each["schema"])


def _problem(status: int, codes: tuple[str, ...]) -> Schema:
    """Return the response, or a reference to it if several operations share it."""
    name = NAMES.get((status, codes))
    return {"$ref": f"#/components/responses/{name}"} if name else response_of(status, codes)


def _webhooks() -> Schema:
    """Return the requests that the service sends, by kind.

    They are callbacks of the operation that makes a webhook: OpenAPI's own `webhooks` are a list of requests to
    nowhere, of which openapi-generator makes code that can't be compiled.
    """
    posts = {}
    for kind, message in MESSAGES.items():
        name, about = message.__name__, str(message.__doc__)
        own = {
            "operationId": f"tell{name.removeprefix('Webhook')}",
            "summary": about,
            "description": f"{about}\n\n{FIXED['webhooks']['about']}",
            "requestBody": {"required": True, "content": {"application/json": {"schema": {"$ref": f"{BASE}{name}"}}}},
        }
        posts[kind] = {URL: {"post": deepcopy(FIXED["webhooks"]["post"]) | own}}
    return posts
