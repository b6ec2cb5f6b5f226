"""The document as a page to read, which needs no script and loads nothing from elsewhere."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from service.web.contract.schemas import Schema

FOLDER = Path(__file__).parent
STYLE = (FOLDER / "page.css").read_text(encoding="utf-8")

BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format", "default")

_CODE = re.compile(r"`([^`]+)`")
_STRONG = re.compile(r"\*([^*\n]+)\*")
_environment = Environment(
    loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


def rendered(document: Schema) -> str:
    """Return the page. It is made once, since the document does not change while the process runs."""
    return _rendered(json.dumps(document))


@lru_cache(maxsize=2)
def _rendered(document: str) -> str:
    parsed = json.loads(document)
    operations = [
        {**operation, "path": path, "method": method}
        for path, methods in parsed["paths"].items()
        for method, operation in methods.items()
    ]
    tags = [
        {**tag, "operations": [each for each in operations if tag["name"] in each["tags"]]} for tag in parsed["tags"]
    ]
    return _environment.get_template("page.html.j2").render(
        info=parsed["info"],
        tags=tags,
        schemas=parsed["components"]["schemas"],
        schemes=parsed["components"]["securitySchemes"],
        prose=prose,
        kind=kind,
        bounds=bounds,
        resolved=lambda value: resolved(parsed, value),
        pretty=lambda value: json.dumps(value, ensure_ascii=False, indent=2),
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
        return Markup('<a href="#schema-{0}">{0}</a>').format(schema["$ref"].rpartition("/")[2])
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
