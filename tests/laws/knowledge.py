"""Who may know which field of an event or move, and who learns by it: each room's tests say so, apart from the marks.

A table has an entry a class, and an entry names every field of its class:

    events.CardDrawn: told("seat", card=drawn_by("seat")),      # everybody knows who drew, the drawer alone what
    events.CardDiscarded: told("seat at", card=shown_by("seat")),  # everybody may know it now, the seat knew it before

The laws hold what is really told, by the marks and as stored, against these tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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


def all_but(who: Who) -> Who:
    """Whoever is not one of those."""
    return lambda event, viewer: not who(event, viewer)


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

OPEN = Field(everybody)
"""Everybody may know it, and can foresee it from what they know, from what was chosen and what chance says."""
NEWS = Field(everybody, everybody)
"""Everybody may know it now; nobody could before."""
HIDDEN = Field(nobody)
"""Nobody may know it before the end of the match."""
OWN_EACH = Field(nobody, is_each=True)
"""Each seat may know its own element, and could foresee it."""
DRAWN_EACH = Field(nobody, everybody, is_each=True)
"""Each seat may know its own element, and learns it by this."""
SHOWN_EACH = Field(everybody, everybody, had_own=True)
"""Everybody may know all elements now; each knew their own."""


def drawn_by(*names: str) -> Field:
    """The seats in these fields may know it, and learn it by this."""
    return Field(seats_in(*names), seats_in(*names))


def kept_by(*names: str) -> Field:
    """The seats in these fields may know it, and knew it before."""
    return Field(seats_in(*names))


def shown_by(*names: str) -> Field:
    """Everybody may know it now; the seats in these fields knew it before."""
    return Field(everybody, all_but(seats_in(*names)))


def told(open_fields: str = "", **others: Field) -> Entry:
    """An entry: the names of the fields that are `OPEN`, and who may know each of the others."""
    return dict.fromkeys(open_fields.split(), OPEN) | others


MATCH: Fields = {
    told_of.Opened: told("game version pack pack_hash seats options", secret=HIDDEN),
    told_of.Forked: told("parent version hash"),
    told_of.SeatTaken: told("seat nonce"),
    told_of.SeatLeft: told("seat"),
    told_of.Started: told(),
    # its fields are those of the move's own entry
    told_of.MoveMade: told("seat decision move cause"),
    told_of.AnswersClosed: told("decision", answers=OWN_EACH),
    # of these the log is the seat's own
    told_of.AnswerSealed: told("decision answer cause"),
    told_of.RungSealed: told("decision after due"),
    told_of.OrderGiven: told("order rule"),
    told_of.OrderWithdrawn: told("order"),
    # these are told of open decisions only, and of what is the same for every seat
    told_of.ClockSet: told("allowance claims bank defaults"),
    told_of.DeadlineSet: told("seat decision due"),
    told_of.BankUsed: told("seat decision spent due"),
    told_of.DeadlineExtended: told("seat decision length reason"),
    told_of.SeatHandedOver: told("seat bot reason"),
    told_of.SeatHandedBack: told("seat"),
    told_of.SeatResigned: told("seat"),
    told_of.SeatPassedOn: told("seat"),
    told_of.Paused: told("reason"),
    told_of.Resumed: told("length"),
    told_of.OutageExtended: told("length"),
    # the end opens everything
    told_of.Finished: told("points ranking", secret=NEWS),
    told_of.Aborted: told("reason", secret=NEWS),
}
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
