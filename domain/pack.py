"""Reading a pack: TOML bytes into the structs that a room declares, with errors that name file, card and field.

Ranges are said where a field is declared, `cost: Annotated[int, msgspec.Meta(ge=0, le=20)]`. What one field alone can't
say (a card that comes twice) the room checks itself and refuses with the same `PackError`.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, TypeVar

import msgspec

from domain.game import PackError

T = TypeVar("T")

_PLACE = re.compile(r" - at `\$(?P<path>[^`]*)`$")
_FIELD = re.compile(r"(?:required|unknown) field `(?P<field>[^`]+)`")
_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<index>\d+)\]")


def read_pack(data: bytes, file: str, kind: type[T]) -> T:
    """The pack as its struct; unknown and missing fields, wrong types and numbers out of range are refused.

    Raises:  PackError with the file, the entry (a card by its `name`, else its place in the file) and the field.
    """
    try:
        found = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PackError(file, "", "toml", str(error)) from None
    try:
        return msgspec.convert(found, kind, strict=True)
    except msgspec.ValidationError as error:
        raise _named(str(error), file, found) from None


def _named(message: str, file: str, found: dict[str, Any]) -> PackError:
    """Turn msgspec's `... - at $.cards[3].cost` into the card's name and the field."""
    place = _PLACE.search(message)
    steps = [step["name"] or int(step["index"]) for step in _STEP.finditer(place["path"])] if place else []
    field = missing["field"] if (missing := _FIELD.search(message)) else ""
    if not field and steps:
        field = str(steps.pop())
    entry = ""
    inside: Any = found
    for step in steps:
        entry += f"[{step}]" if isinstance(step, int) else f".{step}" if entry else step
        inside = inside[step]
        if isinstance(inside, dict) and isinstance(inside.get("name"), str):
            entry = inside["name"]
    return PackError(file, entry, field or "pack", _PLACE.sub("", message))
