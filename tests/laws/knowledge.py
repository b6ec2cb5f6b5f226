"""Who may know which field of an event or move, and who learns by it: each room's tests say so, apart from the marks.

A table has an entry a class, and an entry names every field of its class, the open ones alone or each sort by itself:

    TurnBegan = "seat turn"
    CardDrawn = { open = "seat", "drawn by seat" = "card" }         # everybody knows who drew, the drawer alone what
    CardDiscarded = { open = "seat at", "shown by seat" = "card" }  # everybody may know it now, the seat knew it before

The laws hold what is really told, by the marks and as stored, against these tables.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from domain import happenings as told_of
from domain.secrecy import unknown

Viewer = int | None
"""A seat; None is somebody without one."""

Who = Callable[[Any, Viewer], bool]
"""Of an event: whether the viewer is one of those meant."""

LEARNED = "learned here"
"""Stands for what a viewer did not know before, where two logs are compared."""


def everybody(event: Any, viewer: Viewer) -> bool:
    """Whoever looks."""
    return True


def nobody(event: Any, viewer: Viewer) -> bool:
    """Not even a seat."""
    return False


def seats_in(*names: str) -> Who:
    """The seats, one or several, that these fields of the event hold."""

    def are_meant(event: Any, viewer: Viewer) -> bool:
        held = (getattr(event, name) for name in names)
        return viewer is not None and any(viewer in (one if isinstance(one, tuple) else (one,)) for one in held)

    return are_meant


@dataclass(frozen=True, slots=True)
class Field:
    """Who may know a field once its event is told."""

    may: Who
    learn: Who = nobody
    """Who can't have foreseen it: to them it tells something that was hidden before."""
    is_each: bool = False
    """A tuple with an element a seat: whoever may not know all of it may know their own."""
    had_own: bool = False
    """A tuple with an element a seat, of which nobody learns their own."""

    def told(self, value: Any, event: Any, viewer: Viewer) -> Any:
        """The value as the viewer may be told it."""
        if self.may(event, viewer):
            return value
        if not self.is_each:
            return unknown(value)
        return tuple(own if seat == viewer else None for seat, own in enumerate(value))

    def foreseen(self, value: Any, event: Any, viewer: Viewer) -> Any:
        """The value with `LEARNED` in place of what the viewer learns by it."""
        if not self.learn(event, viewer):
            return value
        if not self.had_own:
            return LEARNED
        return tuple(own if seat == viewer else LEARNED for seat, own in enumerate(value))


Entry = Mapping[str, Field]
Fields = Mapping[type[Any], Entry]

ALIKE = {
    # everybody may know it, and can foresee it from what they know, from what was chosen and what chance says
    "open": Field(everybody),
    # everybody may know it now; nobody could before
    "news": Field(everybody, everybody),
    # nobody may know it before the end of the match
    "hidden": Field(nobody),
    # each seat may know its own element, and could foresee it
    "own each": Field(nobody, is_each=True),
    # each seat may know its own element, and learns it by this
    "drawn each": Field(nobody, everybody, is_each=True),
    # everybody may know all elements now; each knew their own
    "shown each": Field(everybody, everybody, had_own=True),
}


def field_of(words: str) -> Field:
    """The field that is `open`, `own each`, ..., or `drawn by` the seats that some fields of the event hold."""
    how, _, names = words.partition(" by ")
    seats = seats_in(*names.split())
    match how:
        case "drawn":  # they may know it, and learn it by this
            return Field(seats, seats)
        case "kept":  # they may know it, and knew it before
            return Field(seats)
        case "shown":  # everybody may know it now; they knew it before
            return Field(everybody, lambda event, viewer: not seats(event, viewer))
        case "taken":  # the taker, named first, learns it by this; the owner knew it before
            return Field(seats, seats_in(names.split()[0]))
    return ALIKE[words]


def fields_of(file: Path, *modules: ModuleType) -> Fields:
    """The table of a file that has a section a module, named as the module is, and in it an entry a class."""
    sections, table = tomllib.loads(file.read_text(encoding="utf-8")), dict[type[Any], Entry]()
    for module in modules:
        for name, entry in sections[module.__name__.rpartition(".")[2]].items():
            sorts = {"open": entry} if isinstance(entry, str) else entry
            fields = {field: field_of(words) for words, named in sorts.items() for field in named.split()}
            table[getattr(module, name)] = fields
    return table


MATCH = fields_of(Path(__file__).with_name("match.toml"), told_of)
"""The match's own events."""


def told_to(table: Fields, event: Any, viewer: Viewer) -> Any:
    """The event as the table says that the viewer may be told it; unknowns are told as they are everywhere."""
    return _changed(table, event, event, lambda field, value: field.told(value, event, viewer))


def foreseen_by(table: Fields, event: Any, viewer: Viewer) -> tuple[Any, ...]:
    """The event's class and fields by name, with `LEARNED` where the viewer could not know them before."""
    return _parts(table, event, event, viewer)


def _parts(table: Fields, part: Any, event: Any, viewer: Viewer) -> tuple[Any, ...]:
    found: list[Any] = [type(part)]
    for name, field in table[type(part)].items():
        value = getattr(part, name)
        if isinstance(part, told_of.MoveMade) and name == "move":
            found.append(_parts(table, value, event, viewer))
        else:
            found.append(field.foreseen(value, event, viewer))
    return tuple(found)


def _changed(table: Fields, part: Any, event: Any, change: Callable[[Field, Any], Any]) -> Any:
    """The event, or the move in it, with each field changed by its entry."""
    values = {}
    for name, field in table[type(part)].items():
        value = getattr(part, name)
        is_move = isinstance(part, told_of.MoveMade) and name == "move"
        values[name] = _changed(table, value, event, change) if is_move else change(field, value)
    return msgspec.structs.replace(part, **values)
