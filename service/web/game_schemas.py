"""JSON schemas of a game's options, views, moves and events, made from its classes.

Every sentence in them is the docstring below a field. A type whose `Meta` has a title (cards, stones) becomes a schema
of its own, so that the numbers of cards are explained once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from domain import matches
from domain.game import Game, Value
from domain.scene import Scene
from replays.film import FilmFrame, FilmScene, FilmZone, Reel
from replays.log import classes
from service.web.written import said_of, sentence

AnyGame = Game[Any, Any, Any]
Schema = dict[str, Any]

TAGS = {"game": "The game's slug."}
WHICH = "The kind of move or event."
"""The description of a tag, which msgspec adds to a struct for its class."""
ABOUT = "about"
"""The key, until schemas are named, for the sentence about a field whose type has a description of its own."""


class Chosen(Value, frozen=True):
    """Stands for any move of the match's game."""


class Agreed(Value, frozen=True):
    """Stands for the options of the match's game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schemas:
    """The schemas of a game, by name, and which name stands for what."""

    parts: dict[str, Schema]
    events: dict[str, str]
    """The names of events' schemas, by stored type."""
    moves: dict[str, str]
    """The names of moves' schemas, by `type`."""
    view: str = ""
    options: str = ""


def prefix_of(game: AnyGame) -> str:
    """Return the beginning of the names of a game's schemas, as `ThreeMagic`."""
    return "".join(word.capitalize() for word in game.slug.split("-"))


@lru_cache(maxsize=64)
def of_game(game: AnyGame, base: str) -> Schemas:
    """Return the schemas of a game's options, view, moves and events, which refer to each other as `{base}Name`."""
    prefix = prefix_of(game)
    moves, events = classes(game.Move), classes(game.Event)
    names = {game.Options: f"{prefix}Options", game.View: f"{prefix}View"}
    names |= {cls: f"{prefix}Move{cls.__name__}" for cls in moves}
    names |= {cls: f"{prefix}Event{cls.__name__}" for cls in events}
    parts = _parts(names, prefix, base)
    for name in (names[game.Options], *(names[cls] for cls in moves)):
        parts[name]["additionalProperties"] = False
    if seat := parts.get(f"{prefix}Seat"):
        seat["maximum"] = max(game.seats) - 1
    chosen = {cls.__name__: names[cls] for cls in moves}
    parts[f"{prefix}Move"] = one_of(chosen, "type", base, f"A move of {game.title['en']}.")
    return Schemas(
        parts=parts,
        events={f"{game.slug}/{cls.__name__}": names[cls] for cls in events},
        moves=chosen,
        view=f"{prefix}View",
        options=f"{prefix}Options",
    )


@lru_cache(maxsize=64)
def of_matches(base: str, move: str, options: str) -> Schemas:
    """Return the schemas of a match's own events. `move`, `options`: the names of the schemas of moves and options."""
    names = {_filled(cls): f"MatchEvent{cls.__name__}" for cls in matches.EVENTS}
    parts = _parts(names, "Match", base, {"Chosen": move, "Agreed": options})
    return Schemas(
        parts=parts, events={f"match/{cls.__name__}": f"MatchEvent{cls.__name__}" for cls in matches.EVENTS}, moves={}
    )


def of_scenes(base: str) -> dict[str, Schema]:
    """Return the schemas of scenes and films, which are the same for all games."""
    films = {cls: cls.__name__ for cls in (Reel, FilmFrame, FilmScene, FilmZone)}
    return _parts({Scene: "Scene", **films}, "Scene", base)


def one_of(names: Mapping[str, str], tag: str, base: str, description: str) -> Schema:
    """Return a schema for one of the schemas with these names; the field `tag` says which."""
    return {
        "description": description,
        "oneOf": [{"$ref": base + name} for name in names.values()],
        "discriminator": {"propertyName": tag, "mapping": {key: base + name for key, name in names.items()}},
    }


def _filled(cls: Any) -> Any:
    """Return the class with `Chosen` and `Agreed` for its type parameters, if it has any."""
    stands, parameters = {"M": Chosen, "Opt": Agreed}, getattr(cls, "__parameters__", ())
    return cls[tuple(stands[each.__name__] for each in parameters)] if parameters else cls


def _parts(
    names: Mapping[Any, str], prefix: str, base: str, known: Mapping[str, str] | None = None
) -> dict[str, Schema]:
    """Return the schemas of these classes, by these names, and of all classes inside them.

    `known`: the names of schemas that exist elsewhere, by the name of the class that stands for them.
    """
    refs, parts = msgspec.json.schema_components(list(names), ref_template="{name}")
    made_of = {cls.__name__: cls for kind in names for cls in _within(kind)}
    called = {ref["$ref"]: name for ref, name in zip(refs, names.values(), strict=True)}
    for name, schema in parts.items():
        cls = made_of[schema["title"].partition("[")[0]]
        shared = (known or {}).get(cls.__name__) or (cls.__name__ if cls.__module__ == Game.__module__ else "")
        called.setdefault(name, shared or prefix + cls.__name__)
    schemas: dict[str, Schema] = {}
    for name, schema in parts.items():
        cls = made_of[schema["title"].partition("[")[0]]
        if cls not in (Chosen, Agreed):
            whole = _enum(cls) if issubclass(cls, Enum) else _struct(schema, cls)
            schemas[called[name]] = {
                key: _named(part, called, prefix, base, schemas) if key == "properties" else part
                for key, part in whole.items()
            }
    return schemas


def _within(kind: Any) -> Iterator[Any]:
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


def _enum(cls: type[Enum]) -> Schema:
    sentences = said_of(cls)
    meanings = [f"- `{member.value}`: {sentences[member.name]}" for member in cls if member.name in sentences]
    return {
        "type": "string",
        "description": "\n".join([sentence(cls.__doc__), *(["", *meanings] if meanings else [])]),
        "enum": [member.value for member in cls],
    }


def _struct(schema: Schema, cls: type[msgspec.Struct]) -> Schema:
    sentences, tag = said_of(cls), cls.__struct_config__.tag_field
    properties = {}
    for name, part in schema.get("properties", {}).items():
        is_tag = name == tag
        own = {"type": "string", "const": part["enum"][0], "description": TAGS.get(name, WHICH)} if is_tag else part
        # a type with a title gets a schema of its own: only the sentence about this field belongs here
        about = ABOUT if "title" in own else "description"
        properties[name] = {**own, **({about: sentences[name]} if name in sentences else {})}
    return {
        "type": "object",
        "description": sentence(cls.__doc__),
        "properties": properties,
        "required": schema.get("required", []),
        "additionalProperties": True,
    }


def _named(part: Any, called: Mapping[str, str], prefix: str, base: str, schemas: dict[str, Schema]) -> Any:
    """Return the part with references by their new names. Parts with a title are added to `schemas`."""
    if isinstance(part, list | tuple):
        return [_named(inner, called, prefix, base, schemas) for inner in part]
    if not isinstance(part, dict):
        return part
    if (row := part.get("prefixItems")) and all(each == row[0] for each in row):
        # many generators of clients don't know `prefixItems`
        items = {**{key: value for key, value in part.items() if key != "prefixItems"}, "items": row[0]}
        return _named(items, called, prefix, base, schemas)
    if "enum" in part and "type" not in part and all(isinstance(each, str) for each in part["enum"]):
        part = {"type": "string", **part}
    if isinstance(title := part.get("title"), str):
        name = prefix + title
        schemas.setdefault(name, {key: value for key, value in part.items() if key not in ("title", ABOUT)})
        return {"$ref": base + name, **({"description": part[ABOUT]} if ABOUT in part else {})}
    if "$ref" in part:
        return {**part, "$ref": base + called[part["$ref"]]}
    if "mapping" in part:
        return {**part, "mapping": {key: base + called[name] for key, name in part["mapping"].items()}}
    return {key: _named(value, called, prefix, base, schemas) for key, value in part.items()}


def described(parts: Iterable[Schema]) -> Iterator[tuple[str, bool]]:
    """Yield every property of these schemas, and whether it has a description or refers to a schema."""
    for part in parts:
        for name, schema in part.get("properties", {}).items():
            yield name, "description" in schema or "$ref" in schema
