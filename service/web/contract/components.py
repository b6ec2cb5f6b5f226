"""The schemas of answers, made from the structs that are encoded as these answers.

Every sentence in them is the docstring below a field of the struct.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args, get_type_hints

import msgspec

from service.web.written import said_of, sentence

Schema = dict[str, Any]

BASE = "#/components/schemas/"
NULL = {"type": "null"}
SPOKEN = {"$ref": f"{BASE}Spoken"}
"""A text by language. The document calls it any object, since languages may be added."""


def components(structs: Iterable[type[msgspec.Struct]]) -> dict[str, Schema]:
    """Return the schemas of these structs and all structs inside them, by the names of their classes.

    Raises:  ValueError if two different classes have the same name.
    """
    roots = tuple(dict.fromkeys(structs))
    _, schemas = msgspec.json.schema_components(roots, ref_template=f"{BASE}{{name}}")
    if clashing := [name for name in schemas if "." in name]:
        raise ValueError(f"two classes would have one name in the document: {clashing}")
    classes = {cls.__name__: cls for cls in _structs_in(roots)}
    return {name: _component(schema, classes[name]) for name, schema in schemas.items()}


def _structs_in(roots: Iterable[Any]) -> set[type[msgspec.Struct]]:
    """Return these structs, and all structs inside their fields."""
    found: set[type[msgspec.Struct]] = set()
    queue = [*roots]
    while queue:
        kind = queue.pop()
        queue.extend(get_args(kind))
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in found:
            found.add(kind)
            queue.extend(get_type_hints(kind, include_extras=True).values())
    return found


def _component(schema: Schema, cls: type[msgspec.Struct]) -> Schema:
    sentences, properties, required = said_of(cls), {}, []
    for field in msgspec.structs.fields(cls):
        about = {"description": sentences[field.name]} if field.name in sentences else {}
        properties[field.encode_name] = _typed(schema["properties"][field.encode_name]) | about
        if msgspec.UnsetType not in get_args(field.type):
            required.append(field.encode_name)
    whole = {"type": "object", "description": sentence(cls.__doc__), "properties": properties}
    return whole | ({"required": required} if required else {}) | {"additionalProperties": True}


def _typed(part: Schema) -> Schema:
    """Return a field's schema in a form for generators of clients, with null as one of its types."""
    kinds = part.get("anyOf", ())
    if len(kinds) == 2 and kinds[1] == NULL and "$ref" not in kinds[0]:
        kind = _typed(kinds[0])
        return kind | {"type": [kind["type"], "null"]} | ({"enum": [*kind["enum"], None]} if "enum" in kind else {})
    if kinds and all(kind.keys() == {"type"} for kind in kinds):
        return {"type": [kind["type"] for kind in kinds]}
    if part == SPOKEN:
        return {"type": "object", "additionalProperties": {}}
    part = {key: value for key, value in part.items() if key != "default"}
    if "enum" in part:
        part["type"] = "string"
    if "items" in part:
        part["items"] = _typed(part["items"])
    if part.get("type") == "object":
        part.setdefault("additionalProperties", {})
    return part
