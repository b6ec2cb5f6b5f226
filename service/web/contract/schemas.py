"""Adapts the document's schemas for clients: each property gets a sentence, patterns follow ECMA 262, and a schema with
properties that exclude each other becomes one schema for each of them.
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
        "MoveById": ("id", "A move that answers a decision, by its id in the list of moves."),
        "MoveByFields": ("move", "A move that answers a decision, by its fields."),
    },
    "PlaceWanted": {
        "PlaceForBot": ("bot", "A seat for a bot, which sits down at once."),
        "PlaceForPlayer": ("player", "A seat that is kept for a player, who takes it with `POST …/seats`."),
    },
    "OfferWanted": {
        "OfferToBot": ("bot", "A bot to which a seat is offered; it would play for the seat's player."),
        "OfferToPlayer": ("player", "A player to whom a seat is offered."),
    },
}
"""Schemas of which exactly one of some properties is sent: by name, the schema that has this property."""


def describe(document: Schema, shapes: Mapping[str, type]) -> None:
    """Add sentences to schemas of requests and to their properties. `shapes`: their classes, by the schema's name."""
    schemas = document["components"]["schemas"]
    for name, shape in shapes.items():
        schemas[name].setdefault("description", cleandoc(shape.__doc__ or ""))
        _describe(schemas[name], [cls.__name__ for cls in shape.__mro__])


ENUMS: dict[tuple[str, ...], tuple[str, str]] = {
    ("en", "ja"): ("Language", "A language of texts."),
    ("open", "playing", "finished", "aborted"): ("Status", "The status of a match."),
    ("public", "link", "private"): ("Visibility", "Who may look at a match."),
    ("played", "agreement", "operator", "pause"): ("Ending", "How a match ended."),
    ("seats", "after", "open", "none"): ("Audience", "Who may read the messages at a table."),
    ("turn", "match.started", "match.finished", "invitation", "reminder"): (
        "WebhookKind",
        "A kind of notice that a webhook gets.",
    ),
    ("random", "greedy", "eager"): ("BotName", "A bot of the service, by its name."),
    ("human", "bot"): ("AccountKind", "Whether the account is a person's or a program's."),
    ("human", "bot", "erased"): ("PlayerKind", "Whether the player is a person or a program, or was erased."),
    ("=", "!=", "<", "<=", ">", ">="): ("Relation", "How two values are compared."),
    ("each", "digest", "none"): ("TurnMails", "For which turns mails are sent."),
    ("token", "session"): ("TokenKind", "Whether a token was made by hand, or is a session."),
    ("address", "account"): ("CountedBy", "By what requests are counted."),
}
"""The names and sentences of enums that several schemas have, so that a client has one class for each."""

SHARED = {frozenset(words): name for words, (name, _) in ENUMS.items()}

ANYTHING: Schema = {"type": "object", "additionalProperties": {}}
"""The schema of an object that is described elsewhere."""

ABOUT_NULL = re.compile(r"; (?:else )?null\b[^.;]*\.$")
"""The part about null of a sentence in `WORDS`; it is left out where a property can't be null."""


def _describe(schema: Schema, names: Sequence[str]) -> None:
    properties = schema.get("properties")
    for key, part in properties.items() if isinstance(properties, dict) else ():
        if not isinstance(part, dict) or "description" in part:
            continue
        about = next((sentence for name in names if (sentence := WORDS.get(f"{name}.{key}"))), None)
        if about is None and (about := WORDS.get(key)) is not None and not _may_be_null(part):
            about = ABOUT_NULL.sub(".", about)
        if about is not None:
            part["description"] = about


def _may_be_null(schema: Schema) -> bool:
    kinds = [schema.get("type"), *(each.get("type") for each in schema.get("anyOf", []))]
    return any("null" in kind if isinstance(kind, list) else kind == "null" for kind in kinds)


def finish(schemas: dict[str, Schema]) -> None:
    """Change the schemas so that every generator can read them."""
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
    r"""Return the pattern for ECMA 262, which knows no `\A` and no `\Z`."""
    return pattern.replace(r"\A", "^").replace(r"\Z", "$")


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
        "oneOf": [{"$ref": f"#/components/schemas/{kind}"} for kind in kinds],
    }


def without_null(schema: Schema) -> Schema:
    """Return the schema without a default, of a value that can't be null."""
    kept = {key: value for key, value in schema.items() if key != "default"}
    if isinstance(kept.get("type"), list):
        kept["type"] = next(kind for kind in kept["type"] if kind != "null")
    if "enum" in kept:
        kept["enum"] = [word for word in kept["enum"] if word is not None]
    if "anyOf" in kept:
        (only,) = [part for part in kept.pop("anyOf") if part != {"type": "null"}]
        kept |= only
    return kept


def share(document: Schema) -> None:
    """Replace enums and plain objects that occur in several places by references to one schema.

    Generators make a class for each schema without a name, and three classes for one in a query that may be null; so
    parameters lose their null, which can't be sent anyway.
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
    components["schemas"]["Anything"] = {**ANYTHING, "description": "An object that is described elsewhere."}


def _name_of(schema: Schema) -> str | None:
    """Return the name of the shared schema for this one; None if it is not shared."""
    if isinstance(words := schema.get("enum"), list) and "string" in schema.get("type", ()):
        return SHARED.get(frozenset(words) - {None})
    is_plain = schema.get("additionalProperties") == {} and "object" in schema.get("type", ())
    return "Anything" if is_plain else None


def _reference(schema: Schema, to: Schema) -> Schema:
    """Return a reference in place of the schema, which allows null if the schema does."""
    kept = {key: value for key, value in schema.items() if key in ("description", "default")}
    return {**({"anyOf": [to, {"type": "null"}]} if "null" in schema["type"] else to), **kept}


def parts(value: Any) -> Iterator[Schema]:
    """Yield every object inside the value, and the value itself if it is one."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from parts(inner)
