"""Puts what games tell into the OpenAPI document: where any object stood, stands one of the games' schemas.

An answer is discriminated by its game: a view, the moves of a decision and a match that is wanted by `game`, a move
among its game's by `type`, an event by its stored type, which begins with the game. Without a game these stay objects,
whose shapes `GET /api/games/{game}` tells: a client for any game needs no more, and five games have hundreds of them.
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
"""What properties hold, where they hold an object, whatever the game."""
HELD = {"view": "View", "options": OPTIONS, "move": MOVE, **ALIKE}
"""And where games are told."""
OTHERS = frozenset({"Game", "Move"})
"""Schemas that mean something else by these names: a game's page tells its own schemas."""


def with_games(document: Schema, games: Iterable[AnyGame]) -> Schema:
    """Return the document, with all that these games tell in it; it may be none of them."""
    told = deepcopy(document)
    schemas, rooms = told["components"]["schemas"], tuple(games)
    for name in [name for name in schemas if name not in OTHERS]:
        _refer(schemas[name], rooms, schemas, name)
    schemas.update(game_schemas.of_scenes(BASE))
    if rooms:
        for name in ("Move", "Asked"):
            schemas.pop(name, None)  # only each game's own are asked for
        _put_events(schemas, rooms)
        _put_wholes(schemas, rooms)
    _spell(told)
    return told


def _refer(schema: Schema, games: tuple[AnyGame, ...], schemas: Schema, name: str) -> None:
    """Have the schema, if it holds what a game tells, tell of which shape that is."""
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
    for one, to in held.items():
        if one in properties and "object" in properties[one].get("type", ""):
            properties[one] = _is(properties[one], to)


def _spell(part: Any) -> None:
    """Patterns as ECMA 262 has them, where \\A and \\Z are no anchors."""
    if isinstance(part, dict):
        if isinstance(pattern := part.get("pattern"), str):
            part["pattern"] = re.sub(r"\\A|\\Z", lambda found: "^" if found[0] == r"\A" else "$", pattern)
        for one in part.values():
            _spell(one)
    elif isinstance(part, list):
        for one in part:
            _spell(one)


def _put_wholes(schemas: Schema, games: tuple[AnyGame, ...]) -> None:
    """The parts of all games, and what is one of theirs."""
    found = {game: game_schemas.of_game(game, BASE) for game in games}
    for one in found.values():
        schemas.update(deepcopy({name: part for name, part in one.parts.items() if name not in one.events.values()}))
    views = {game.slug: one.view for game, one in found.items()}
    schemas["View"] = one_of(views, "game", BASE, "What a table shows to somebody: of each game its own.")
    schemas[OPTIONS] = _any_of(f"{prefix_of(game)}Options" for game in games)
    schemas[OPTIONS]["description"] = "The options of the match's game."
    schemas[MOVE] = _any_of(f"{prefix_of(game)}Move" for game in games)
    schemas[MOVE]["description"] = "A move of the match's game."


def _put_events(schemas: Schema, games: tuple[AnyGame, ...]) -> None:
    """Each event is what all are, but for its own type, and for what it says in `public`."""
    around = game_schemas.of_matches(BASE, MOVE, OPTIONS)
    schemas["EventRecord"] = _record(schemas["Event"])
    names: dict[str, str] = {}
    for one in (around, *(game_schemas.of_game(game, BASE) for game in games)):
        names |= one.events
        events = {name: kind for kind, name in one.events.items()}
        for name, part in one.parts.items():
            schemas[name] = _event(events[name], part) if name in events else deepcopy(part)
    schemas["Event"] = one_of(names, "type", BASE, "An event as the asker may read it, told apart by its type.")


def _record(event: Schema) -> Schema:
    """What all events have."""
    own = {key: value for key, value in event.items() if key != "additionalProperties"}
    own["properties"] = {name: part for name, part in event["properties"].items() if name not in ("type", "public")}
    own["required"] = [name for name in event["required"] if name in own["properties"]]
    return {**own, "description": "What is told of every event, beside its type and what it says."}


def _event(kind: str, said: Schema) -> Schema:
    own = {
        "type": "object",
        "properties": {"type": {"type": "string", "const": kind, "description": "Game and class."}, "public": said},
        "required": ["type", "public"],
    }
    return {"description": said["description"], "allOf": [{"$ref": f"{BASE}EventRecord"}, own]}


def _any_of(names: Iterable[str]) -> Schema:
    return {"anyOf": [{"$ref": BASE + name} for name in names]}


def _vary(schemas: Schema, name: str, kinds: Mapping[AnyGame, Schema]) -> None:
    """Of each game its own in place of one for all."""
    own = {game.slug: f"{prefix_of(game)}{name}" for game in kinds}
    schemas.update({own[game.slug]: schema for game, schema in kinds.items()})
    schemas[name] = one_of(own, "game", BASE, schemas[name].get("description", "Of each game its own."))


def _of_game(schema: Schema, game: AnyGame) -> Schema:
    """The schema for matches of that game only."""
    own = deepcopy(schema)
    own["properties"]["game"] = {"type": "string", "const": game.slug, "description": "The game's slug."}
    own["description"] = f"{own.get('description', '')} Of a match of {game.title['en']}.".strip()
    return own


def _moves(schemas: Schema, game: AnyGame, schema: Schema) -> Schema:
    """The open decision of a match of that game."""
    own, prefix = _of_game(schema, game), prefix_of(game)
    choice = deepcopy(schemas["Move"])
    choice["description"] = f"A move of {game.title['en']} that may be chosen."
    choice["properties"]["move"] = {"$ref": f"{BASE}{prefix}Move"}
    schemas[f"{prefix}Choice"] = choice
    own["properties"]["moves"]["items"] = {"$ref": f"{BASE}{prefix}Choice"}
    if "others" in own["properties"]:
        own["properties"]["others"]["items"] = {"$ref": f"{BASE}{prefix}Asked"}
    return own


def _wanted(schema: Schema, game: AnyGame) -> Schema:
    """A match of that game that is to be opened."""
    own = _of_game(schema, game)
    own["properties"]["options"] = {"$ref": f"{BASE}{prefix_of(game)}Options"}
    own["properties"]["seats"] |= {"minItems": min(game.seats), "maxItems": max(game.seats)}
    return own


def _is(part: Schema, to: str) -> Schema:
    """What is told elsewhere in place of any object; or null, if it might have been."""
    ref: dict[str, Any] = {"$ref": BASE + to}
    kept = {key: part[key] for key in part.keys() & {"description", "default"}}
    return ({"anyOf": [ref, NULL]} if "null" in part["type"] else ref) | kept
