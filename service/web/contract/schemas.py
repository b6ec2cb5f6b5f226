"""The schemas of the document: of answers, made from their structs, and of requests, adapted for clients.

Each property gets a sentence: the docstring below a field of the struct, or one of `fixed.yaml`. A schema with
properties that exclude each other becomes one schema for each of them.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import marshmallow
import msgspec

Schema = dict[str, Any]

BASE = "#/components/schemas/"
NULL = {"type": "null"}
SPOKEN = {"$ref": f"{BASE}Spoken"}
"""A text by language. The document calls it any object, since languages may be added."""

FIXED: dict[str, Any] = msgspec.yaml.decode((Path(__file__).parent / "fixed.yaml").read_bytes())
"""What the document says besides what the routes declare: the content of the file, whose comments explain it. It must
not be changed.
"""

SHARED = {frozenset(schema["enum"]): name for name, schema in FIXED["schemas"].items() if "enum" in schema}
"""The names of lists of words."""

ABOUT_NULL = re.compile(r"; (?:else )?null\b[^.;]*\.$")
"""The part about null of a sentence in `fixed.yaml`; it is left out where a property can't be null."""


# Docstrings


@cache
def said_of(cls: type) -> dict[str, str]:
    """Return the docstring below each field or member as one line, inherited ones included."""
    sentences: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__ != "builtins" and base.__module__ in sys.modules:
            sentences |= _classes(base.__module__).get(base.__name__, {})
    return sentences


def sentence(text: str | None) -> str:
    """Return a docstring with each paragraph as one line."""
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(text or "").split("\n\n"))


@cache
def _classes(module: str) -> dict[str, dict[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):
        return {}  # built-in modules have no source
    return {node.name: dict(_said(node)) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _said(node: ast.ClassDef) -> list[tuple[str, str]]:
    sentences = []
    for field, text in pairwise(node.body):
        targets = [field.target] if isinstance(field, ast.AnnAssign) else getattr(field, "targets", [None])
        target = targets[0]
        if isinstance(target, ast.Name) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            sentences.append((target.id, sentence(str(text.value.value))))
    return sentences


# Answers


def components(structs: Iterable[type[msgspec.Struct]]) -> dict[str, Schema]:
    """Return the schemas of these structs and all structs inside them, by the names of their classes.

    Raises:  ValueError if two different classes have the same name.
    """
    roots = tuple(dict.fromkeys(structs))
    _, schemas = msgspec.json.schema_components(roots, ref_template=f"{BASE}{{name}}")
    if clashing := [name for name in schemas if "." in name]:
        raise ValueError(f"two classes would have one name in the document: {clashing}")
    classes = {cls.__name__: cls for root in roots for cls in within(root)}
    return {name: _component(schema, classes[name]) for name, schema in schemas.items()}


def within(kind: Any) -> Iterator[Any]:
    """Yield every enum and struct inside a type, and the type itself if it is one."""
    seen: set[Any] = set()
    queue = [kind]
    while queue:
        inner = queue.pop()
        queue.extend(get_args(inner))
        cls = get_origin(inner) or inner
        if isinstance(cls, type) and cls not in seen and issubclass(cls, Enum | msgspec.Struct):
            seen.add(cls)
            yield cls
            if issubclass(cls, msgspec.Struct):
                queue.extend(get_type_hints(cls, include_extras=True).values())


def _component(schema: Schema, cls: type[Enum | msgspec.Struct]) -> Schema:
    if issubclass(cls, Enum):
        return enum_of(cls)
    sentences, properties, required = said_of(cls), {}, []
    for field in msgspec.structs.fields(cls):
        about = {"description": sentences[field.name]} if field.name in sentences else {}
        properties[field.encode_name] = _typed(schema["properties"][field.encode_name]) | about
        if msgspec.UnsetType not in get_args(field.type):
            required.append(field.encode_name)
    whole = {"type": "object", "description": sentence(cls.__doc__), "properties": properties}
    return whole | ({"required": required} if required else {}) | {"additionalProperties": True}


def enum_of(cls: type[Enum]) -> Schema:
    """Return the schema of an enum of words, with what each of them means."""
    sentences = said_of(cls)
    meanings = [f"- `{member.value}`: {sentences[member.name]}" for member in cls if member.name in sentences]
    return {
        "type": "string",
        "description": "\n".join([sentence(cls.__doc__), *(["", *meanings] if meanings else [])]),
        "enum": [member.value for member in cls],
    }


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


# The whole document


def describe(document: Schema, shapes: Mapping[str, type[marshmallow.Schema]]) -> None:
    """Add sentences to schemas of requests and to their properties. `shapes`: their classes, by the schema's name."""
    for name, shape in shapes.items():
        schema = document["components"]["schemas"][name]
        schema.setdefault("description", inspect.cleandoc(shape.__doc__ or ""))
        for key, text in sentences_of(shape).items():
            schema["properties"][key]["description"] = text


def sentences_of(shape: type[marshmallow.Schema]) -> dict[str, str]:
    """Return the docstrings below the fields of a schema of requests, by the fields' names in requests."""
    sentences = said_of(shape)
    own = {name: field for name, field in shape._declared_fields.items() if name in sentences}
    return {field.data_key or name: sentences[name] for name, field in own.items()}


def _may_be_null(schema: Schema) -> bool:
    return "null" in schema.get("type", ()) or NULL in schema.get("anyOf", ())


def finish(schemas: dict[str, Schema]) -> None:
    """Change the schemas so that every generator can read them."""
    sentences = FIXED["sentences"]["property"]
    for schema in schemas.values():
        for part in parts(schema):
            properties = part.get("properties")
            for key, inner in properties.items() if isinstance(properties, dict) else ():
                if isinstance(inner, dict) and (about := sentences.get(key)) is not None:
                    inner.setdefault("description", about if _may_be_null(inner) else ABOUT_NULL.sub(".", about))
    for name, kinds in FIXED["either"].items():
        if name in schemas:
            split(schemas, name, kinds)


def split(schemas: dict[str, Schema], name: str, kinds: Mapping[str, tuple[str, str]]) -> None:
    """Replace a schema by one of several, each of which has one of the properties and none of the others."""
    whole, own = schemas[name], {key for key, _ in kinds.values()}
    for kind, (key, about) in kinds.items():
        shared = whole["properties"].items()
        properties = {each: dict(part) for each, part in shared if each == key or each not in own}
        properties[key] = without_null(properties[key])
        required = sorted({*whole.get("required", ()), key})
        schemas[kind] = {**whole, "description": about, "properties": properties, "required": required}
    schemas[name] = {
        "description": whole["description"],
        "oneOf": [{"$ref": f"{BASE}{kind}"} for kind in kinds],
    }


def without_null(schema: Schema) -> Schema:
    """Return the schema without a default, of a value that can't be null."""
    kept = {key: value for key, value in schema.items() if key != "default"}
    if isinstance(kept.get("type"), list):
        kept["type"] = next(kind for kind in kept["type"] if kind != "null")
    if "enum" in kept:
        kept["enum"] = [word for word in kept["enum"] if word is not None]
    if "anyOf" in kept:
        (only,) = [part for part in kept.pop("anyOf") if part != NULL]
        kept |= only
    return kept


def share(document: Schema) -> None:
    """Replace enums and plain objects that occur in several places by references to one schema.

    Generators make a class for each schema without a name.
    """
    components = document["components"]
    for part in parts(
        {"paths": document["paths"], "parameters": components["parameters"], "all": components["schemas"]}
    ):
        for key, inner in part.items():
            if key in ("example", "default") or not isinstance(inner, dict):
                continue
            if name := _name_of(inner):
                part[key] = reference(inner, {"$ref": f"{BASE}{name}"})
            elif None in inner.get("enum", ()):
                part[key] = reference(inner, {"type": "string", "enum": [word for word in inner["enum"] if word]})
    components["schemas"] |= FIXED["schemas"]


def _name_of(schema: Schema) -> str | None:
    """Return the name of the shared schema for this one; None if it is not shared."""
    if isinstance(words := schema.get("enum"), list) and "string" in schema.get("type", ()):
        return SHARED.get(frozenset(words) - {None})
    is_plain = schema.get("additionalProperties") == {} and "object" in schema.get("type", ())
    return "Anything" if is_plain else None


def reference(schema: Schema, to: Schema) -> Schema:
    """Return a reference in place of the schema, which allows null if the schema does."""
    kept = {key: value for key, value in schema.items() if key in ("description", "default")}
    return {**({"anyOf": [to, NULL]} if "null" in schema["type"] else to), **kept}


def parts(value: Any) -> Iterator[Schema]:
    """Yield every object inside the value, and the value itself if it is one."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from parts(inner)


def keep_used(document: Schema) -> None:
    """Remove the schemas to which nothing refers."""
    schemas = document["components"]["schemas"]
    while unused := schemas.keys() - {str(part.get("$ref")).removeprefix(BASE) for part in parts(document)}:
        for name in unused:
            del schemas[name]
