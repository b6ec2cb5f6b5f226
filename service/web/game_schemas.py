"""JSON schemas of what a game is told and tells: options, view, moves, events, made of the classes themselves.

Every sentence in them stands in the code, below the field that it is about. What a type's `Meta` gives a title (cards,
stones) becomes a schema of its own, so that how cards are numbered is said once.
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
from replays.log import classes
from replays.reel import FilmFrame, FilmScene, FilmZone, Reel
from service.web.written import said_of, sentence

AnyGame = Game[Any, Any, Any]
Schema = dict[str, Any]

TAGS = {"game": "The game's slug."}
WHICH = "Which of them it is."
"""Of a field that structs have by their class."""
ABOUT = "about"
"""Until all is named: what is said of a field whose type has a description of its own."""


class Chosen(Value, frozen=True):
    """Stands for any move of the match's game."""


class Agreed(Value, frozen=True):
    """Stands for the options of the match's game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schemas:
    """Where to find what among the parts, by name."""

    parts: dict[str, Schema]
    events: dict[str, str]
    """By stored type."""
    moves: dict[str, str]
    """By `type`."""
    view: str = ""
    options: str = ""


def prefix_of(game: AnyGame) -> str:
    """What the names of a game's schemas begin with: `ThreeMagic`."""
    return "".join(word.capitalize() for word in game.slug.split("-"))


@lru_cache(maxsize=64)
def of_game(game: AnyGame, base: str) -> Schemas:
    """A game's options, view, moves and events, which refer to each other as `{base}Name`."""
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
    """The events of the match around a game, whose moves and options are schemas of those names."""
    names = {_filled(cls): f"MatchEvent{cls.__name__}" for cls in matches.EVENTS}
    parts = _parts(names, "Match", base, {"Chosen": move, "Agreed": options})
    return Schemas(
        parts=parts, events={f"match/{cls.__name__}": f"MatchEvent{cls.__name__}" for cls in matches.EVENTS}, moves={}
    )


def of_scenes(base: str) -> dict[str, Schema]:
    """How tables are drawn and films are told: the same for all games."""
    films = {cls: cls.__name__ for cls in (Reel, FilmFrame, FilmScene, FilmZone)}
    return _parts({Scene: "Scene", **films}, "Scene", base)


def one_of(names: Mapping[str, str], tag: str, base: str, description: str) -> Schema:
    """One of the schemas of these names, told apart by what the field `tag` says."""
    return {
        "description": description,
        "oneOf": [{"$ref": base + name} for name in names.values()],
        "discriminator": {"propertyName": tag, "mapping": {key: base + name for key, name in names.items()}},
    }


def _filled(cls: Any) -> Any:
    """The class with what stands for moves and options where it leaves them open."""
    stands = {"M": Chosen, "Opt": Agreed}
    return cls[tuple(stands[one.__name__] for one in found)] if (found := getattr(cls, "__parameters__", ())) else cls


def _parts(
    names: Mapping[Any, str], prefix: str, base: str, known: Mapping[str, str] | None = None
) -> dict[str, Schema]:
    """The schemas of these classes, by these names, and of all that they are made of. `known`: what is found elsewhere,
    by the class that stands for it.
    """
    found, parts = msgspec.json.schema_components(list(names), ref_template="{name}")
    made_of = {cls.__name__: cls for kind in names for cls in _within(kind)}
    called = {one["$ref"]: name for one, name in zip(found, names.values(), strict=True)}
    for name, schema in parts.items():
        cls = made_of[schema["title"].partition("[")[0]]
        shared = (known or {}).get(cls.__name__) or (cls.__name__ if cls.__module__ == Game.__module__ else "")
        called.setdefault(name, shared or prefix + cls.__name__)
    told: dict[str, Schema] = {}
    for name, schema in parts.items():
        cls = made_of[schema["title"].partition("[")[0]]
        if cls not in (Chosen, Agreed):
            whole = _enum(cls) if issubclass(cls, Enum) else _struct(schema, cls)
            told[called[name]] = {
                key: _named(part, called, prefix, base, told) if key == "properties" else part
                for key, part in whole.items()
            }
    return told


def _within(kind: Any) -> Iterator[Any]:
    """Every class of house that a type is made of, itself too."""
    seen: set[Any] = set()
    queue = [kind]
    while queue:
        one = queue.pop()
        queue.extend(get_args(one))
        cls = get_origin(one) or one
        if isinstance(cls, type) and cls not in seen and issubclass(cls, Enum | msgspec.Struct):
            seen.add(cls)
            yield cls
            if issubclass(cls, msgspec.Struct):
                queue.extend(get_type_hints(cls, include_extras=True).values())


def _enum(cls: type[Enum]) -> Schema:
    said = said_of(cls)
    meanings = [f"- `{one.value}`: {said[one.name]}" for one in cls if one.name in said]
    return {
        "type": "string",
        "description": "\n".join([sentence(cls.__doc__), *(["", *meanings] if meanings else [])]),
        "enum": [one.value for one in cls],
    }


def _struct(schema: Schema, cls: type[msgspec.Struct]) -> Schema:
    said, tag = said_of(cls), cls.__struct_config__.tag_field
    properties = {}
    for name, part in schema.get("properties", {}).items():
        is_tag = name == tag
        own = {"type": "string", "const": part["enum"][0], "description": TAGS.get(name, WHICH)} if is_tag else part
        # what has a title is told elsewhere: here only what it is of this
        about = ABOUT if "title" in own else "description"
        properties[name] = {**own, **({about: said[name]} if name in said else {})}
    return {
        "type": "object",
        "description": sentence(cls.__doc__),
        "properties": properties,
        "required": schema.get("required", []),
        "additionalProperties": True,
    }


def _named(part: Any, called: Mapping[str, str], prefix: str, base: str, told: dict[str, Schema]) -> Any:
    """The part with its references by their new names; what has a title becomes a schema of its own."""
    if isinstance(part, list | tuple):
        return [_named(one, called, prefix, base, told) for one in part]
    if not isinstance(part, dict):
        return part
    if (row := part.get("prefixItems")) and all(one == row[0] for one in row):
        # many generators don't know rows of which each element is told apart
        return _named(_row(part), called, prefix, base, told)
    if "enum" in part and "type" not in part and all(isinstance(one, str) for one in part["enum"]):
        part = {"type": "string", **part}
    if isinstance(title := part.get("title"), str):
        name = prefix + title
        told.setdefault(name, {key: value for key, value in part.items() if key not in ("title", ABOUT)})
        return {"$ref": base + name, **({"description": part[ABOUT]} if ABOUT in part else {})}
    if "$ref" in part:
        return {**part, "$ref": base + called[part["$ref"]]}
    if "mapping" in part:
        return {**part, "mapping": {key: base + called[name] for key, name in part["mapping"].items()}}
    return {key: _named(value, called, prefix, base, told) for key, value in part.items()}


def _row(part: Schema) -> Schema:
    return {**{key: value for key, value in part.items() if key != "prefixItems"}, "items": part["prefixItems"][0]}


def described(parts: Iterable[Schema]) -> Iterator[tuple[str, bool]]:
    """Every property of these schemas, and whether a sentence says what it is."""
    for part in parts:
        for name, schema in part.get("properties", {}).items():
            yield name, "description" in schema or "$ref" in schema
