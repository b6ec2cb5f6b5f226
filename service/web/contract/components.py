"""The schemas of answers, made from the structs that are encoded as these answers.

Every sentence in them stands in the struct, below the field that it is about, or in the field's `Meta`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from service.web.written import said_of, sentence

Schema = dict[str, Any]
Struct = type[msgspec.Struct]

BASE = "#/components/schemas/"
NULL = {"type": "null"}


def components(structs: Iterable[Struct]) -> dict[str, Schema]:
    """Return the schemas of these structs and of all that they are made of, by the names of their classes.

    Raises:  ValueError where two different classes have one name.
    """
    roots = tuple(dict.fromkeys(structs))
    _, schemas = msgspec.json.schema_components(roots, ref_template=f"{BASE}{{name}}")
    if clashing := [name for name in schemas if "." in name]:
        raise ValueError(f"in the document two classes would have one name: {clashing}")
    classes = {cls.__name__: cls for root in roots for cls in classes_in(root)}
    return {name: _component(schema, classes[name]) for name, schema in schemas.items()}


def classes_in(root: Any) -> set[type]:
    """Return every struct and every enum that a type is made of, itself too."""
    found: set[type] = set()
    queue = [root]
    while queue:
        kind = queue.pop()
        queue.extend(get_args(kind))
        if isinstance(kind, type) and kind not in found and issubclass(kind, Enum | msgspec.Struct):
            found.add(kind)
            if issubclass(kind, msgspec.Struct):
                queue.extend(get_type_hints(kind, include_extras=True).values())
    return found


def _component(schema: Schema, cls: type) -> Schema:
    about = {"description": sentence(cls.__doc__)}
    if not issubclass(cls, msgspec.Struct):
        return {"type": "string", "enum": schema["enum"], **about}
    said = said_of(cls)
    properties = {
        field.encode_name: _typed(schema["properties"][field.encode_name], _words(field.type))
        | ({"description": said[field.name]} if field.name in said else {})
        for field in msgspec.structs.fields(cls)
    }
    required = [
        field.encode_name for field in msgspec.structs.fields(cls) if msgspec.UnsetType not in get_args(field.type)
    ]
    return {"type": "object", **about, "properties": properties, "required": required, "additionalProperties": True}


def _words(kind: Any) -> list[Any]:
    """Return the words of the literals that a type is made of, in the order in which they are declared."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [word for one in get_args(kind) for word in _words(one)]


def _typed(part: Schema, words: list[Any]) -> Schema:
    """Return a field's schema as generators of clients read it: null is one of its types, and words are strings."""
    if len(kinds := part.get("anyOf", ())) == 2 and kinds[1] == NULL and "$ref" not in kinds[0]:
        typed = _typed(kinds[0], words) | {key: value for key, value in part.items() if key != "anyOf"}
        typed["type"] = [typed["type"], "null"]
        return typed | ({"enum": [*typed["enum"], None]} if "enum" in typed else {})
    part = {key: value for key, value in part.items() if key not in ("default", "title")}
    if "items" in part:
        part["items"] = _typed(part["items"], words)
    if "enum" in part:
        part |= {"type": "string", "enum": sorted(part["enum"], key=words.index)}
    if "object" in part.get("type", ()) and "additionalProperties" not in part:
        part["additionalProperties"] = {}
    return part
