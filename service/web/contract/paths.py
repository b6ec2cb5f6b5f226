"""The document of the routes: the requests and answers of each operation."""

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
"""The version of the interface, which grows and never shrinks."""


def told(app: Flask, sent: tuple[type[msgspec.Struct], ...]) -> Schema:
    """Return the document of the app's routes, without games and without what `complete` adds.

    Shape:   `sent`: further structs, which are no route's answer.
    """
    reader = MarshmallowPlugin()
    spec = APISpec("foldtable", VERSION, "3.1.0", [reader])
    structs, tags = [*sent], dict[str, Schema]()
    for found in operations(app):
        tag = found.endpoint.partition(".")[0]
        tags.setdefault(tag, {"name": tag, "description": vars(app.blueprints[tag])["description"]})
        spec.path(found.path, operations={found.method: _operation(found, tag)})
        structs += [shape for answer in found.answers for shape in answer.contents.values() if _is_struct(shape)]
    for named in tags.values():
        spec.tag(named)
    document: Schema = spec.to_dict()
    assert reader.converter is not None, "to_dict has made it"
    describe(document, {name: key[0] for key, name in reader.converter.refs.items()})
    document["components"]["schemas"] |= components(structs)
    return document


def _operation(found: Found, tag: str) -> Schema:
    summary, _, description = cleandoc(found.view.__doc__ or "").partition("\n\n")
    parameters: list[Schema] = [_in_path(name, kind) for name, kind in found.converters.items()]
    schema: Schema = {"summary": summary, "tags": [tag], "parameters": parameters}
    if description:
        schema["description"] = description
    for part in found.asked:
        if part.location == "json":
            content = {"application/json": {"schema": part.schema}}
            schema["requestBody"] = {"required": part.required, "content": content}
        else:
            parameters.append({"in": part.location.removesuffix("s"), "schema": part.schema})
    return schema | {"responses": {str(answer.status): _answer(answer) for answer in found.answers}}


def _in_path(name: str, kind: BaseConverter) -> Schema:
    schema: Schema = {"type": "string", "minLength": 1}
    if isinstance(kind, IntegerConverter):
        schema = {"type": "integer", "minimum": 0, "maximum": kind.max}
    return {"in": "path", "name": name, "required": True, "schema": schema}


def _answer(answer: ToldAnswer) -> Schema:
    schema: Schema = {"description": answer.description, "headers": {name: {} for name in answer.headers}}
    if answer.contents:
        schema["content"] = {kind: {"schema": _schema(shape)} for kind, shape in answer.contents.items()}
    return schema


def _schema(shape: Any) -> Schema:
    return {"$ref": f"{BASE}{shape.__name__}"} if _is_struct(shape) else dict(shape)


def _is_struct(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, msgspec.Struct)
