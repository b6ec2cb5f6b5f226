"""What a game's options leave to choose, as fields of a form: made of the options' own schema, for any game."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import request

from domain.game import Game, Lang
from service.web.pages.words.opening import OPTIONS

BEFORE = "option-"
"""Before the names of these fields."""


class Field(msgspec.Struct, frozen=True):
    """An option that can be chosen in a form."""

    name: str
    kind: str
    """`choice`: one of some; `choices`: any of some; `number`, `text`, `switch`."""
    default: Any
    label: str
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None


def fields(game: Game[Any, Any, Any], lang: Lang) -> tuple[Field, ...]:
    """The options that a form can ask for; of one with several shapes the first, and none with nothing to choose."""
    told = msgspec.json.schema(game.Options)
    shapes = told.get("$defs", {})
    properties = shapes.get(game.Options.__name__, told).get("properties", {})
    found = (_field(game.slug, name, schema, shapes, lang) for name, schema in properties.items())
    return tuple(one for one in found if one is not None)


def proposed(game: Game[Any, Any, Any]) -> dict[str, str]:
    """What a form says of them at first."""
    said: dict[str, str] = {}
    for field in fields(game, "en"):
        if field.kind == "choices":
            said |= {f"{BEFORE}{field.name}-{one}": "yes" for one in field.default or ()}
        elif field.kind == "switch":
            said |= {BEFORE + field.name: "yes"} if field.default else {}
        else:
            said[BEFORE + field.name] = str(field.default)
    return said


def read(game: Game[Any, Any, Any]) -> dict[str, Any]:
    """What the form says of them: the rules check it."""
    found: dict[str, Any] = {}
    for field in fields(game, "en"):
        said = request.form.get(BEFORE + field.name, "").strip()
        if field.kind == "choices":
            found[field.name] = [one for one, _ in field.choices if request.form.get(f"{BEFORE}{field.name}-{one}")]
        elif field.kind == "switch":
            found[field.name] = bool(said)
        elif said and said != str(field.default):
            found[field.name] = _number(said) if isinstance(field.default, int) else said
    return found


def _number(said: str) -> int | str:
    """The number; what is none is for the rules to refuse."""
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else said


def _field(slug: str, name: str, schema: dict[str, Any], shapes: dict[str, Any], lang: Lang) -> Field | None:
    default = schema.get("default")
    shape = _first(schema, shapes)
    label = OPTIONS[lang].get(f"{slug}/{name}", name)
    help = OPTIONS[lang].get(f"{slug}/{name}/help", "")
    more: dict[str, Any] = {"default": default, "label": label, "help": help}
    if "enum" in shape:
        choices = _choices(slug, name, shape["enum"], lang)
        return Field(name, "choice", choices=choices, **more) if len(choices) > 1 else None
    if shape.get("type") == "array" and "enum" in (inner := _first(shape.get("items", {}), shapes)):
        return Field(name, "choices", choices=_choices(slug, name, inner["enum"], lang), **more)
    kind = {"integer": "number", "boolean": "switch", "string": "text"}.get(str(shape.get("type")))
    if kind is None:
        return None
    return Field(name, kind, least=shape.get("minimum"), most=shape.get("maximum"), **more)


def _first(schema: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    """The schema itself, where it refers to one; of several the first."""
    if "anyOf" in schema:
        return _first(schema["anyOf"][0], shapes)
    if "$ref" in schema:
        return dict(shapes[schema["$ref"].rpartition("/")[2]])
    return schema


def _choices(slug: str, name: str, values: list[Any], lang: Lang) -> tuple[tuple[str, str], ...]:
    return tuple((str(one), OPTIONS[lang].get(f"{slug}/{name}={one}", str(one))) for one in values)
