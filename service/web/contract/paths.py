"""The document as the routes tell it: of each operation what it is asked, and what it answers."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from werkzeug.routing import BaseConverter, IntegerConverter

from service.web.contract.components import BASE, components
from service.web.contract.operations import Found, ToldAnswer, operations
from service.web.contract.schemas import describe

Schema = dict[str, Any]

VERSION = "1"
"""Of the interface: it grows, and never shrinks."""


def told(app: Flask, sent: tuple[type[msgspec.Struct], ...]) -> Schema:
    """Return the document, before games and what is told beside the routes are put in.

    Shape:   `sent` are structs that no route names as its answer.
    """
    reader = MarshmallowPlugin()
    spec = APISpec("foldtable", VERSION, "3.1.0", [reader])
    structs, tags = [*sent], dict[str, Schema]()
    for found in operations(app):
        tag = found.endpoint.partition(".")[0]
        tags.setdefault(tag, {"name": tag, "description": vars(app.blueprints[tag])["description"]})
        spec.path(found.path, operations={found.method: _operation(found, tag)})
        structs += [shape for one in found.answers for shape in one.contents.values() if _is_struct(shape)]
    for named in tags.values():
        spec.tag(named)
    document: Schema = spec.to_dict()
    assert reader.converter is not None, "the document has it made"
    describe(document, {name: key[0] for key, name in reader.converter.refs.items()})
    document["components"]["schemas"] |= components(structs)
    return document


def _operation(found: Found, tag: str) -> Schema:
    summary, _, description = cleandoc(found.view.__doc__ or "").partition("\n\n")
    parameters: list[Schema] = [_in_path(name, kind) for name, kind in found.converters.items()]
    told: Schema = {"summary": summary, "tags": [tag], "parameters": parameters}
    if description:
        told["description"] = description
    for one in found.asked:
        if one.location == "json":
            content = {"application/json": {"schema": one.schema}}
            told["requestBody"] = {"required": one.required, "content": content}
        else:
            parameters.append({"in": one.location.removesuffix("s"), "schema": one.schema})
    return told | {"responses": {str(one.status): _answer(one) for one in found.answers}}


def _in_path(name: str, kind: BaseConverter) -> Schema:
    schema: Schema = {"type": "string", "minLength": 1}
    if isinstance(kind, IntegerConverter):
        schema = {"type": "integer", "minimum": 0, "maximum": kind.max}
    return {"in": "path", "name": name, "required": True, "schema": schema}


def _answer(one: ToldAnswer) -> Schema:
    told: Schema = {"description": one.description, "headers": {name: {} for name in one.headers}}
    if one.contents:
        told["content"] = {kind: {"schema": _schema(shape)} for kind, shape in one.contents.items()}
    return told


def _schema(shape: Any) -> Schema:
    return {"$ref": f"{BASE}{shape.__name__}"} if _is_struct(shape) else dict(shape)


def _is_struct(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, msgspec.Struct)
