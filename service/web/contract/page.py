"""The document as a page to read: made here, so that it needs no script, no network and no other's code."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from service.web.contract.problems import CODES

Schema = dict[str, Any]

FOLDER = Path(__file__).parent
STYLE = (FOLDER / "page.css").read_text(encoding="utf-8")

BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format", "default")

_CODE = re.compile(r"`([^`]+)`")
_STRONG = re.compile(r"\*([^*\n]+)\*")
_environment = Environment(
    loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


def rendered(document: Schema) -> str:
    """The page; it is made once, since a document is what it is as long as a process runs."""
    return _rendered(json.dumps(document))


@lru_cache(maxsize=2)
def _rendered(document: str) -> str:
    told = json.loads(document)
    tags = [
        {**tag, "operations": [one for one in _operations(told) if tag["name"] in one["tags"]]} for tag in told["tags"]
    ]
    return _environment.get_template("page.html.j2").render(
        info=told["info"],
        tags=tags,
        schemas=told["components"]["schemas"],
        bearer=told["components"]["securitySchemes"],
        prose=prose,
        kind=kind,
        bounds=bounds,
        name_of=name_of,
        resolved=lambda value: resolved(told, value),
        pretty=lambda value: json.dumps(value, ensure_ascii=False, indent=2),
        codes=lambda answer: codes(told, answer),
    )


def _operations(document: Schema) -> list[Schema]:
    return [
        {**told, "path": path, "method": method}
        for path, methods in document["paths"].items()
        for method, told in methods.items()
        if isinstance(told, dict) and "operationId" in told
    ]


def resolved(document: Schema, value: Schema) -> Schema:
    """What a reference refers to; anything else itself."""
    found = value
    while "$ref" in found:
        where: Any = document
        for part in found["$ref"].removeprefix("#/").split("/"):
            where = where[part]
        found = where
    return found


def name_of(value: Schema) -> str:
    """The last word of a reference."""
    return str(value["$ref"]).rpartition("/")[2]


def codes(document: Schema, answer: Schema) -> list[str]:
    """The codes that a problem can have."""
    found: list[str] = resolved(document, answer).get(CODES, [])
    return found


def prose(text: str) -> Markup:
    """Paragraphs, with what stands in backticks as code."""
    marked = (
        _STRONG.sub(r"<em>\1</em>", _CODE.sub(r"<code>\1</code>", str(escape(one))))
        for one in text.strip().split("\n\n")
    )
    return Markup("".join(f"<p>{one}</p>" for one in marked))


def kind(schema: Schema) -> Markup:
    """Of which kind a value is, in a line; shapes as links to where they are told."""
    if "$ref" in schema:
        name = name_of(schema)
        return Markup('<a href="#schema-{0}">{0}</a>').format(name)
    for key, between in (("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")):
        if key in schema:
            return Markup(between).join(kind(one) for one in schema[key])
    if "const" in schema:
        return Markup("<code>{}</code>").format(json.dumps(schema["const"]))
    if "enum" in schema:
        return Markup(" | ").join(Markup("<code>{}</code>").format(json.dumps(one)) for one in schema["enum"])
    said = schema.get("type", "anything")
    words = said if isinstance(said, list) else [said]
    return Markup(" or ").join(
        Markup("array of {}").format(kind(schema["items"])) if word == "array" and "items" in schema else escape(word)
        for word in words
    )


def bounds(schema: Schema) -> str:
    """What it is held to, beside its kind."""
    return ", ".join(f"{name} {json.dumps(schema[name])}" for name in BOUNDS if schema.get(name) is not None)
