"""A game's options as fields of a form, made from the options' JSON schema, for any game."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import request

from domain.game import Game, Lang
from service.web.pages.words.opening import OPTIONS

BEFORE = "option-"
"""The beginning of these fields' names."""


class Field(msgspec.Struct, frozen=True):
    """An option that can be chosen in a form."""

    name: str
    kind: str
    """`choice` (one of several), `choices` (any of several), `number`, `text` or `switch`."""
    default: Any
    label: str
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None


def fields(game: Game[Any, Any, Any], lang: Lang) -> tuple[Field, ...]:
    """Return the fields for a game's options, without options that leave no choice.

    An option with several shapes has a field for the first one.
    """
    schema = msgspec.json.schema(game.Options)
    shapes = schema.get("$defs", {})
    properties = shapes.get(game.Options.__name__, schema).get("properties", {})
    all_fields = (_field(game.slug, name, part, shapes, lang) for name, part in properties.items())
    return tuple(field for field in all_fields if field is not None)


def proposed(game: Game[Any, Any, Any]) -> dict[str, str]:
    """Return the first values of these fields."""
    values: dict[str, str] = {}
    for field in fields(game, "en"):
        if field.kind == "choices":
            values |= {f"{BEFORE}{field.name}-{choice}": "yes" for choice in field.default or ()}
        elif field.kind == "switch":
            values |= {BEFORE + field.name: "yes"} if field.default else {}
        else:
            values[BEFORE + field.name] = str(field.default)
    return values


def read(game: Game[Any, Any, Any]) -> dict[str, Any]:
    """Return the options in the form. They are not checked: the rules do that."""
    options: dict[str, Any] = {}
    for field in fields(game, "en"):
        value = request.form.get(BEFORE + field.name, "").strip()
        if field.kind == "choices":
            chosen = [choice for choice, _ in field.choices if request.form.get(f"{BEFORE}{field.name}-{choice}")]
            options[field.name] = chosen
        elif field.kind == "switch":
            options[field.name] = bool(value)
        elif value and value != str(field.default):
            options[field.name] = _number(value) if isinstance(field.default, int) else value
    return options


def _number(value: str) -> int | str:
    """Return the number; a text that is none unchanged, for the rules to refuse."""
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else value


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
    """Return the schema to which this one refers; of several the first."""
    if "anyOf" in schema:
        return _first(schema["anyOf"][0], shapes)
    if "$ref" in schema:
        return dict(shapes[schema["$ref"].rpartition("/")[2]])
    return schema


def _choices(slug: str, name: str, values: list[Any], lang: Lang) -> tuple[tuple[str, str], ...]:
    return tuple((str(value), OPTIONS[lang].get(f"{slug}/{name}={value}", str(value))) for value in values)
