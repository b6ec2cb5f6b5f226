"""How long seats thought, from the moments that the log tells."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from domain.matches import Cause, MoveMade
from replays.film import Film
from replays.log import TRUTH, Log


class Thought(msgspec.Struct, frozen=True):
    """A decision that a seat has answered."""

    seat: int
    asked: int
    """The version at which the seat was asked."""
    milliseconds: int
    """From there to the answer."""
    is_late: bool
    """Whether the clock answered, since the seat did not."""


def thoughts(log: Log, film: Film) -> tuple[Thought, ...]:
    """Every decision whose answer the film's viewer knows of, in the order in which they were asked.

    Who answered under seal is told when the match is over; until then each seat knows only of itself.
    """
    return tuple(sorted((*_open(film), *_sealed(log, film)), key=lambda one: (one.asked, one.seat)))


def _open(film: Film) -> Iterator[Thought]:
    for frame in film.frames:
        event = frame.event
        # what the engine plays for a seat was never asked
        if isinstance(event, MoveMade) and event.cause is not Cause.FORCED:
            yield from _thought(film, event.seat, event.decision, frame.at, event.cause)


def _sealed(log: Log, film: Film) -> Iterator[Thought]:
    viewer = film.viewer
    seats = range(log.opening.seats) if viewer == TRUTH else () if viewer is None else (viewer,)
    for seat in seats:
        for stored in log.answers(seat):
            event = log.codec.decode(stored.type, stored.schema, stored.public, stored.secret)
            yield from _thought(film, seat, event.decision, stored.at, event.cause)


def _thought(film: Film, seat: int, asked: int, at: str, cause: Cause) -> Iterator[Thought]:
    # an answer that came while this is read is to what the film does not have
    if (waited := waited_for(film, asked, at)) is not None:
        yield Thought(seat=seat, asked=asked, milliseconds=waited, is_late=cause is Cause.CLOCK)


def waited_for(film: Film, asked: int, at: str) -> int | None:
    """Milliseconds from the version at which a seat was asked to its answer; None if the film has no such version."""
    if not 1 <= asked <= film.head:
        return None
    # private logs keep their own time: never less than nothing
    return max(0, milliseconds(at) - milliseconds(film.frame(asked).at))


def milliseconds(at: str) -> int:
    """A moment of the log, counted since 1970."""
    return round(datetime.fromisoformat(at).timestamp() * 1000)
