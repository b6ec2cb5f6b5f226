"""Reads packs: TOML bytes into the structs that a room declares, with errors that name file, card and field.

A field's range is part of its declaration, `cost: Annotated[int, msgspec.Meta(ge=0, le=20)]`. What one field alone
can't express (a card that comes twice) the room checks itself, and raises the same `PackError`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Set
from typing import Annotated, Any, TypeVar

import msgspec

from domain.game import PackError

T = TypeVar("T")

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
"""A name in a pack."""
Rulebook = tuple[str, ...]
"""The fields of an entry that the rulebook gives, or what else is known of the game; all others are house numbers."""

MOST_DOTS = 100
"""The most dots in a line: the time that a dotted key takes to be read grows with the square of its length."""

_PLACE = re.compile(r" - at `\$(?P<path>[^`]*)`$")
_FIELD = re.compile(r"(?:required|unknown) field `(?P<field>[^`]+)`")
_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<index>\d+)\]")


def read_pack(data: bytes, file: str, kind: type[T]) -> T:
    """Return the pack as its struct.

    Raises:  PackError for a missing or unknown field, a wrong type, or a number out of range. It names the file, the
             entry (a card by its `name`, else by its place in the file) and the field.
    """
    if any(line.count(b".") > MOST_DOTS for line in data.split(b"\n")):
        raise PackError(file, "", "toml", f"a line has more than {MOST_DOTS} dots")
    try:
        fields = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        # ValueError: not UTF-8, not TOML, or an integer of more digits than Python reads
        raise PackError(file, "", "toml", str(error)) from None
    try:
        return msgspec.convert(fields, kind, strict=True)
    except msgspec.ValidationError as error:
        raise _named(str(error), file, fields) from None


def check_rulebook(entry: Any, file: str, name: str, more: Set[str] = frozenset()) -> None:
    """Check that an entry has all the fields that its `rulebook` lists. `name`: what errors call the entry.

    Shape:   `more`: what may be listed besides, as parts of fields.
    Raises:  PackError.
    """
    fields = {*entry.__struct_fields__, *more} - {"rulebook"}
    for field in entry.rulebook:
        if field not in fields:
            raise PackError(file, name, "rulebook", f"names {field!r}, which is no field there")


def _named(message: str, file: str, fields: dict[str, Any]) -> PackError:
    """Return msgspec's error, `... - at $.cards[3].cost`, with the card's name and the field."""
    place = _PLACE.search(message)
    steps = [step["name"] or int(step["index"]) for step in _STEP.finditer(place["path"])] if place else []
    field = missing["field"] if (missing := _FIELD.search(message)) else ""
    if not field and steps:
        field = str(steps.pop())
    entry = ""
    inside: Any = fields
    for step in steps:
        entry += f"[{step}]" if isinstance(step, int) else f".{step}" if entry else step
        inside = inside[step]
        if isinstance(inside, dict) and isinstance(inside.get("name"), str):
            entry = inside["name"]
    return PackError(file, entry, field or "pack", _PLACE.sub("", message))
