"""The OpenAPI document as pages: a list of what there is, and a page for each operation and each schema.

A script opens them in the list; without one their names lead there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from flask import Response, abort, current_app
from markupsafe import Markup, escape

from service.web.contract import example_of
from service.web.contract.schemas import Schema
from service.web.pages import page

TEXTS = page.texts_of("docs")

blueprint = page.blueprint("docs", url_prefix="/docs")

BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format", "default")

_CODE = re.compile(r"`([^`]+)`")
_STRONG = re.compile(r"\*([^*\n]+)\*")


def contents() -> Response:
    """Return the page with the list."""
    document = whole()
    tags = {tag["name"]: {**tag, "operations": []} for tag in document["tags"]}
    for one in operations(document):
        tags[one["tags"][0]]["operations"].append(one)
    return _shown(
        "docs.html.j2",
        info=document["info"],
        tags=tags.values(),
        schemas=document["components"]["schemas"],
        schemes=document["components"]["securitySchemes"],
    )


@blueprint.get("/operations/<string:operation>")
def operation(operation: str) -> Response:
    """Show an operation: its parameters, its body and its answers."""
    found = [one for one in operations(whole()) if one["operationId"] == operation]
    return _shown("docs_one.html.j2", one=found[0], schema=None, name=operation) if found else abort(404)


@blueprint.get("/schemas/<string:schema>")
def schema(schema: str) -> Response:
    """Show a schema: its properties."""
    found = whole()["components"]["schemas"].get(schema)
    return _shown("docs_one.html.j2", one=None, schema=found, name=schema) if found is not None else abort(404)


def whole() -> Schema:
    """Return the document."""
    document: Schema = current_app.extensions["document"]()
    return document


def operations(document: Schema) -> Iterator[Schema]:
    """Yield the operations with their paths and methods."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield {**operation, "path": path, "method": method}


def _shown(template: str, **told: Any) -> Response:
    document = whole()
    return page.shown(
        template,
        TEXTS,
        prose=prose,
        kind=kind,
        bounds=bounds,
        resolved=lambda value: resolved(document, value),
        example_of=lambda content: example_of(document, content),
        pretty=lambda value: json.dumps(value, ensure_ascii=False, indent=2),
        **told,
    )


def resolved(document: Schema, value: Schema) -> Schema:
    """Return what a reference refers to; any other value unchanged."""
    while "$ref" in value:
        target: Any = document
        for part in value["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        value = target
    return value


def prose(text: str) -> Markup:
    """Return a text as paragraphs of HTML, with backticks as code."""
    marked = (
        _STRONG.sub(r"<em>\1</em>", _CODE.sub(r"<code>\1</code>", str(escape(paragraph))))
        for paragraph in text.strip().split("\n\n")
    )
    return Markup("".join(f"<p>{paragraph}</p>" for paragraph in marked))


def kind(schema: Schema) -> Markup:
    """Return the type of a value in one line, with links to schemas."""
    if "$ref" in schema:
        return Markup('<a href="/docs#schema-{0}">{0}</a>').format(schema["$ref"].rpartition("/")[2])
    for key, between in (("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")):
        if key in schema:
            return Markup(between).join(kind(each) for each in schema[key])
    if "const" in schema:
        return Markup("<code>{}</code>").format(json.dumps(schema["const"]))
    if "enum" in schema:
        return Markup(" | ").join(Markup("<code>{}</code>").format(json.dumps(each)) for each in schema["enum"])
    types = schema.get("type", "anything")
    words = types if isinstance(types, list) else [types]
    return Markup(" or ").join(
        Markup("array of {}").format(kind(schema["items"])) if word == "array" and "items" in schema else escape(word)
        for word in words
    )


def bounds(schema: Schema) -> str:
    """Return the limits of a value, besides its type."""
    return ", ".join(f"{name} {json.dumps(schema[name])}" for name in BOUNDS if schema.get(name) is not None)
