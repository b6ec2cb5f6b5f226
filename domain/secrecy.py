"""Hidden fields and face-down cards: which seats may read which part of an event, and what the others get instead.

A field's type says it:

    class CardDrawn(Event, frozen=True):
        seat: Seat
        card: Annotated[Card | None, Hidden("seat")]     # the drawer reads it, others get None

`redact` is the one function that removes knowledge. After the end of a match all secrets are open, and nothing is
redacted.

In a state, cards lie in a tuple in their order; None is a card whose face the viewer does not know. A card is any value
that the room chooses (a number, an enum, a struct, a stone). Equal cards are interchangeable. `evolve` uses `face` to
`without`, for the truth and for every viewer alike; `imagine` uses `unseen` and `fill`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, assert_never, get_type_hints

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


def hides(game: Any) -> bool:
    """Return whether anything in a match of the game is hidden from a seat. `game`: a `domain.game.Game`."""
    return any(marks(cls) for cls in game.evolve.by_class)


def unknown(value: object) -> object:
    """Return what is shown instead of a hidden value: None, or for a tuple as many as it is long."""
    return (None,) * len(value) if isinstance(value, tuple) else None


def _readers(event: Any, mark: Hidden) -> tuple[int, ...]:
    seats = getattr(event, mark.reader) if mark.reader else ()
    return seats if isinstance(seats, tuple) else (seats,)


def _reads(event: Any, mark: Hidden, seat: int | None) -> bool:
    readers = _readers(event, mark)
    return bool(readers) if seat == EVERY_SEAT else seat is not None and seat in readers


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


EVERY_SEAT = -2
"""As a reader: all seats together, who know what any of them knows, and not what nobody does."""


def redact(event: T, seat: int | None) -> T:
    """Return the event as the seat gets it; None is a reader without a seat, EVERY_SEAT all of them together."""
    marked = marks(type(event))
    if not marked:
        return event
    changes: dict[str, Any] = {}
    for name, mark in marked:
        value = getattr(event, name)
        match mark:
            case Hidden():
                if not _reads(event, mark, seat):
                    changes[name] = unknown(value)
            case HiddenEach():
                if seat != EVERY_SEAT:
                    changes[name] = tuple(own if i == seat else None for i, own in enumerate(value))
            case Carries():
                inner = {
                    field: unknown(getattr(value, field))
                    for field, hidden in marks(type(value))
                    if isinstance(hidden, Hidden) and not _reads(event, hidden, seat)
                }
                if inner:
                    changes[name] = msgspec.structs.replace(value, **inner)
            case _:
                assert_never(mark)
    return msgspec.structs.replace(event, **changes) if changes else event


C = TypeVar("C")

Lying = tuple[C | None, ...]


def face(lying: C | None, told: C | None) -> C | None:
    """Return the face of a card after an event: it stays known, becomes known by `told`, or stays unknown.

    Raises:  ValueError when `told` differs from the known face.
    """
    if told is None or lying == told:
        return lying
    if lying is not None:
        raise ValueError(f"{told} is told where {lying} lies")
    return told


def faces(lying: Lying[C], told: Lying[C]) -> Lying[C]:
    """Return the faces of several cards after an event, one for one in their order.

    Raises:  ValueError for another number of cards, or a face that differs from the known one.
    """
    if lying == told:
        return lying
    if len(lying) != len(told):
        raise ValueError(f"{len(told)} cards are told where {len(lying)} lie")
    return tuple(map(face, lying, told))


def shuffled(lying: Lying[C], told: Lying[C]) -> Lying[C]:
    """Return the cards after a shuffle: a viewer who was told the new order knows it, the others know nothing of it.

    Raises:  ValueError for another number of cards, or for other cards where all are known.
    """
    if len(lying) != len(told):
        raise ValueError(f"{len(told)} cards are told where {len(lying)} were shuffled")
    # compared as dicts, which is faster and right, since no count is 0
    if None not in lying and None not in told and not dict.__eq__(Counter(lying), Counter(told)):
        raise ValueError(f"{told} are told where {lying} were shuffled")
    return told


def find(lying: Lying[C], card: C | None) -> int:
    """Return the index from which a card is taken: a known copy if there is one, else the first unknown card.

    Raises:  ValueError when no card there can be it.
    """
    if card in lying:
        return lying.index(card)
    if None in lying:
        return lying.index(None)
    raise ValueError(f"{card} is told where there is none")


def without(lying: Lying[C], card: C | None) -> Lying[C]:
    """Return the cards that are left when the card at `find` is taken away.

    Raises:  ValueError when no card there can be it.
    """
    at = find(lying, card)
    return lying[:at] + lying[at + 1 :]


if TYPE_CHECKING:

    def known(lying: Lying[C]) -> tuple[C, ...]:
        """Return the same cards, typed as known: decisions know every card, and a seat the cards of its own hand."""
else:
    known = tuple  # which returns a tuple as it is, without a call in Python


def unseen(deck: Iterable[C], *zones: Iterable[C | None]) -> tuple[C, ...]:
    """Return the cards of a whole deck that are not seen in any of these zones, equal cards side by side."""
    return tuple((Counter[C | None](deck) - Counter(chain.from_iterable(zones))).elements())  # type: ignore[arg-type]


def fill(lying: Lying[C], left: Iterator[C]) -> tuple[C, ...]:
    """Return the cards with each unknown one replaced by the next of `left`, which is consumed.

    Raises:  ValueError when `left` has too few.
    """
    try:
        return tuple([next(left) if card is None else card for card in lying])
    except StopIteration:
        raise ValueError("fewer cards are left than lie unknown") from None
