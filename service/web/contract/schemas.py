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


ENUMS: dict[tuple[str, ...], tuple[str, str]] = {
    ("en", "ja"): ("Language", "A language in which texts are told."),
    ("open", "playing", "finished", "aborted"): ("Status", "How far a match is."),
    ("public", "link", "private"): ("Visibility", "Who may look at a match."),
    ("played", "agreement", "operator", "pause"): ("Ending", "How a match came to be over."),
    ("seats", "after", "open", "none"): ("Audience", "Who hears what is said at a table."),
    ("turn", "match.started", "match.finished", "invitation", "reminder"): (
        "WebhookKind",
        "What a webhook is told of.",
    ),
    ("random", "greedy", "eager"): ("BotName", "A bot of the service, by its name."),
    ("human", "bot"): ("AccountKind", "Whether a person or a program has the account."),
    ("human", "bot", "erased"): ("PlayerKind", "Whether a person or a program plays, or an account that is gone."),
    ("=", "!=", "<", "<=", ">", ">="): ("Relation", "How two numbers are compared."),
    ("each", "digest", "none"): ("TurnMails", "For which turns mails are sent."),
    ("token", "session"): ("TokenKind", "Whether a token was made by hand, or handed out for a password."),
    ("address", "account"): ("CountedBy", "By what requests are counted."),
}
"""Names and sentences of the lists of words that stand in several shapes, so that a client has one class for each."""

SHARED = {frozenset(words): name for words, (name, _) in ENUMS.items()}

ANYTHING: Schema = {"type": "object", "additionalProperties": {}}
"""The schema of an object that is told elsewhere."""

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


def share(document: Schema) -> None:
    """Give what stands in several places one name: lists of words, and objects that are told elsewhere.

    Generators make a class of each schema without a name, and three of one that may be null in a query, where nothing
    can be null.
    """
    components = document["components"]
    for part in parts({"paths": document["paths"], "parameters": components["parameters"]}):
        if "in" in part and "schema" in part:
            part["schema"] = without_null(part["schema"])
    named = {
        name: {"type": "string", "description": about, "enum": list(words)} for words, (name, about) in ENUMS.items()
    }
    for part in parts(
        {"paths": document["paths"], "parameters": components["parameters"], "all": components["schemas"]}
    ):
        for key, inner in part.items():
            if key in ("example", "default") or not isinstance(inner, dict):
                continue
            if name := _name_of(inner):
                part[key] = _reference(inner, {"$ref": f"#/components/schemas/{name}"})
            elif None in inner.get("enum", ()):
                part[key] = _reference(inner, {"type": "string", "enum": [word for word in inner["enum"] if word]})
    components["schemas"] |= named
    components["schemas"]["Anything"] = {**ANYTHING, "description": "An object whose shape is told elsewhere."}


def _name_of(schema: Schema) -> str | None:
    """Return the name by which such a schema is shared."""
    if isinstance(words := schema.get("enum"), list) and "string" in schema.get("type", ()):
        return SHARED.get(frozenset(words) - {None})
    is_plain = schema.get("additionalProperties") == {} and "object" in schema.get("type", ())
    return "Anything" if is_plain else None


def _reference(schema: Schema, to: Schema) -> Schema:
    """Return what stands for the schema: the other one, or null where it may be null."""
    kept = {key: value for key, value in schema.items() if key in ("description", "default")}
    return {**({"anyOf": [to, {"type": "null"}]} if "null" in schema["type"] else to), **kept}


def parts(value: Any) -> Iterator[Schema]:
    """Every object in it, itself too."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from parts(inner)
