"""Hidden fields: which seats may read which part of an event, and what the others get instead.

A field's type says it:

    class CardDrawn(Event, frozen=True):
        seat: Seat
        card: Annotated[Card | None, Hidden("seat")]     # the drawer reads it, others get None

`redact` is the one function that removes knowledge. After the end of a match all secrets are open, and nothing is
redacted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, assert_never, get_type_hints

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Hidden:
    """Only the readers get the field. Others get None; for a tuple, a None for each element."""

    reader: str = ""
    """Name of the event's field that holds the seat, or the tuple of seats, that may read it; "" is nobody.
    In a move it names a field of the event that carries the move."""


@dataclass(frozen=True, slots=True)
class HiddenEach:
    """A tuple with an element for each seat, which only that seat gets; others get None in its place."""


@dataclass(frozen=True, slots=True)
class Carries:
    """The field is a move, whose hidden fields count as the event's."""


Mark = Hidden | HiddenEach | Carries


_marks: dict[Any, tuple[tuple[str, Mark], ...]] = {}


def marks(cls: type[Any]) -> tuple[tuple[str, Mark], ...]:
    """Return the marked fields of a struct class, in the order of declaration."""
    if (known := _marks.get(cls)) is None:
        known = _marks[cls] = _read_marks(cls)
    return known


def _read_marks(cls: type[Any]) -> tuple[tuple[str, Mark], ...]:
    hints = get_type_hints(cls, include_extras=True)
    annotated = ((name, mark) for name in cls.__struct_fields__ for mark in getattr(hints[name], "__metadata__", ()))
    return tuple((name, mark) for name, mark in annotated if isinstance(mark, Hidden | HiddenEach | Carries))


def unknown(value: object) -> object:
    """Return what is shown instead of a hidden value: None, or for a tuple as many as it is long."""
    return (None,) * len(value) if isinstance(value, tuple) else None


def _readers(event: Any, mark: Hidden) -> tuple[int, ...]:
    seats = getattr(event, mark.reader) if mark.reader else ()
    return seats if isinstance(seats, tuple) else (seats,)


def secrets(event: Any) -> Iterator[tuple[str, tuple[int, ...], Any]]:
    """Yield every secret of an event: its path (`card`, `answers.1`, `move.card`), its readers in order, its value."""
    for name, mark in marks(type(event)):
        value = getattr(event, name)
        match mark:
            case Hidden():
                yield name, _readers(event, mark), value
            case HiddenEach():
                yield from ((f"{name}.{seat}", (seat,), own) for seat, own in enumerate(value))
            case Carries():
                for inner, hidden in marks(type(value)):
                    assert isinstance(hidden, Hidden), f"{type(value).__name__}.{inner}: a move hides whole fields"
                    yield f"{name}.{inner}", _readers(event, hidden), getattr(value, inner)
            case _:
                assert_never(mark)


def redact(event: T, seat: int | None) -> T:
    """Return the event as the seat gets it; None is a reader without a seat."""
    marked = marks(type(event))
    if not marked:
        return event
    changes: dict[str, Any] = {}
    for name, mark in marked:
        value = getattr(event, name)
        match mark:
            case Hidden():
                if seat is None or seat not in _readers(event, mark):
                    changes[name] = unknown(value)
            case HiddenEach():
                changes[name] = tuple(own if i == seat else None for i, own in enumerate(value))
            case Carries():
                inner = {
                    field: unknown(getattr(value, field))
                    for field, hidden in marks(type(value))
                    if isinstance(hidden, Hidden) and (seat is None or seat not in _readers(event, hidden))
                }
                if inner:
                    changes[name] = msgspec.structs.replace(value, **inner)
            case _:
                assert_never(mark)
    return msgspec.structs.replace(event, **changes) if changes else event
