"""The shapes in the document as clients need them: each property with a sentence, patterns by ECMA 262, and of two
properties that shut each other out a shape each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc
from typing import Any

from service.web.contract.words import WORDS

Schema = dict[str, Any]

EITHER: dict[str, dict[str, tuple[str, str]]] = {
    "MoveWanted": {
        "MoveById": ("id", "A move that answers a decision, by the id that the list of moves gives it."),
        "MoveByFields": ("move", "A move that answers a decision, by its fields."),
    },
    "PlaceWanted": {
        "PlaceForBot": ("bot", "A seat that a bot sits down on."),
        "PlaceForPlayer": ("player", "A seat that is kept for a player, who takes it by `POST …/seats`."),
    },
    "OfferWanted": {
        "OfferToBot": ("bot", "A bot to which a seat is offered, which plays for the seat's player then."),
        "OfferToPlayer": ("player", "A player to whom a seat is offered."),
    },
}
"""Shapes of which exactly one of some properties is said: by the name of the shape that has that one."""


def describe(document: Schema, shapes: Mapping[str, type]) -> None:
    """Say of each shape and each of its properties what it is; `shapes`: of which classes they are, by name."""
    schemas = document["components"]["schemas"]
    for name, shape in shapes.items():
        schemas[name].setdefault("description", cleandoc(shape.__doc__ or ""))
        _describe(schemas[name], [one.__name__ for one in shape.__mro__])


ABOUT_NULL = re.compile(r"(?:;|\.) (?:else )?[Nn]ull\b[^.]*\.$")
"""What a sentence that is for many says of null."""


def _describe(schema: Schema, names: Sequence[str]) -> None:
    properties = schema.get("properties")
    for key, told in properties.items() if isinstance(properties, dict) else ():
        if not isinstance(told, dict) or "description" in told:
            continue
        said = next((word for one in names if (word := WORDS.get(f"{one}.{key}"))), None)
        if said is None and (said := WORDS.get(key)) is not None and not _may_be_null(told):
            said = ABOUT_NULL.sub(".", said)
        if said is not None:
            told["description"] = said


def _may_be_null(told: Schema) -> bool:
    kinds = [told.get("type"), *(one.get("type") for one in told.get("anyOf", []))]
    return any("null" in kind if isinstance(kind, list) else kind == "null" for kind in kinds)


def finish(schemas: dict[str, Schema]) -> None:
    """Have all of them told so that every generator can read them."""
    for name, schema in schemas.items():
        for part in parts(schema):
            _describe(part, [name])
    for part in parts(schemas):
        if isinstance(part.get("pattern"), str):
            part["pattern"] = in_ecma(part["pattern"])
    for name, kinds in EITHER.items():
        if name in schemas:
            split(schemas, name, kinds)


def in_ecma(pattern: str) -> str:
    r"""The pattern as ECMA 262 has it, which knows no `\A` and no `\Z`."""
    return pattern.replace(r"\A", "^").replace(r"\Z", "$")


def split(schemas: dict[str, Schema], name: str, kinds: Mapping[str, tuple[str, str]]) -> None:
    """Tell the shape as one of several, each of which has one of the properties and none of the others."""
    whole, own = schemas[name], {key for key, _ in kinds.values()}
    for kind, (key, about) in kinds.items():
        properties = {one: dict(told) for one, told in whole["properties"].items() if one == key or one not in own}
        properties[key] = without_null(properties[key])
        required = sorted({*whole.get("required", ()), key})
        schemas[kind] = {**whole, "description": about, "properties": properties, "required": required}
    schemas[name] = {
        "description": whole["description"],
        "oneOf": [{"$ref": f"#/components/schemas/{kind}"} for kind in kinds],
    }


def without_null(schema: Schema) -> Schema:
    """The same, but that it must be there."""
    kept = {key: value for key, value in schema.items() if key != "default"}
    if isinstance(kept.get("type"), list):
        kept["type"] = next(one for one in kept["type"] if one != "null")
    if "enum" in kept:
        kept["enum"] = [one for one in kept["enum"] if one is not None]
    if "anyOf" in kept:
        (one,) = [one for one in kept.pop("anyOf") if one != {"type": "null"}]
        kept |= one
    return kept


def parts(value: Any) -> Iterator[Schema]:
    """Every object in it, itself too."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from parts(inner)
