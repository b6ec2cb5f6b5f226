"""JSON schemas of a game's options, views, moves and events, made from its classes, also in the OpenAPI document.

Every sentence in them is the docstring below a field. A type whose `Meta` has a title (cards, stones) becomes a schema
of its own, so that the numbers of cards are explained once.

In the document they take the place of plain objects. The `game` of a view, of a decision's moves and of a new match
says which schema it has; a move is found by its `type`, an event by its stored type, which begins with the game.
Without games, these stay plain objects, whose schemas `GET /api/games/{game}` returns: a client for any game needs no
more, and five games have hundreds of schemas.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from enum import Enum
from functools import lru_cache
from typing import Any

import msgspec

from domain import matches
from domain.game import Game, Value, classes
from domain.scene import Scene
from replays.film import FilmFrame, FilmScene, FilmZone, Reel
from service.web.contract.schemas import BASE, Schema, enum_of, parts, reference, said_of, sentence, within

AnyGame = Game[Any, Any, Any]

TAGS = {"game": "The game's slug."}
WHICH = "The kind of move or event."
"""The description of a tag, which msgspec adds to a struct for its class."""
ABOUT = "about"
"""The key, until schemas are named, for the sentence about a field whose type has a description of its own."""

OPTIONS, MOVE = "AnyOptions", "AnyMove"
ALIKE = {"open": "Moves", "scene": "Scene", "reel": "Reel"}
"""The schemas of properties that are objects, the same for all games."""
HELD = {"view": "View", "options": OPTIONS, "move": MOVE, **ALIKE}
"""The same in a document with games."""
OTHERS = frozenset({"Game", "Move"})
"""Schemas in which these names mean something else."""


class Chosen(Value, frozen=True):
    """Stands for any move of the match's game."""


class Agreed(Value, frozen=True):
    """Stands for the options of the match's game."""


class Schemas(msgspec.Struct, frozen=True):
    """The schemas of a game, or of a match's own events, by name."""

    parts: dict[str, Schema]
    events: dict[str, str]
    """The names of events' schemas, by stored type."""


def prefix_of(game: AnyGame) -> str:
    """Return the beginning of the names of a game's schemas, as `ThreeMagic`."""
    return "".join(word.capitalize() for word in game.slug.split("-"))


@lru_cache(maxsize=64)
def of_game(game: AnyGame, base: str) -> Schemas:
    """Return the schemas of a game's options, view, moves and events, which refer to each other as `{base}Name`.

    Their names begin with the game's prefix, those of the whole are `…Options`, `…View` and `…Move`.
    """
    prefix = prefix_of(game)
    moves, events = classes(game.Move), classes(game.Event)
    names = {game.Options: f"{prefix}Options", game.View: f"{prefix}View"}
    names |= {cls: f"{prefix}Move{cls.__name__}" for cls in moves}
    names |= {cls: f"{prefix}Event{cls.__name__}" for cls in events}
    schemas = _parts(names, prefix, base)
    for name in (names[game.Options], *(names[cls] for cls in moves)):
        schemas[name]["additionalProperties"] = False
    if seat := schemas.get(f"{prefix}Seat"):
        seat["maximum"] = max(game.seats) - 1
    chosen = {cls.__name__: names[cls] for cls in moves}
    schemas[f"{prefix}Move"] = one_of(chosen, "type", base, f"A move of {game.title['en']}.")
    return Schemas(schemas, {f"{game.slug}/{cls.__name__}": names[cls] for cls in events})


@lru_cache(maxsize=64)
def of_matches(base: str, move: str, options: str) -> Schemas:
    """Return the schemas of a match's own events. `move`, `options`: the names of the schemas of moves and options."""
    names = {_filled(cls): f"MatchEvent{cls.__name__}" for cls in matches.EVENTS}
    schemas = _parts(names, "Match", base, {"Chosen": move, "Agreed": options})
    return Schemas(schemas, {f"match/{cls.__name__}": f"MatchEvent{cls.__name__}" for cls in matches.EVENTS})


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
    made_of = {cls.__name__: cls for kind in names for cls in within(kind)}
    called = {ref["$ref"]: name for ref, name in zip(refs, names.values(), strict=True)}
    classes_of = {name: made_of[schema["title"].partition("[")[0]] for name, schema in parts.items()}
    for name, cls in classes_of.items():
        shared = (known or {}).get(cls.__name__) or (cls.__name__ if cls.__module__ == Game.__module__ else "")
        called.setdefault(name, shared or prefix + cls.__name__)
    schemas: dict[str, Schema] = {}
    for name, cls in classes_of.items():
        if cls not in (Chosen, Agreed):
            whole = enum_of(cls) if issubclass(cls, Enum) else _struct(parts[name], cls)
            schemas[called[name]] = {
                key: _named(part, called, prefix, base, schemas) if key == "properties" else part
                for key, part in whole.items()
            }
    return schemas


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


# In the document


def put_games(document: Schema, games: tuple[AnyGame, ...]) -> None:
    """Put the schemas of these games, which may be none, into the document."""
    schemas = document["components"]["schemas"]
    for name in [name for name in schemas if name not in OTHERS]:
        _refer(schemas[name], games, schemas, name)
    films = {cls: cls.__name__ for cls in (Reel, FilmFrame, FilmScene, FilmZone)}
    schemas.update(_parts({Scene: "Scene", **films}, "Scene", BASE))
    if games:
        for name in ("Move", "Asked"):
            schemas.pop(name, None)  # each game has its own instead
        _put_events(schemas, games)
        _put_wholes(schemas, games)
    for part in parts(document):
        if isinstance(pattern := part.get("pattern"), str):
            # ECMA 262 has no such anchors
            part["pattern"] = pattern.replace(r"\A", "^").replace(r"\Z", "$")


def _refer(schema: Schema, games: tuple[AnyGame, ...], schemas: Schema, name: str) -> None:
    """Replace the schema's properties that depend on the game by references to the games' schemas."""
    has = schema.get("properties", {})
    if not games:
        _hold(has, ALIKE)
    elif has.get("moves", {}).get("items") == {"$ref": f"{BASE}Move"}:
        _vary(schemas, name, {game: _moves(schemas, game, schema) for game in games})
    elif name == "MatchWanted":
        _vary(schemas, name, {game: _wanted(schema, game) for game in games})
    else:
        _hold(has, HELD)


def _hold(properties: Schema, held: Mapping[str, str]) -> None:
    for name, to in held.items():
        if name in properties and "object" in properties[name].get("type", ""):
            properties[name] = reference(properties[name], {"$ref": BASE + to})


def _put_wholes(schemas: Schema, games: tuple[AnyGame, ...]) -> None:
    """Add the schemas of all games, and those that stand for one of the games' views, options or moves."""
    for own in (of_game(game, BASE) for game in games):
        schemas.update(deepcopy({name: part for name, part in own.parts.items() if name not in own.events.values()}))
    views = {game.slug: f"{prefix_of(game)}View" for game in games}
    schemas["View"] = one_of(views, "game", BASE, "What somebody sees of a table; each game has its own.")
    for name, end, about in ((OPTIONS, "Options", "The options"), (MOVE, "Move", "A move")):
        kinds = [{"$ref": f"{BASE}{prefix_of(game)}{end}"} for game in games]
        schemas[name] = {"anyOf": kinds, "description": f"{about} of the match's game."}


def _put_events(schemas: Schema, games: tuple[AnyGame, ...]) -> None:
    """Add the schemas of events: all have the same fields, but for their `type` and `public`."""
    around = of_matches(BASE, MOVE, OPTIONS)
    schemas["EventRecord"] = _record(schemas["Event"])
    names: dict[str, str] = {}
    for own in (around, *(of_game(game, BASE) for game in games)):
        names |= own.events
        events = {name: kind for kind, name in own.events.items()}
        for name, part in own.parts.items():
            schemas[name] = _event(events[name], part) if name in events else deepcopy(part)
    schemas["Event"] = one_of(names, "type", BASE, "An event as you may read it; `type` says which one.")


def _record(event: Schema) -> Schema:
    """Return the schema of the fields that are the same in all events."""
    own = {key: value for key, value in event.items() if key != "additionalProperties"}
    own["properties"] = {name: part for name, part in event["properties"].items() if name not in ("type", "public")}
    own["required"] = [name for name in event["required"] if name in own["properties"]]
    return {**own, "description": "The fields of every event, besides `type` and `public`."}


def _event(kind: str, public: Schema) -> Schema:
    type_of = {"type": "string", "const": kind, "description": "The game or `match`, and the event's name."}
    own = {"type": "object", "properties": {"type": type_of, "public": public}, "required": ["type", "public"]}
    return {"description": public["description"], "allOf": [{"$ref": f"{BASE}EventRecord"}, own]}


def _vary(schemas: Schema, name: str, kinds: Mapping[AnyGame, Schema]) -> None:
    own = {game.slug: f"{prefix_of(game)}{name}" for game in kinds}
    schemas.update({own[game.slug]: schema for game, schema in kinds.items()})
    schemas[name] = one_of(own, "game", BASE, schemas[name].get("description", "Each game has its own."))


def _of_game(schema: Schema, game: AnyGame) -> Schema:
    own = deepcopy(schema)
    own["properties"]["game"] = {"type": "string", "const": game.slug, "description": "The game's slug."}
    own["description"] = f"{own.get('description', '')} For matches of {game.title['en']}.".strip()
    return own


def _moves(schemas: Schema, game: AnyGame, schema: Schema) -> Schema:
    """Return the schema of an open decision in a match of this game."""
    own, prefix = _of_game(schema, game), prefix_of(game)
    choice = deepcopy(schemas["Move"])
    choice["description"] = f"A legal move of {game.title['en']}."
    choice["properties"]["move"] = {"$ref": f"{BASE}{prefix}Move"}
    schemas[f"{prefix}Choice"] = choice
    own["properties"]["moves"]["items"] = {"$ref": f"{BASE}{prefix}Choice"}
    if "others" in own["properties"]:
        own["properties"]["others"]["items"] = {"$ref": f"{BASE}{prefix}Asked"}
    return own


def _wanted(schema: Schema, game: AnyGame) -> Schema:
    """Return the schema of a match of this game that is to be opened."""
    own = _of_game(schema, game)
    own["properties"]["options"] = {"$ref": f"{BASE}{prefix_of(game)}Options"}
    own["properties"]["seats"] |= {"minItems": min(game.seats), "maxItems": max(game.seats)}
    return own
