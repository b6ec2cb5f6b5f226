"""Puts the games' schemas into the OpenAPI document, in the place of plain objects.

The `game` of a view, of a decision's moves and of a new match says which schema it has; a move is found by its `type`,
an event by its stored type, which begins with the game. Without games, these stay plain objects, whose schemas
`GET /api/games/{game}` returns: a client for any game needs no more, and five games have hundreds of schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from service.web import game_schemas
from service.web.game_schemas import AnyGame, Schema, one_of, prefix_of

BASE = "#/components/schemas/"
NULL = {"type": "null"}
OPTIONS, MOVE = "AnyOptions", "AnyMove"
ALIKE = {"open": "Moves", "scene": "Scene", "reel": "Reel"}
"""The schemas of properties that are objects, the same for all games."""
HELD = {"view": "View", "options": OPTIONS, "move": MOVE, **ALIKE}
"""The same in a document with games."""
OTHERS = frozenset({"Game", "Move"})
"""Schemas in which these names mean something else."""


def with_games(document: Schema, games: Iterable[AnyGame]) -> Schema:
    """Return the document with the schemas of these games, which may be none."""
    typed = deepcopy(document)
    schemas, rooms = typed["components"]["schemas"], tuple(games)
    for name in [name for name in schemas if name not in OTHERS]:
        _refer(schemas[name], rooms, schemas, name)
    schemas.update(game_schemas.of_scenes(BASE))
    if rooms:
        for name in ("Move", "Asked"):
            schemas.pop(name, None)  # each game has its own instead
        _put_events(schemas, rooms)
        _put_wholes(schemas, rooms)
    _spell(typed)
    return typed


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
            properties[name] = _is(properties[name], to)


def _spell(part: Any) -> None:
    """Rewrite patterns for ECMA 262, in which \\A and \\Z are no anchors."""
    if isinstance(part, dict):
        if isinstance(pattern := part.get("pattern"), str):
            part["pattern"] = re.sub(r"\\A|\\Z", lambda match: "^" if match[0] == r"\A" else "$", pattern)
        for inner in part.values():
            _spell(inner)
    elif isinstance(part, list):
        for inner in part:
            _spell(inner)


def _put_wholes(schemas: Schema, games: tuple[AnyGame, ...]) -> None:
    """Add the schemas of all games, and those that stand for one of the games' views, options or moves."""
    of_games = {game: game_schemas.of_game(game, BASE) for game in games}
    for own in of_games.values():
        schemas.update(deepcopy({name: part for name, part in own.parts.items() if name not in own.events.values()}))
    views = {game.slug: own.view for game, own in of_games.items()}
    schemas["View"] = one_of(views, "game", BASE, "What somebody sees of a table; each game has its own.")
    schemas[OPTIONS] = _any_of(f"{prefix_of(game)}Options" for game in games)
    schemas[OPTIONS]["description"] = "The options of the match's game."
    schemas[MOVE] = _any_of(f"{prefix_of(game)}Move" for game in games)
    schemas[MOVE]["description"] = "A move of the match's game."


def _put_events(schemas: Schema, games: tuple[AnyGame, ...]) -> None:
    """Add the schemas of events: all have the same fields, but for their `type` and `public`."""
    around = game_schemas.of_matches(BASE, MOVE, OPTIONS)
    schemas["EventRecord"] = _record(schemas["Event"])
    names: dict[str, str] = {}
    for own in (around, *(game_schemas.of_game(game, BASE) for game in games)):
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
    own = {
        "type": "object",
        "properties": {"type": type_of, "public": public},
        "required": ["type", "public"],
    }
    return {"description": public["description"], "allOf": [{"$ref": f"{BASE}EventRecord"}, own]}


def _any_of(names: Iterable[str]) -> Schema:
    return {"anyOf": [{"$ref": BASE + name} for name in names]}


def _vary(schemas: Schema, name: str, kinds: Mapping[AnyGame, Schema]) -> None:
    """Replace a schema by one for each game."""
    own = {game.slug: f"{prefix_of(game)}{name}" for game in kinds}
    schemas.update({own[game.slug]: schema for game, schema in kinds.items()})
    schemas[name] = one_of(own, "game", BASE, schemas[name].get("description", "Each game has its own."))


def _of_game(schema: Schema, game: AnyGame) -> Schema:
    """Return the schema for matches of this game only."""
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


def _is(part: Schema, to: str) -> Schema:
    """Return a reference to a schema in place of the plain object; null stays allowed if it was."""
    ref: dict[str, Any] = {"$ref": BASE + to}
    kept = {key: part[key] for key in part.keys() & {"description", "default"}}
    return ({"anyOf": [ref, NULL]} if "null" in part["type"] else ref) | kept
